/** A chapter as it is read: its leaf blocks in order, plain text. */
export interface ReadingChapter {
  chapterId: string;
  /** Rises with every change of the prose and is never used twice: whatever was learnt of the chapter is keyed by it. */
  revision: number;
  title: string;
  blocks: readonly ReadingBlock[];
}

/** A leaf block; `type` is absent for a paragraph, else the document's: `heading`, `scene_break`, `code_block`, `raw_block`. */
export interface ReadingBlock {
  blockId: string;
  text: string;
  type?: string;
}

/** A fact as it is known while reading. */
export interface ReadingFact {
  id: string;
  name: string;
  kind: string;
  aliases: readonly string[];
  /** `fromChapterId` is the chapter from which on a value holds. */
  attributes: readonly { key: string; value: string; fromChapterId?: string }[];
  summary: string;
}

/** A span of prose; offsets are UTF-16 in the block's text. */
export interface Span {
  blockId: string;
  from: number;
  to: number;
  text: string;
}

/** A chapter of the book that may be read or passed over. */
export interface ShelvedChapter extends Omit<ReadingChapter, "blocks"> {
  /** Fetches the prose from the file; who knows this revision need not. */
  read(): ReadingChapter;
}

/** The book around a chapter. */
export interface ReadingBook {
  bookId: string;
  cast: readonly ReadingFact[];
  /** Every chapter in reading order, the one that the call is about among them. */
  chapters: readonly ShelvedChapter[];
  /** Existing mentions of the chapter that the call is about; spans that overlap these are not proposed. */
  mentions?: readonly ReadingMention[];
}

/** A stretch of prose that is anchored to a fact. */
export interface ReadingMention {
  factId: string;
  blockId: string;
  from: number;
  to: number;
}

/** Does all steps at once; returns their result. */
export function finish<Result>(steps: Generator<void, Result>): Result {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}
