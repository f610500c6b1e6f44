import type { DocNode } from "../document/types.ts";
import { hasLineEnd, isSetext } from "./adjacent-blocks.ts";
import { isPretty, type Style } from "./escape.ts";
import { writeInline } from "./write-inline.ts";

/**
 * Writes one leaf block as Markdown, lines joined by `\n` without the last line end. Expects a normalized leaf
 * without mentions. An empty paragraph is `&nbsp;`.
 */
export function writeLeaf(leaf: DocNode, style: Style): string {
  switch (leaf.type) {
    case "paragraph":
      if (!leaf.content?.length) return "&nbsp;";
      return plainParagraph(leaf) ?? writeInline(leaf.content, style, false);
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

const SPECIAL = /[\\`*_[<&~\t]|^[^A-Za-z"'(\u00a1-\ufefe]| $/m;

/**
 * Returns the text of a paragraph that is its own Markdown in any style, and needs no reading back: two thirds of a
 * novel. Undefined for all others.
 */
export function plainParagraph(leaf: DocNode): string | undefined {
  const [child, more] = leaf.content ?? [];
  if (leaf.type !== "paragraph" || more || child?.text === undefined || child.marks) return undefined;
  return SPECIAL.test(child.text) || child.text.endsWith("\n") ? undefined : child.text;
}

function writeHeading(heading: DocNode, style: Style): string {
  const level = heading.attrs?.level as number;
  const content = heading.content ?? [];
  if (isSetext(heading) && (isPretty(style) || content.some(hasLineEnd))) {
    const text = writeInline(content, style, false);
    // "a | b" over "---" would be a table; a single "-" underlines none.
    return `${text}\n${level === 1 ? "===" : text.includes("|") ? "-" : "---"}`;
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
