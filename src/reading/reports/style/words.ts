import { stemmer } from "stemmer";
import { detached } from "../../text/numbered-words.ts";
import { endOfPiece, isLetterKind, kindAt, UNIT } from "../../text/scan.ts";
import { keyOf } from "../../text/tokens.ts";
import { isContentWord } from "./function-words.ts";

/** What a word is where it stands, in bits. */
export const IS = {
  capital: 1,
  opensSentence: 2,
  opensParagraph: 4,
  number: 8,
  heading: 16,
  parted: 32,
} as const;

/** The words of a chapter in order, each by its number in `keys`; kept small, for a book has many. */
export interface ChapterWords {
  /** Lower case, straight apostrophes, no "’s". */
  keys: readonly string[];
  /** Of each key what its forms share; empty if it says nothing by itself. */
  stems: readonly string[];
  /** For each word its place in `keys`. */
  ids: Uint32Array;
  /** UTF-16 offsets in its block's text. */
  from: Uint32Array;
  to: Uint32Array;
  flags: Uint8Array;
  blocks: readonly { blockId: string; first: number }[];
}

/** A longer run of letters is no word: a script without blanks, or no text. */
const LONGEST = 40;
const ROOM = 1024;

interface Form {
  key: string;
  stem: string;
}

const FORMS_KEPT = 100_000;
const forms = new Map<string, Form>();
const SHORTEST_STEM = 4;

/** The key and the stem of a word as written. Kept, for a book has some 20,000, and each in many chapters. */
function formOf(word: string): Form {
  const known = forms.get(word);
  if (known !== undefined) return known;
  if (forms.size >= FORMS_KEPT) forms.clear();
  const written = keyOf(word);
  const key = detached(written.length > 3 && written.endsWith("'s") ? written.slice(0, -2) : written);
  const form = { key, stem: key.length >= SHORTEST_STEM && isContentWord(key) ? stemmer(key) : "" };
  forms.set(detached(word), form);
  return form;
}

/** Gathers the words of a chapter, block by block. */
export class WordGatherer {
  readonly #numbers = new Map<string, number>();
  readonly #byKey = new Map<string, number>();
  readonly #keys: string[] = [];
  readonly #stems: string[] = [];
  readonly #blocks: { blockId: string; first: number }[] = [];
  #ids = new Uint32Array(ROOM);
  #from = new Uint32Array(ROOM);
  #to = new Uint32Array(ROOM);
  #flags = new Uint8Array(ROOM);
  #size = 0;

  /** Adds the words of a block; `starts` are where its sentences begin, ascending. Returns how many words each has. */
  add(blockId: string, text: string, starts: readonly number[], isHeading: boolean): number[] {
    this.#blocks.push({ blockId, first: this.#size });
    const counts = starts.map(() => 0);
    let sentence = -1;
    let flags: number = IS.opensParagraph | IS.parted;
    let end = 0;
    for (let at = 0; at < text.length; at = end) {
      const kind = kindAt(text, at);
      end = kind === UNIT.space || kind === UNIT.line ? at + 1 : endOfPiece(text, at);
      const isNumber = kind === UNIT.digit;
      if ((!isLetterKind(kind) && !isNumber) || end - at > LONGEST) {
        if (kind !== UNIT.space && kind !== UNIT.line && text[at] !== ",") flags |= IS.parted;
        continue;
      }
      while ((starts[sentence + 1] ?? Infinity) <= at) {
        sentence++;
        flags |= IS.opensSentence | IS.parted;
      }
      if (kind === UNIT.capital) flags |= IS.capital;
      if (isNumber) flags |= IS.number;
      this.#push(text.slice(at, end), at, end, isHeading ? flags | IS.heading : flags);
      if (sentence >= 0) counts[sentence]!++; // one a start
      flags = 0;
    }
    return counts;
  }

  words(): ChapterWords {
    return {
      keys: this.#keys,
      stems: this.#stems,
      ids: this.#ids.slice(0, this.#size),
      from: this.#from.slice(0, this.#size),
      to: this.#to.slice(0, this.#size),
      flags: this.#flags.slice(0, this.#size),
      blocks: this.#blocks,
    };
  }

  #push(word: string, from: number, to: number, flags: number): void {
    if (this.#size === this.#ids.length) this.#grow();
    this.#ids[this.#size] = this.#numberOf(word);
    this.#from[this.#size] = from;
    this.#to[this.#size] = to;
    this.#flags[this.#size++] = flags;
  }

  #numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const { key, stem } = formOf(word);
    let number = this.#byKey.get(key);
    if (number === undefined) {
      number = this.#keys.push(key) - 1;
      this.#stems.push(stem);
      this.#byKey.set(key, number);
    }
    this.#numbers.set(word, number);
    return number;
  }

  #grow(): void {
    const size = 2 * this.#size;
    const larger = (old: Uint32Array): Uint32Array<ArrayBuffer> => {
      const made = new Uint32Array(size);
      made.set(old);
      return made;
    };
    [this.#ids, this.#from, this.#to] = [larger(this.#ids), larger(this.#from), larger(this.#to)];
    const flags = new Uint8Array(size);
    flags.set(this.#flags);
    this.#flags = flags;
  }
}
