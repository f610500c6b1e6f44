import { diffArrays } from "diff";
import type { Node } from "prosemirror-model";

/** A stretch of a leaf that was changed: from `from` to `to` in the old one, from `start` to `end` in the new. */
export interface WordRange {
  from: number;
  to: number;
  start: number;
  end: number;
}

const WORD = /[\p{L}\p{N}\p{M}]+|\s+|[^\p{L}\p{N}\p{M}\s]/gu;
const MARKED = "\u0000";

/** What became of a leaf's content, word by word, marks too; offsets are those of its content. O(words × changes). */
export function wordRanges(was: Node, is: Node): WordRange[] {
  const ranges: WordRange[] = [];
  let from = 0;
  let start = 0;
  for (const { added, removed, value } of diffArrays(wordsOf(was), wordsOf(is))) {
    const size = value.reduce((sum, word) => sum + word.split(MARKED, 1)[0]!.length, 0); // splitting gives one at least
    let last = ranges.at(-1);
    if ((added || removed) && (last?.to !== from || last.end !== start)) {
      last = { from, to: from, start, end: start };
      ranges.push(last);
    }
    if (!added) from += size;
    if (!removed) start += size;
    if ((added || removed) && last !== undefined) {
      last.to = from;
      last.end = start;
    }
  }
  return ranges;
}

/** Words, blanks, signs and other inline nodes with their marks; each is as long as what it stands for. */
function wordsOf(leaf: Node): string[] {
  const words: string[] = [];
  leaf.forEach((child) => {
    const marks = child.marks.map(({ type, attrs }) => type.name + JSON.stringify(attrs));
    const tail = marks.length === 0 ? "" : MARKED + marks.join(MARKED);
    if (child.text === undefined)
      words.push(`\ufffc${MARKED}${child.type.name}${JSON.stringify(child.attrs)}${tail}`);
    else for (const [word] of child.text.matchAll(WORD)) words.push(word + tail);
  });
  return words;
}
