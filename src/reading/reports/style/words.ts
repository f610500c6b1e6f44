import { unitsOf } from "../../../text/units.ts";
import { endOfPiece, isLetterKind, kindAt, UNIT } from "../../text/scan.ts";
import { type Lexicon, newestLexicon } from "./lexicon.ts";

/** Kinds of a word in its place, as bits. */
export const IS = {
  capital: 1,
  opensSentence: 2,
  opensParagraph: 4,
  number: 8,
  heading: 16,
  parted: 32,
} as const;

/** The words of a chapter in order; kept small, for a book has many. */
export interface ChapterWords {
  lexicon: Lexicon;
  /** For each word its number in the lexicon. */
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
const [BLANK, APOSTROPHE, COMMA, HYPHEN] = [0x20, 0x27, 0x2c, 0x2d] as const;

/** Gathers the words of a chapter, block by block. */
export class WordGatherer {
  readonly #lexicon = newestLexicon();
  readonly #blocks: { blockId: string; first: number }[] = [];
  #ids = new Uint32Array(ROOM);
  #from = new Uint32Array(ROOM);
  #to = new Uint32Array(ROOM);
  #flags = new Uint8Array(ROOM);
  #size = 0;

  /** Adds the words of a block, of which these are the sentences in order. Returns how many words each has. */
  add(
    { blockId, text }: { blockId: string; text: string },
    sentences: readonly (readonly [from: number, to: number])[],
    isHeading: boolean,
  ): Uint32Array {
    this.#blocks.push({ blockId, first: this.#size });
    const counts = new Uint32Array(sentences.length);
    const { length } = text;
    const units = unitsOf(text);
    let sentence = -1;
    const ofBlock = isHeading ? IS.heading : 0;
    let flags: number = IS.opensParagraph | IS.parted;
    let end = 0;
    for (let at = 0; at < length; at = end) {
      end = at + 1;
      const unit = units[at]!; // at < length
      if (unit === BLANK) continue;
      const kind = kindAt(text, at);
      if (kind === UNIT.space || kind === UNIT.line) continue;
      end = endOf(text, units, at, kind);
      const isNumber = kind === UNIT.digit;
      if ((!isLetterKind(kind) && !isNumber) || end - at > LONGEST) {
        if (unit !== COMMA) flags |= IS.parted;
        continue;
      }
      // Below its length there is one.
      while (sentence + 1 < sentences.length && sentences[sentence + 1]![0] <= at) {
        sentence++;
        flags |= IS.opensSentence | IS.parted;
      }
      if (kind === UNIT.capital) flags |= IS.capital;
      if (isNumber) flags |= IS.number;
      const number = this.#lexicon.numberAt(text, units, at, end);
      this.#push(number, at, end, flags | ofBlock);
      if (sentence >= 0) counts[sentence]!++; // one a start
      flags = 0;
    }
    return counts;
  }

  words(): ChapterWords {
    return {
      lexicon: this.#lexicon,
      ids: this.#ids.slice(0, this.#size),
      from: this.#from.slice(0, this.#size),
      to: this.#to.slice(0, this.#size),
      flags: this.#flags.slice(0, this.#size),
      blocks: this.#blocks,
    };
  }

  #push(number: number, from: number, to: number, flags: number): void {
    if (this.#size === this.#ids.length) this.#grow();
    this.#ids[this.#size] = number;
    this.#from[this.#size] = from;
    this.#to[this.#size] = to;
    this.#flags[this.#size++] = flags;
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

/** Finds the end of the piece of this kind that begins at `at`; for most words from their units alone. */
function endOf(text: string, units: Uint16Array, at: number, kind: number): number {
  const { length } = text;
  let end = at + 1;
  while (end < length && isPlain(units[end]!)) end++; // below its length, and so is the next
  return isLetterKind(kind) && (end === length || !maySpan(units[end]!)) ? end : endOfPiece(text, at);
}

/** True for what may go on with a word of plain letters. */
function maySpan(unit: number): boolean {
  return unit >= 0x80 || unit === APOSTROPHE || unit === HYPHEN;
}

/** A letter of ASCII: nearly all words are of these alone. */
function isPlain(unit: number): boolean {
  const small = unit | 0x20;
  return small >= 0x61 && small <= 0x7a;
}
