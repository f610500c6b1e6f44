import { diffArrays } from "diff";
import type { Node } from "prosemirror-model";
import { type WordEdit, wordEditsOf } from "../../../../../prose/merge-words.ts";

const WORD = /[\p{L}\p{N}\p{M}]+|\s+|[^\p{L}\p{N}\p{M}\s]/gu;
const MARKED = "\u0000";

/** Compares two versions of a leaf, word by word with marks; offsets are those of its content. O(words × changes). */
export function wordRanges(was: Node, is: Node): WordEdit[] {
  const steps = diffArrays(wordsOf(was), wordsOf(is)).map(({ added, removed, value }) => ({
    op: added ? ("added" as const) : removed ? ("removed" as const) : ("same" as const),
    size: value.reduce((sum, word) => sum + word.split(MARKED, 1)[0]!.length, 0), // splitting gives one at least
  }));
  return wordEditsOf(steps);
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
