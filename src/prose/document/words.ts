import { KIND, kindOf } from "./character-class.ts";
import { leavesOf } from "./leaves.ts";
import type { DocNode } from "./types.ts";

/**
 * The number of words: `can't`, `well-known` and `3,000.50` are one each, dashes and `…` separate, each Han, Hiragana
 * or Katakana character is one. O(length), no allocation but for Thai, Lao, Khmer and Burmese runs, which
 * Intl.Segmenter counts. Source: llms.txt, Prose writes and what they cost.
 */
export function countWords(text: string): number {
  let words = 0;
  let inWord = false;
  // A joiner was seen and waits for a letter behind it.
  let joining = false;
  for (let at = 0; at < text.length; at++) {
    let code = text.charCodeAt(at);
    if (code >= 0xd800 && code <= 0xdbff) code = text.codePointAt(at++) as number;
    const kind = kindOf(code);
    if (kind === KIND.letter) {
      if (!inWord) words++;
      inWord = true;
      joining = false;
    } else if (kind === KIND.separator) {
      inWord = joining = false;
    } else if (kind === KIND.joiner) {
      if (joining) inWord = false;
      joining = inWord;
    } else if (kind === KIND.mark) {
      joining = false;
    } else if (kind === KIND.ideograph) {
      words++;
      inWord = joining = false;
    } else if (kind === KIND.unspaced) {
      const end = endOfUnspaced(text, at);
      words += countUnspaced(text.slice(at, end));
      at = end - 1;
      inWord = joining = false;
    }
  }
  return words;
}

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

let segmenter: Intl.Segmenter | undefined;

function countUnspaced(run: string): number {
  segmenter ??= new Intl.Segmenter("th", { granularity: "word" });
  let words = 0;
  for (const segment of segmenter.segment(run)) if (segment.isWordLike) words++;
  return words;
}

// Longer than any sentence; the segmenter's time grows with the square of the run.
const LONGEST_RUN = 1000;

function endOfUnspaced(text: string, from: number): number {
  const most = Math.min(text.length, from + LONGEST_RUN);
  let end = from + 1;
  while (end < most && kindOf(text.charCodeAt(end)) === KIND.unspaced) end++;
  return end;
}
