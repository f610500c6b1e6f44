import type { SourceBlock, SourceChapter } from "../document/types.ts";

// Apart from what reads Markdown: showing a chapter takes no parser.

const BOM = "\ufeff";

type Slices = SourceChapter<Omit<SourceBlock, "node">>;

/** The Markdown of a chapter: the very text it was parsed from as long as no slice was replaced. */
export function joinMarkdown(chapter: Slices): string {
  const parts = [chapter.head];
  for (const block of chapter.blocks) parts.push(block.source, block.gap);
  const text = parts.join("");
  return (chapter.bom ? BOM : "") + (chapter.eol === "crlf" ? text.replaceAll("\n", "\r\n") : text);
}

/** The same without a byte order mark: that stands before the file's front matter, if it has one. */
export function bareMarkdown(chapter: Omit<Slices, "bom">): string {
  return joinMarkdown({ ...chapter, bom: false });
}
