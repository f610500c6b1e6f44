import { stemmer } from "stemmer";
import { detached } from "../../text/numbered-words.ts";
import { keyOf } from "../../tokens.ts";
import { isContentWord } from "./function-words.ts";
import { WrittenForms } from "./written-forms.ts";

const SHORTEST_STEM = 4;
const FORMS_KEPT = 100_000;

/**
 * Words by number, for the chapters that were learnt with it: a book has some 20,000, and each in many chapters. They
 * only grow.
 */
export class Lexicon {
  /** Lower case, straight apostrophes, no "’s"; by number. */
  readonly keys: string[] = [];
  /** By number what a word shares with its other forms, as a number above 0; 0 if it says nothing by itself. */
  readonly stems: number[] = [];
  readonly #byKey = new Map<string, number>();
  readonly #byStem = new Map<string, number>();
  readonly #forms = new WrittenForms();
  /** By the place of a form the number of its key. */
  readonly #numbers: number[] = [];

  /** How many stems there are. */
  get stemCount(): number {
    return this.#byStem.size;
  }

  /** True if the next chapter should begin another. */
  get isFull(): boolean {
    return this.#numbers.length >= FORMS_KEPT;
  }

  /** The number of a key that it has. */
  find(key: string): number | undefined {
    return this.#byKey.get(key);
  }

  /** The number of a word of a text, 255 units long at most; the text and its units say the same. */
  numberAt(text: string, units: Uint16Array, from: number, to: number): number {
    const place = this.#forms.placeOf(units, from, to - from);
    if (place === this.#numbers.length) this.#numbers.push(this.#keyNumber(text.slice(from, to)));
    return this.#numbers[place]!; // every place has one
  }

  #keyNumber(form: string): number {
    const written = keyOf(form);
    const key = detached(written.length > 3 && written.endsWith("'s") ? written.slice(0, -2) : written);
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const number = this.keys.push(key) - 1;
    this.#byKey.set(key, number);
    this.stems.push(key.length >= SHORTEST_STEM && isContentWord(key) ? this.#stemNumber(stemmer(key)) : 0);
    return number;
  }

  #stemNumber(stem: string): number {
    if (stem === "") return 0;
    const number = this.#byStem.get(stem) ?? this.#byStem.size + 1;
    this.#byStem.set(stem, number);
    return number;
  }
}

let newest = new Lexicon();

/** The lexicon for the next chapter. */
export function newestLexicon(): Lexicon {
  if (newest.isFull) newest = new Lexicon();
  return newest;
}
