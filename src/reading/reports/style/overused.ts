import type { JoinedWords } from "./joined-words.ts";
import type { ChapterStyle } from "./learn.ts";

/** A word that a chapter uses more than its share of the book. */
export interface Overused {
  chapter: number;
  word: string;
  count: number;
  /** How often it would stand there if it were spread evenly over the book. */
  expected: number;
  inBook: number;
  /** Log-likelihood: above 15.13 one chance in 10,000. Source: Dunning 1993; Rayson and Garside 2000. */
  likelihood: number;
}

const FEWEST = 5;
const LEAST = 15.13;

/** The words of a chapter that stand out most against the whole book; none of a book of one chapter. */
export function overusedIn(
  chapters: readonly ChapterStyle[],
  joined: JoinedWords,
  chapter: number,
  most: number,
): Overused[] {
  const { ids, keys } = chapters[chapter]!.words; // the caller's own place
  const rest = joined.total - ids.length;
  if (rest <= 0) return [];
  const own = new Uint32Array(keys.length);
  for (const id of ids) own[id]!++; // a key's place
  const found: Overused[] = [];
  for (const [id, count] of own.entries()) {
    const number = joined.numbers[chapter]![id]!; // of every key
    const inBook = joined.counts[number]!; // of every number
    const expected = (inBook * ids.length) / joined.total;
    if (count < FEWEST || count <= expected || !joined.isTelling(number)) continue;
    const elsewhere = inBook - count;
    const expectedElsewhere = (inBook * rest) / joined.total;
    const other = elsewhere === 0 ? 0 : elsewhere * Math.log(elsewhere / expectedElsewhere);
    const likelihood = 2 * (count * Math.log(count / expected) + other);
    if (likelihood >= LEAST)
      found.push({ chapter, word: keys[id] ?? "", count, expected, inBook, likelihood });
  }
  return found.sort((one, two) => two.likelihood - one.likelihood).slice(0, most);
}
