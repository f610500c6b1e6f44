import { firstMatch, unitClasses } from "../../text/characters.ts";
import { foldAccents } from "../../text/fold-accents.ts";

// What a character does to the word in which it stands. Constants of their own: as keys of an object they cost twice the scan.
/** Ends any word. */
export const GAP = 1;
/** Full stop and comma: end a word, but neither initials nor thousands. */
const STOP = 2;
/** Carries a word on if a letter follows: don’t. */
export const APOSTROPHE = 3;
/** Joins two words if a letter follows: to-day. */
export const HYPHEN = 4;
/** Han or kana: written without spaces, indexed by pairs. */
export const HAN = 5;
/** Thai, Lao, Khmer or Burmese: written without spaces, indexed by dictionary. */
const UNSPACED = 6;
/** ASCII letters and digits: folding only makes them small. From here on all are letters. */
export const PLAIN = 8;
/** Any other letter, digit or mark; `PLAIN | LETTER` is LETTER. */
const LETTER = 9;

const classify = firstMatch(
  () => [
    [PLAIN, /[a-z0-9]/i],
    [STOP, /^[.,]$/],
    [APOSTROPHE, /['’‘＇`´]/],
    [HYPHEN, /[-‐‑]/],
    // Soft hyphens and joiners (U+00AD, U+200B to U+200D, U+2060) stand inside words and are folded away.
    [GAP, /^[^\p{L}\p{N}\p{M}\u{ad}\u{200b}-\u{200d}\u{2060}]*$/u],
    [HAN, /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆\u{ff70}\u{ff9e}\u{ff9f}]/u],
    [UNSPACED, /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u],
  ],
  LETTER,
);
const classOf = unitClasses(classify);

/** Class of the character at `at`; past the end a gap. Both halves of a surrogate pair have their pair's class. */
export function letterClass(text: string, at: number): number {
  // charCodeAt past the end makes V8 give up its fast path for good: five times slower.
  if (at >= text.length) return GAP;
  return classOf(text.charCodeAt(at)) || classify(surrogatePair(text, at));
}

/** Whether the character at `at` belongs to a word of letters. */
export function isWordLetter(text: string, at: number): boolean {
  return letterClass(text, at) >= PLAIN;
}

/** Where the letters that stand at `from` end. */
export function lettersEnd(text: string, from: number): number {
  let to = from;
  while (letterClass(text, to) >= PLAIN) to += 1;
  return to;
}

function surrogatePair(text: string, at: number): string {
  const low = text.charCodeAt(at) >= 0xdc00;
  return text.slice(low ? at - 1 : at, low ? at + 1 : at + 2);
}

const ASCII = /^[\x00-\x7f]*$/;
/** A word as it is indexed: "Brontë" and "BRONTE" are "bronte", "Straße" is "strasse", "ﬁnal" is "final". */
export function fold(word: string): string {
  const lower = word.toLowerCase();
  return ASCII.test(lower) ? lower : foldAccents(lower);
}
