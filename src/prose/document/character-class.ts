/** What a character is to the word counter; see `kindOf`. */
export const KIND = {
  /** Blanks, punctuation, symbols, dashes. */
  separator: 0,
  /** Letters and digits: they start a word or go on with one. */
  letter: 1,
  /** Combining marks: they go on with a word and never start one. */
  mark: 2,
  /** One of these between two letters keeps them one word: ' ’ ʼ - ‐ ‑ . , */
  joiner: 3,
  /** Han, Hiragana, Katakana: each a word. */
  ideograph: 4,
  /** Thai, Lao, Khmer, Burmese: written without blanks between words. */
  unspaced: 5,
  /** Soft hyphen and the joiners without width: as if they were not there. */
  invisible: 6,
} as const;

/** One of KIND's values. */
export type Kind = (typeof KIND)[keyof typeof KIND];

const IDEOGRAPH = /(?=\p{L}|\p{N})(?:\p{scx=Han}|\p{scx=Hiragana}|\p{scx=Katakana})/u;
const UNSPACED = /\p{sc=Thai}|\p{sc=Lao}|\p{sc=Khmer}|\p{sc=Myanmar}/u;
const JOINERS = "'’ʼ-‐‑.,";
const INVISIBLE = "\u00ad\u200c\u200d\u2060";

const UNKNOWN = 255;
const known = new Uint8Array(0x10000).fill(UNKNOWN);

/** The kind of a code point. One table look-up within the BMP, after the first time. */
export function kindOf(codePoint: number): Kind {
  if (codePoint > 0xffff) return classify(codePoint);
  const kind = known[codePoint] as number;
  if (kind !== UNKNOWN) return kind as Kind;
  const found = classify(codePoint);
  known[codePoint] = found;
  return found;
}

function classify(codePoint: number): Kind {
  const character = String.fromCodePoint(codePoint);
  if (JOINERS.includes(character)) return KIND.joiner;
  if (INVISIBLE.includes(character)) return KIND.invisible;
  if (UNSPACED.test(character)) return KIND.unspaced;
  if (/\p{M}/u.test(character)) return KIND.mark;
  if (IDEOGRAPH.test(character)) return KIND.ideograph;
  return /[\p{L}\p{N}]/u.test(character) ? KIND.letter : KIND.separator;
}
