import type { ChapterStyle } from "../../learn-style.ts";
import type { JoinedWords } from "./joined-words.ts";

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
  const { ids } = chapters[chapter]!.words; // the caller's own place
  const rest = joined.total - ids.length;
  if (rest <= 0) return [];
  const found: Overused[] = [];
  const numbers = joined.numbers[chapter]!; // one a chapter
  for (const [number, count] of countsOf(ids, numbers)) {
    const inBook = joined.counts[number]!; // of every number
    const expected = (inBook * ids.length) / joined.total;
    if (count <= expected || !joined.isTelling(number)) continue;
    const elsewhere = inBook - count;
    const expectedElsewhere = (inBook * rest) / joined.total;
    const other = elsewhere === 0 ? 0 : elsewhere * Math.log(elsewhere / expectedElsewhere);
    const likelihood = 2 * (count * Math.log(count / expected) + other);
    if (likelihood >= LEAST)
      found.push({ chapter, word: joined.keys[number] ?? "", count, expected, inBook, likelihood });
  }
  return found.sort((one, two) => two.likelihood - one.likelihood).slice(0, most);
}

/** All 0 between two calls: a chapter has few of the words that there are. */
let room = new Uint32Array(0);

/** How often each word stands there that stands there often enough, by its number, in the order in which they are met. */
function countsOf(ids: Uint32Array, numbers: Int32Array): [number: number, count: number][] {
  if (room.length < numbers.length) room = new Uint32Array(2 * numbers.length);
  const counts = room;
  const met: number[] = [];
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at]!; // below its length
    if (counts[id]!++ === 0) met.push(id); // a word of the lexicon
  }
  const often: [number, number][] = [];
  for (const id of met) {
    if (counts[id]! >= FEWEST) often.push([numbers[id]!, counts[id]!]); // as above
    counts[id] = 0;
  }
  return often;
}
