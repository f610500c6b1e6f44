import { firstMatch, unitClasses } from "../../text/characters.ts";
import { foldText } from "../../text/fold.ts";

/** No text of an alphabet has words as long as this on the average, in letters. */
const LONG_WORD = 16;

/** From the first radical on scripts are dense: Chinese, Japanese, Korean. */
const FIRST_DENSE = 0x2e80;

const SPACE = 32;

const OTHER = 1;
const DIGIT = 2;

/** Half a pair has no class: some pairs are digits. */
const classOf = unitClasses(firstMatch(() => [[DIGIT, /\p{Nd}/u]], OTHER));

/** A unit from there on, or of a pair. */
const HAS_DENSE = /[⺀-\uffff]/;

/** A word with digits in it, and the space behind; only the digits where words are not spaced. */
const NUMBER = /(?:[^\s⺀-\uffff]*\p{Nd}[^\s⺀-\uffff]* ?)+/gu;

/** A text prepared for comparison. Each signature is built on first use, and cached. */
export class Signature {
  /** Text after `foldText`; "" is like nothing. */
  readonly folded: string;
  /** True for a script without spaces, of which one letter says as much as three of an alphabet. */
  readonly isDense: boolean;
  #isSpaced: boolean | undefined;
  #words: Uint32Array | undefined;
  #tellingWords: Uint32Array | undefined;
  #runsOfTwo: Uint32Array | undefined;
  #runsOfFour: Uint32Array | undefined;

  constructor(text: string) {
    this.folded = foldText(text);
    this.isDense = isMostlyDense(this.folded);
  }

  /** Numbers of the words, ascending, as often as they occur; of runs of letters where words are not spaced. */
  get words(): Uint32Array {
    this.#words ??= this.#readWords();
    return this.#words;
  }

  /** Numbers of the words without digits: a price is soon that of another line. */
  get tellingWords(): Uint32Array {
    this.#tellingWords ??= this.#readTellingWords();
    return this.#tellingWords;
  }

  /** True if `words` are words, and not runs of letters. */
  get isSpaced(): boolean {
    this.#isSpaced ??= !this.isDense && hasShortWords(this.folded); // not Thai, Khmer, Burmese
    return this.#isSpaced;
  }

  /** Numbers of each two neighbouring letters, with the spaces around the text, ascending. */
  get runsOfTwo(): Uint32Array {
    this.#runsOfTwo ??= hashPairs(this.folded);
    return this.#runsOfTwo;
  }

  /** Numbers of each four neighbouring letters, ascending. */
  get runsOfFour(): Uint32Array {
    this.#runsOfFour ??= hashFours(this.folded);
    return this.#runsOfFour;
  }

  #readWords(): Uint32Array {
    if (this.isDense) return this.runsOfTwo;
    return this.isSpaced ? hashWords(this.folded) : this.runsOfFour;
  }

  #readTellingWords(): Uint32Array {
    if (!hasDigit(this.folded)) return this.words;
    if (this.isSpaced && !HAS_DENSE.test(this.folded)) return hashWords(this.folded, { withNumbers: false });
    const rest = this.folded.replace(NUMBER, "").trim();
    if (this.isDense) return hashPairs(rest);
    return this.isSpaced ? hashWords(rest) : hashFours(rest);
  }
}

/** The expression for any script takes ten times as long as those of ASCII. */
function hasDigit(folded: string): boolean {
  return /[0-9]/.test(folded) || (/[^\0-\x7f]/.test(folded) && /\p{Nd}/u.test(folded));
}

/** Judged by some thirty letters of a long text, all of a short one. */
function isMostlyDense(folded: string): boolean {
  const step = Math.max(1, folded.length >> 5);
  let dense = 0;
  let letters = 0;
  for (let at = 0; at < folded.length; at += step) {
    const unit = folded.charCodeAt(at);
    if (unit !== SPACE) letters++;
    if (unit >= FIRST_DENSE) dense++;
  }
  return 2 * dense > letters;
}

function hasShortWords(folded: string): boolean {
  return folded === "" || folded.split(" ").length * LONG_WORD >= folded.length;
}

/** Hashes words; `withNumbers: false` leaves out those with a digit, for a text without surrogate pairs. */
function hashWords(folded: string, { withNumbers = true } = {}): Uint32Array {
  if (folded === "") return new Uint32Array(0);
  let count = 1;
  for (let at = 0; at < folded.length; at++) if (folded.charCodeAt(at) === SPACE) count++;
  const hashes = new Uint32Array(count);
  let words = 0;
  let hash = 0;
  let isNumber = false;
  for (let at = 0; at <= folded.length; at++) {
    const unit = at < folded.length ? folded.charCodeAt(at) : SPACE;
    if (unit !== SPACE) {
      hash = Math.imul(hash ^ unit, 0x9e3779b1) + unit;
      if (!withNumbers && classOf(unit) === DIGIT) isNumber = true;
      continue;
    }
    if (!isNumber) hashes[words++] = mix(hash);
    hash = 0;
    isNumber = false;
  }
  return hashes.subarray(0, words).sort();
}

function hashPairs(folded: string): Uint32Array {
  const hashes = new Uint32Array(folded.length + 1);
  let before = SPACE;
  for (let at = 0; at < hashes.length; at++) {
    const unit = at < folded.length ? folded.charCodeAt(at) : SPACE;
    hashes[at] = before * 0x10000 + unit;
    before = unit;
  }
  return hashes.sort();
}

function hashFours(folded: string): Uint32Array {
  const hashes = new Uint32Array(Math.max(0, folded.length - 1));
  let first = SPACE;
  let second = folded.charCodeAt(0);
  let third = folded.charCodeAt(1);
  for (let at = 0; at < hashes.length; at++) {
    const fourth = at + 2 < folded.length ? folded.charCodeAt(at + 2) : SPACE;
    const head = Math.imul(Math.imul(first, 0x85ebca77) ^ second, 0x9e3779b1);
    hashes[at] = mix(Math.imul(Math.imul(head ^ third, 0xc2b2ae3d) ^ fourth, 0x27d4eb2f));
    first = second;
    second = third;
    third = fourth;
  }
  return hashes.sort();
}

/** Spreads the bits, so that sorting by the result shuffles. */
function mix(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
