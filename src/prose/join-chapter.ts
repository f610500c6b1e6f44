import type { SourceBlock, SourceChapter } from "./document/types.ts";

// Apart from what reads Markdown: showing a chapter takes no parser.

const BOM = "\ufeff";

type Slices = SourceChapter<Omit<SourceBlock, "node">>;

/** Returns the Markdown of a chapter: the very text that was parsed, unless a slice was replaced. */
export function joinMarkdown(chapter: Slices): string {
  const parts = [chapter.head];
  for (const block of chapter.blocks) parts.push(block.source, block.gap);
  const text = parts.join("");
  return (chapter.bom ? BOM : "") + (chapter.eol === "crlf" ? text.replaceAll("\n", "\r\n") : text);
}

/**
 * Returns the Markdown of a chapter without a byte order mark, which stands before the file's front matter if there
 * is one.
 */
export function bareMarkdown(chapter: Omit<Slices, "bom">): string {
  return joinMarkdown({ ...chapter, bom: false });
}
