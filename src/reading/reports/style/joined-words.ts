import { isContentWord } from "./function-words.ts";
import type { ChapterStyle } from "./learn.ts";
import { IS } from "./words.ts";

/** The words of several chapters as one, each by its number in all of them. */
export interface JoinedWords {
  keys: readonly string[];
  /** How often each stands there; the others are counted of the same. */
  counts: readonly number[];
  /** In small letters, and with a capital where no sentence begins. */
  small: readonly number[];
  capital: readonly number[];
  /** For each chapter the numbers of its own keys here. */
  numbers: readonly Uint32Array[];
  total: number;
  /** The number of a key; undefined if it stands nowhere. */
  find(key: string): number | undefined;
  /** True for a word that says something and is nobody's name. */
  isTelling(number: number): boolean;
}

/** Joins the words of chapters; it yields between them. */
export function* joinWords(chapters: readonly ChapterStyle[]): Generator<void, JoinedWords> {
  const known = new Map<string, number>();
  const keys: string[] = [];
  const [counts, small, capital]: [number[], number[], number[]] = [[], [], []];
  const numbers: Uint32Array[] = [];
  let total = 0;
  for (const { words } of chapters) {
    const own = Uint32Array.from(words.keys, (key) => {
      const number = known.get(key) ?? keys.push(key) - 1;
      if (number === counts.length) {
        known.set(key, number);
        for (const list of [counts, small, capital]) list.push(0);
      }
      return number;
    });
    for (let at = 0; at < words.ids.length; at++) {
      const number = own[words.ids[at]!]!; // a key's place
      const flags = words.flags[at]!; // one a word
      counts[number]!++; // as above
      if ((flags & IS.capital) === 0)
        small[number]!++; // as above
      else if ((flags & (IS.opensSentence | IS.heading)) === 0) capital[number]!++; // as above
    }
    total += words.ids.length;
    numbers.push(own);
    yield;
  }
  const telling = new Int8Array(keys.length);
  const isTelling = (number: number): boolean => {
    if (telling[number] === 0) {
      const isName = capital[number]! > small[number]!; // a number that was given
      telling[number] = !isName && isContentWord(keys[number] ?? "") ? 1 : -1;
    }
    return telling[number] === 1;
  };
  return { keys, counts, small, capital, numbers, total, find: (key) => known.get(key), isTelling };
}
