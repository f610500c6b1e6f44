import { stemmer } from "stemmer";

/** Maps a word to the part that its inflected forms share: `walked` and `walking` to `walk`. */
export type Stem = (word: string) => string;

/** English stems by Porter's algorithm; a word of another language mostly stems to itself. Source: Porter 1980. */
export const englishStem: Stem = stemmer;
