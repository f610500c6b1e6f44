import type { AnswerOf, EndpointId } from "../contract/index.ts";
import type { ReadingBook, ReadingChapter } from "../reading/reading.ts";

/** A proposed addition to the story map; `confidence` from 0 to 1. */
export type Proposal = AnswerOf<"detectMentions">["proposals"][number];

/** A contradiction or a drifting name; `confidence` from 0 to 1. */
export type Finding = AnswerOf<"checkConsistency">["findings"][number];

/** The port that every engine of the AI tier answers behind. It reads and never writes; a failure costs nothing. */
export interface Reader {
  /** Its name, as answers show it. */
  readonly engine: string;
  /** Says in a few words what it cannot do with this book, for the answer's `engine`; null if it can do everything. */
  limits?(book: ReadingBook, operation: EndpointId): Promise<string | null>;
  synopsis(chapter: ReadingChapter, book: ReadingBook): Promise<string>;
  detect(chapter: ReadingChapter, book: ReadingBook): Promise<Proposal[]>;
  check(chapter: ReadingChapter, book: ReadingBook): Promise<Finding[]>;
}
