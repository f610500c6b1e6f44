import type { ChapterStyle } from "../../learn-style.ts";
import { isContentWord } from "./function-words.ts";
import type { Lexicon } from "./lexicon.ts";
import { type ChapterWords, IS } from "./words.ts";

/** The words of several chapters as one, each by its number in all of them, in the order in which they are met. */
export interface JoinedWords {
  keys: readonly string[];
  /** How often each stands there; the others are counted of the same. */
  counts: Uint32Array;
  /** In small letters, and with a capital where no sentence begins. */
  small: Uint32Array;
  capital: Uint32Array;
  /** For each chapter the numbers here of its lexicon's words; those of words that stand nowhere mean nothing. */
  numbers: readonly Int32Array[];
  total: number;
  /** The number of a key; undefined if it stands nowhere. */
  find(key: string): number | undefined;
  /** True for a word that says something and is nobody's name. */
  isTelling(number: number): boolean;
}

const UNMET = -1;

/** Joins the words of chapters; it yields between them. */
export function* joinWords(chapters: readonly ChapterStyle[]): Generator<void, JoinedWords> {
  const byLexicon = new Map<Lexicon, Int32Array>();
  for (const { words } of chapters) {
    if (!byLexicon.has(words.lexicon))
      byLexicon.set(words.lexicon, new Int32Array(words.lexicon.keys.length).fill(UNMET));
  }
  const joining = new Joining(byLexicon);
  let total = 0;
  for (const { words } of chapters) {
    joining.add(words);
    total += words.ids.length;
    yield;
  }
  const { keys, counts, small, capital } = joining;
  const numbers = chapters.map(({ words }) => byLexicon.get(words.lexicon)!); // each has one
  const telling = new Int8Array(keys.length);
  const isTelling = (number: number): boolean => {
    if (telling[number] === 0) {
      const isName = capital[number]! > small[number]!; // a number that was given
      telling[number] = !isName && isContentWord(keys[number] ?? "") ? 1 : -1;
    }
    return telling[number] === 1;
  };
  return { keys, counts, small, capital, numbers, total, find: (key) => joining.find(key), isTelling };
}

/** State of joining words. */
class Joining {
  readonly keys: string[] = [];
  readonly counts: Uint32Array;
  readonly small: Uint32Array;
  readonly capital: Uint32Array;
  readonly #byLexicon: ReadonlyMap<Lexicon, Int32Array>;

  constructor(byLexicon: ReadonlyMap<Lexicon, Int32Array>) {
    this.#byLexicon = byLexicon;
    const most = [...byLexicon.values()].reduce((sum, { length }) => sum + length, 0);
    this.counts = new Uint32Array(most);
    this.small = new Uint32Array(most);
    this.capital = new Uint32Array(most);
  }

  add({ lexicon, ids, flags }: ChapterWords): void {
    const { counts, small, capital } = this;
    const numbers = this.#byLexicon.get(lexicon)!; // as it was given
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at]!; // below its length
      if (numbers[id] === UNMET) numbers[id] = this.#meet(lexicon, id);
      const number = numbers[id]!; // as above
      const unit = flags[at]!; // one a word
      counts[number]!++; // there is room for every word
      if ((unit & IS.capital) === 0)
        small[number]!++; // as above
      else if ((unit & (IS.opensSentence | IS.heading)) === 0) capital[number]!++; // as above
    }
  }

  find(key: string): number | undefined {
    for (const [lexicon, numbers] of this.#byLexicon) {
      const number = numbers[lexicon.find(key) ?? numbers.length] ?? UNMET; // it may have grown since
      if (number !== UNMET) return number;
    }
    return undefined;
  }

  /** The number of a word that is met for the first time in its lexicon. */
  #meet(lexicon: Lexicon, id: number): number {
    const key = lexicon.keys[id] ?? "";
    return (this.#byLexicon.size > 1 ? this.find(key) : undefined) ?? this.keys.push(key) - 1;
  }
}
