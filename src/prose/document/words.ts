import { countWords } from "../../text/count-words.ts";
import { leavesOf } from "./leaves.ts";
import type { DocNode } from "./types.ts";

/**
 * The words of one top-level block: of its leaves, containers included. Hard breaks and images separate words,
 * marks, tags and footnote references do not; comments, raw HTML, front matter and scene breaks count 0.
 */
export function countBlockWords(block: DocNode): number {
  let words = 0;
  for (const leaf of leavesOf(block)) words += countLeaf(leaf);
  return words;
}

// A write counts a leaf for the plan and again for its row, which has the same content under another id.
const counted = new WeakMap<readonly DocNode[], number>();

function countLeaf(leaf: DocNode): number {
  const known = leaf.content && counted.get(leaf.content);
  if (known !== undefined) return known;
  const words = countWords(countedText(leaf));
  if (leaf.content) counted.set(leaf.content, words);
  return words;
}

function countedText(leaf: DocNode): string {
  if (leaf.type === "raw_block") return leaf.attrs?.kind === "table" ? readCells(leaf) : "";
  const content = leaf.content ?? [];
  if (content.length === 1) return content[0]?.text ?? "";
  let text = "";
  for (const child of content) {
    if (child.text !== undefined) text += child.text;
    else if (child.type === "hard_break" || child.type === "image") text += " ";
  }
  return text;
}

// A table is kept verbatim, so link targets and tags are taken out here.
function readCells(table: DocNode): string {
  const text = table.content?.[0]?.text ?? "";
  return text.replace(/\]\([^()\n]*\)/g, "]").replace(/<[^<>\n]*>/g, "");
}
