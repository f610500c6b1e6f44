/**
 * One indexed term and where it stands: `from` and `to` in UTF-16 units, `place` its ordinal in the text.
 * Terms of one place are spellings of one word: "d’Artagnan" gives dartagnan and its tail artagnan; "to-day" gives the
 * joined today, then to and day. A run of Han or kana gives its overlapping pairs and its last character as a single.
 */
export interface Token {
  term: string;
  from: number;
  to: number;
  place: number;
  kind: "word" | "tail" | "joined" | "pair" | "single";
}
