import { firstMatch, unitClasses } from "./characters.ts";

/** Blanks, punctuation, symbols, dashes. */
const SEPARATOR = 1;
/** Letters and digits: they start a word or go on with one. */
const LETTER = 2;
/** Combining marks: they go on with a word and never start one. */
const MARK = 3;
/** One of these between two letters keeps them one word. */
const JOINER = 4;
/** Each a word. */
const IDEOGRAPH = 5;
/** Written without blanks between words. */
const UNSPACED = 6;
/** Soft hyphen and the joiners without width: as if they were not there. */
const INVISIBLE = 7;

const classify = firstMatch(
  () => [
    [JOINER, /['’ʼ\-‐‑.,]/],
    [INVISIBLE, /[\u00ad\u200c-\u200d\u2060]/],
    [UNSPACED, /\p{sc=Thai}|\p{sc=Lao}|\p{sc=Khmer}|\p{sc=Myanmar}/u],
    [MARK, /\p{M}/u],
    [IDEOGRAPH, /(?=\p{L}|\p{N})(?:\p{scx=Han}|\p{scx=Hiragana}|\p{scx=Katakana})/u],
    [LETTER, /[\p{L}\p{N}]/u],
  ],
  SEPARATOR,
);
const classOf = unitClasses(classify);

/**
 * Counts words: `can't`, `well-known` and `3,000.50` are one each, dashes and `…` separate, each Han, Hiragana or
 * Katakana character is one. O(length). Allocates only for Thai, Lao, Khmer and Burmese runs, which Intl.Segmenter
 * counts. Pass `units` if you have them: it takes a third of the time. Source: llms.txt, Prose writes and what they
 * cost.
 */
export function countWords(text: string, units?: Uint16Array): number {
  let words = 0;
  let inWord = false;
  // True after a joiner that needs a letter behind it.
  let joining = false;
  const { length } = text;
  for (let at = 0; at < length; at++) {
    let kind = classOf(units === undefined ? text.charCodeAt(at) : units[at]!); // as many
    if (kind === 0) {
      const codePoint = text.codePointAt(at) ?? 0;
      kind = classify(String.fromCodePoint(codePoint));
      if (codePoint > 0xffff) at++;
    }
    if (kind === LETTER) {
      if (!inWord) words++;
      inWord = true;
      joining = false;
    } else if (kind === SEPARATOR) {
      inWord = joining = false;
    } else if (kind === JOINER) {
      if (joining) inWord = false;
      joining = inWord;
    } else if (kind === MARK) {
      joining = false;
    } else if (kind === IDEOGRAPH) {
      words++;
      inWord = joining = false;
    } else if (kind === UNSPACED) {
      const end = endOfUnspaced(text, at);
      words += countUnspaced(text, at, end);
      at = end - 1;
      inWord = joining = false;
    }
  }
  return words;
}

let segmenter: Intl.Segmenter | undefined;

// Characters given to the segmenter at a time, more than any sentence has: its time grows with the square of the
// input.
const WINDOW = 1000;
// Characters at the end of a window whose words are not trusted: the rest of a word, or its context, may be cut off.
const MARGIN = 200;

/** Counts the words between two offsets. Each window but the first begins at the start of a word. */
function countUnspaced(text: string, from: number, end: number): number {
  segmenter ??= new Intl.Segmenter("th", { granularity: "word" });
  let words = 0;
  for (let at = from; at < end; ) {
    const start = at;
    const isLast = start + WINDOW >= end;
    at = Math.min(start + WINDOW, end);
    for (const { index, isWordLike } of segmenter.segment(text.slice(start, at))) {
      if (!isLast && index >= WINDOW - MARGIN) {
        at = start + index;
        break;
      }
      if (isWordLike) words++;
    }
  }
  return words;
}

function endOfUnspaced(text: string, from: number): number {
  let end = from + 1;
  while (end < text.length && classOf(text.charCodeAt(end)) === UNSPACED) end++;
  return end;
}
