import type { AnswerOf } from "../contract/index.ts";

/** A chapter as an engine reads it: its leaf blocks in order, plain text. */
export interface ReadingChapter {
  chapterId: string;
  /** Rises with every change of the prose and is never used twice: whatever was learnt of the chapter is keyed by it. */
  revision: number;
  title: string;
  blocks: readonly { blockId: string; text: string }[];
}

/** A fact as an engine knows it. */
export interface ReadingFact {
  id: string;
  name: string;
  kind: string;
  aliases: readonly string[];
  attributes: readonly { key: string; value: string }[];
  summary: string;
}

/** A proposed addition to the story map; `confidence` from 0 to 1. */
export type Proposal = AnswerOf<"detectMentions">["proposals"][number];

/** A contradiction or a drifting name; `confidence` from 0 to 1. */
export type Finding = AnswerOf<"checkConsistency">["findings"][number];

/** A span of prose; offsets are UTF-16 in the block's text. */
export type Span = Proposal["occurrences"][number];

/** A chapter of the book that the engine may read or pass over. */
export interface ShelvedChapter extends Omit<ReadingChapter, "blocks"> {
  /** Fetches the prose from the file; an engine that knows this revision need not. */
  read(): ReadingChapter;
}

/** The book around a chapter. */
export interface ReadingBook {
  bookId: string;
  cast: readonly ReadingFact[];
  /** Every chapter in reading order, the one that the call is about among them. */
  chapters: readonly ShelvedChapter[];
  /** What is anchored already in the chapter that the call is about; spans that overlap these are not proposed. */
  mentions?: readonly { factId: string; blockId: string; from: number; to: number }[];
}

/** The port that every engine of the AI tier answers behind. It reads and never writes; a failure costs nothing. */
export interface Reader {
  /** Its name, as answers show it. */
  readonly engine: string;
  /** What it cannot do with this book, in a few words, for the answer's `engine`; null if all is well. */
  limits?(book: ReadingBook): Promise<string | null>;
  synopsis(chapter: ReadingChapter, book: ReadingBook): Promise<string>;
  detect(chapter: ReadingChapter, book: ReadingBook): Promise<Proposal[]>;
  check(chapter: ReadingChapter, book: ReadingBook): Promise<Finding[]>;
}
