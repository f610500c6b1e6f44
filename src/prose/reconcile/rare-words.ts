import type { Gap } from "./gaps.ts";
import type { Side } from "./pairs.ts";
import type { Reading } from "./similarity.ts";

/** Old paragraphs by the words that few of them have; the key is the word's number in `Reading.words`. */
export type RareWords = ReadonlyMap<number, readonly number[]>;

/** Paragraphs that `findByRareWords` answers with at most. */
export const MOST_FOUND = 3;

/** A word that more paragraphs have than this tells nothing about where one of them went. */
const RARE = 16;

/** A line of fewer words is not looked for far away. */
const FEWEST_WORDS = 4;

/** The gaps' old paragraphs by each of their words. O(words). */
export function indexRareWords(old: Side, gaps: readonly Gap[]): RareWords {
  const index = new Map<number, number[]>();
  for (const at of gaps.flatMap((gap) => gap.olds)) {
    for (const word of distinct(old.reading(at).words)) {
      const having = index.get(word);
      if (having === undefined) index.set(word, [at]);
      else if (having.length <= RARE) having.push(at); // one more than is rare, and no longer
    }
  }
  return index;
}

/** The old paragraphs that share most with the text: a word that two have counts a half each. Best first. */
export function findByRareWords(index: RareWords, { words }: Reading): number[] {
  const weights = new Map<number, number>();
  for (const word of distinct(words)) {
    const having = index.get(word) ?? [];
    if (having.length > RARE) continue;
    for (const at of having) weights.set(at, (weights.get(at) ?? 0) + 1 / having.length);
  }
  const ranked = [...weights].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return ranked.slice(0, MOST_FOUND).map(([at]) => at);
}

function distinct(ascending: Uint32Array): Uint32Array {
  const words = ascending.filter((word, at) => word !== ascending[at - 1]);
  return words.length < FEWEST_WORDS ? words.subarray(0, 0) : words;
}
