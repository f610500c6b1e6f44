import { stemmer } from "stemmer";
import type { Passages } from "./passages.ts";

/** Maps a word to the part that its inflected forms share: `walked` and `walking` to `walk`. */
export type Stem = (word: string) => string;

/** English stems by Porter's algorithm; a word of another language mostly stems to itself. Source: Porter 1980. */
export const englishStem: Stem = stemmer;

/** Each word alone, for languages that have no stemmer here: right, only less forgiving. */
const noStem: Stem = (word) => word;

/** Below this many passages nothing is judged. */
const FEWEST = 20;
const ENGLISH_SHARE = 0.1;

/**
 * The stems of the language that the passages are in. Seven of ten paragraphs of an English novel hold "the", and next
 * to none in any other language: a tenth decides.
 */
export function stemOf({ vocabulary, count }: Passages): Stem {
  const isEnglish = count < FEWEST || vocabulary.frequency("the") >= count * ENGLISH_SHARE;
  return isEnglish ? englishStem : noStem;
}
