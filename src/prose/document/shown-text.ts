import { yearsIn } from "./as-read.ts";
import { leavesOf } from "./leaves.ts";
import { leafText } from "./text.ts";
import type { DocNode } from "./types.ts";

/**
 * A leaf's text as readers see its words: `leafText`, with a line end or blank wherever another node parts them.
 * `added` are the offsets in `text` of these characters, ascending.
 */
export interface ShownText {
  text: string;
  added: readonly number[];
}

const LETTER_END = /[\p{L}\p{N}\p{M}]$/u;
const LETTER_START = /^[\p{L}\p{N}\p{M}]/u;

/**
 * Returns the shown text of a leaf. A hard break and `<br>` become a line end, a picture or a footnote's number
 * between two letters a blank; other tags part no word. A leaf `one⏎two` with a hard break has the text `onetwo` and
 * is shown as `one\ntwo`, `added` [3].
 */
export function shownText(leaf: DocNode): ShownText {
  const content = leaf.content ?? [];
  if (content.every(({ text }) => text !== undefined)) return { text: leafText(leaf), added: [] };
  let shown = "";
  let isParted = false;
  const added: number[] = [];
  const add = (unit: string) => {
    added.push(shown.length);
    shown += unit;
  };
  for (const child of content) {
    if (child.text !== undefined) {
      if (isParted && LETTER_END.test(shown) && LETTER_START.test(child.text)) add(" ");
      shown += child.text;
      isParted = false;
    } else if (breaksLine(child)) add("\n");
    else if (partsWords(child)) isParted = true;
  }
  return { text: shown, added };
}

/**
 * Returns a block's leaves with their shown texts. A paragraph whose year Markdown took for a list begins with the
 * year.
 */
export function shownLeaves(block: DocNode): (ShownText & { leaf: DocNode })[] {
  const years = yearsIn(block);
  return leavesOf(block).map((leaf) => {
    const { text, added } = shownText(leaf);
    const year = years.get(leaf) ?? "";
    const before = Array.from(year, (_, at) => at);
    return { leaf, text: year + text, added: [...before, ...added.map((at) => at + year.length)] };
  });
}

function breaksLine({ type, attrs }: DocNode): boolean {
  return type === "hard_break" || (type === "raw_inline" && /^<br\b/i.test(String(attrs?.text)));
}

function partsWords({ type, attrs }: DocNode): boolean {
  return (
    type === "image" ||
    type === "footnote_ref" ||
    (type === "raw_inline" && /^<img\b/i.test(String(attrs?.text)))
  );
}

/** Maps a stretch of the leaf's own text to its shown text. */
export function toShown<Stretch extends { from: number; to: number }>(
  stretch: Stretch,
  added: readonly number[],
): Stretch {
  let { from, to } = stretch;
  for (const at of added) {
    if (at <= from) from += 1;
    if (at < to) to += 1;
  }
  return { ...stretch, from, to: Math.max(from, to) };
}

/** Maps a stretch of the shown text to the leaf's own text. */
export function toOwn<Stretch extends { from: number; to: number }>(
  stretch: Stretch,
  added: readonly number[],
): Stretch {
  const before = (offset: number): number => added.filter((at) => at < offset).length;
  return { ...stretch, from: stretch.from - before(stretch.from), to: stretch.to - before(stretch.to) };
}
