/** A time as the words tell it, before any is counted from another. */
export type Said =
  | { kind: "date"; year: number | undefined; month: number; day: number; weekday?: number }
  | { kind: "dayOfMonth"; day: number }
  | { kind: "month"; year: number | undefined; month: number }
  | { kind: "year"; year: number }
  | { kind: "weekday"; weekday: number; which: "plain" | "next" | "last" | "habit" }
  | { kind: "season"; year: number | undefined }
  | { kind: "feast"; feast: string; year: number | undefined }
  | { kind: "relative"; step: Step; time?: string }
  | { kind: "timeOfDay"; time: string }
  | { kind: "age"; years: number };

/** Bounds of a chapter's times. */
export interface Bounds {
  /** Times of a chapter that are kept. */
  times: number;
  /** UTF-16 units of a sentence that are shown. */
  sentence: number;
}

/** So far from a day; back where a number is negative. Without any number, how far is not said. */
export interface Step {
  days?: number;
  months?: number;
  years?: number;
  /** The number is a guess of the teller's: "about three weeks later". */
  about?: boolean;
  /** It is counted from something that the sentence names, and not from the day that is told: "a week after the wedding". */
  fromElse?: boolean;
  /** It is counted from the day on which it is said: "yesterday", "a week ago". */
  fromSaying?: boolean;
}

/** Words of a block that say a time. */
export interface TimeMark {
  from: number;
  to: number;
  said: Said;
  /** True if the story is not there: "until Friday", "three days before", "on Friday she had left". */
  stays: boolean;
}

/** A mark where it stands in a chapter. */
export interface PlacedMark extends TimeMark {
  blockId: string;
  /** The words themselves. */
  words: string;
  /** Said by somebody, or written, between quotation marks. */
  quoted: boolean;
  /** The sentence, or as much of a long one as is shown. */
  sentence: { from: number; to: number; text: string };
  /** True if only small words stand between the mark before it and this one: "three days later, on a Tuesday". */
  joined: boolean;
}
