import { hasLineEnd, isSetext } from "./adjacency.ts";
import type { Style } from "./escape.ts";
import type { DocNode } from "./types.ts";
import { writeInline } from "./write-inline.ts";

/**
 * The Markdown of one leaf block, lines joined by `\n` without the last line end. Mentions are expected to be gone and
 * the leaf settled. An empty paragraph is `&nbsp;`.
 */
export function writeLeaf(leaf: DocNode, style: Style): string {
  switch (leaf.type) {
    case "paragraph":
      return leaf.content?.length ? writeInline(leaf.content, style, false) : "&nbsp;";
    case "heading":
      return writeHeading(leaf, style);
    case "code_block":
      return writeFence(leaf);
    case "scene_break":
      return leaf.attrs?.markup as string;
    default:
      return leaf.content?.[0]?.text ?? "";
  }
}

function writeHeading(heading: DocNode, style: Style): string {
  const level = heading.attrs?.level as number;
  const content = heading.content ?? [];
  if (isSetext(heading) && (style === "plain" || content.some(hasLineEnd))) {
    return `${writeInline(content, style, false)}\n${level === 1 ? "===" : "---"}`;
  }
  const marks = "#".repeat(level);
  return content.length === 0 ? marks : `${marks} ${writeInline(content, style, true)}`;
}

function writeFence(block: DocNode): string {
  const fence = (block.attrs?.fence as string | undefined) ?? "```";
  const params = (block.attrs?.params as string | undefined) ?? "";
  const text = block.content?.[0]?.text;
  const open = params.startsWith(fence.charAt(0)) ? `${fence} ${params}` : fence + params;
  return text === undefined ? `${open}\n${fence}` : `${open}\n${text}\n${fence}`;
}
