import { firstMatch, unitClasses } from "../../text/characters.ts";
import { foldText } from "../../text/fold.ts";

/** Length of folded text below which runs of two letters are compared: four words hold too few runs of four. */
const SHORT_LENGTH = 24;

/** Beyond this length strangers grow alike: two of 150 words share three in ten of their runs of four. */
const LONG_LENGTH = 400;

/** Of a part shorter than this its runs of two are looked for: it has hardly a run of four. */
const TINY_LENGTH = 12;

/**
 * Returns the likeness of two texts, 0 to 1: Dice's coefficient of their runs of four letters, or of two if one has
 * fewer than 24 letters or is in a dense script. "She closed the door behind her." and "She shut the door behind
 * her." score 0.71, unrelated paragraphs seldom 0.25. O(length).
 */
export function similarity(left: Signature, right: Signature): number {
  const [leftRuns, rightRuns] = runsToCompare(left, right);
  return dice(leftRuns, rightRuns);
}

/** Returns the upper bound of `similarity`, by length alone. O(1). */
export function mostSimilarity(left: Signature, right: Signature): number {
  const shorter = Math.min(left.folded.length, right.folded.length) + 1;
  return (2 * shorter) / (Math.max(left.folded.length, right.folded.length) + 1 + shorter);
}

/**
 * Returns Dice's coefficient of their words without numbers, 0 to 1: coarser than `similarity`, at a fifth of its
 * cost.
 */
export function wordSimilarity(left: Signature, right: Signature): number {
  return dice(left.tellingWords, right.tellingWords);
}

/** Counts common words without numbers. Where words are not spaced, three runs of letters count as one. */
export function countSharedWords(left: Signature, right: Signature): number {
  const shared = countShared(left.tellingWords, right.tellingWords);
  return left.isSpaced && right.isSpaced ? shared : shared / 3;
}

/**
 * Returns the similarity below which two texts in one place count as strangers: 0.30, but 0.40 under 24 letters, and
 * more from 400 on (0.36 at 800), because long strangers share more of the language. One stranger in two hundred
 * reaches it, of the shortest lines one in fifty.
 */
export function chanceSimilarity(left: Signature, right: Signature): number {
  const shorter = Math.min(left.folded.length, right.folded.length);
  if (left.isDense || right.isDense) return 0.3;
  if (shorter < SHORT_LENGTH) return 0.4;
  return Math.min(0.42, 0.3 + 0.06 * Math.max(0, Math.log2(shorter / LONG_LENGTH)));
}

/** True if the whole begins or ends with the part, word for word, and is longer. O(length of the part). */
export function isAtAnEnd({ folded: part }: Signature, { folded: whole }: Signature): boolean {
  if (part === "" || part.length >= whole.length) return false;
  const opens = whole.charCodeAt(part.length) === 32 && whole.startsWith(part);
  return opens || (whole.charCodeAt(whole.length - part.length - 1) === 32 && whole.endsWith(part));
}

/**
 * Returns the share of the part's runs of letters, 0 to 1, that the whole has too, not counting those from `besides`.
 */
export function containment(part: Signature, whole: Signature, besides?: Signature): number {
  const useTwo = part.folded.length < TINY_LENGTH || part.isDense;
  const runsOf = (signature: Signature): Uint32Array => (useTwo ? signature.runsOfTwo : signature.runsOfFour);
  const own = besides === undefined ? runsOf(whole) : without(runsOf(whole), runsOf(besides));
  return part.folded === "" ? 0 : countShared(runsOf(part), own) / runsOf(part).length;
}

function runsToCompare(left: Signature, right: Signature): [Uint32Array, Uint32Array] {
  const shorter = Math.min(left.folded.length, right.folded.length);
  const useTwo = shorter < SHORT_LENGTH || left.isDense || right.isDense;
  return useTwo ? [left.runsOfTwo, right.runsOfTwo] : [left.runsOfFour, right.runsOfFour];
}

function dice(left: Uint32Array, right: Uint32Array): number {
  const length = left.length + right.length;
  return length === 0 ? 0 : (2 * countShared(left, right)) / length;
}

function countShared(left: Uint32Array, right: Uint32Array): number {
  let shared = 0;
  let leftAt = 0;
  let rightAt = 0;
  while (leftAt < left.length && rightAt < right.length) {
    const difference = left[leftAt]! - right[rightAt]!; // both in range by the loop's condition
    if (difference === 0) shared++;
    if (difference <= 0) leftAt++;
    if (difference >= 0) rightAt++;
  }
  return shared;
}

function without(whole: Uint32Array, others: Uint32Array): Uint32Array {
  let at = 0;
  return whole.filter((run) => {
    while (at < others.length && others[at]! < run) at++; // at < length
    if (others[at] !== run) return true;
    at++;
    return false;
  });
}

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
