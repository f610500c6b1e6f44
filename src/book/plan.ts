import type { BlockId, BookId, ChapterId } from "../ids.ts";
import type { MergeConflict } from "../prose/merge/merge.ts";
import type { NewProse } from "../prose/plan/plan.ts";
import type { ChapterFields, ChapterFile, IncomingChapter, StoredChapter } from "./book.ts";
import type { BookOutcome, DescriptionPlan } from "./merge-description.ts";

/** What is to become of a chapter's file: the chapter is made, written, as it is, newer than the file, or both changed. */
export type ChapterPlan =
  | NewChapterPlan
  | ({ kind: "write"; incoming: IncomingChapter; fields: Partial<ChapterFields>; prose: NewProse } & Merged)
  | { kind: "same" | "left"; incoming: ChapterFile; stored: StoredChapter; isRenamed: boolean }
  | {
      kind: "conflict";
      incoming: IncomingChapter;
      stored: StoredChapter;
      fields: readonly string[];
      paragraphs: readonly MergeConflict[];
    };

/** A chapter that is made of its file. */
export interface NewChapterPlan {
  kind: "create";
  incoming: ChapterFile;
  /** The file parsed: in a new book anew each time, for all its chapters would take much memory. */
  read(): IncomingChapter;
  /** Paragraphs that come from other chapters. */
  arrived: ReadonlySet<string>;
  isMerged: boolean;
}

interface Merged {
  stored: StoredChapter;
  /** The chapter comes to hold more than the file: both sides' edits. */
  isMerged: boolean;
  /** It is known what both had in common: what a file says otherwise has been changed there. */
  hasBase: boolean;
  /** Paragraphs that come from other chapters, and those that go to others. */
  arrived: ReadonlySet<string>;
  left: ReadonlyMap<string, { isEdited: boolean }>;
}

/** A paragraph that the files show gone from one chapter and new in another. */
export interface Moved {
  blockId: BlockId;
  from: StoredChapter;
  to: ChapterPlan;
  isEdited: boolean;
  wordCount: number;
}

/** A chapter without a file, and what is left of its prose once paragraphs of it have been found in other files. */
export interface Emptied {
  stored: StoredChapter;
  prose: NewProse;
  left: ReadonlyMap<string, { isEdited: boolean }>;
}

/**
 * What an import comes to for a book, its facts and notes apart: a pure value, made of the three sides alone. A dry run
 * shows it, and nothing but it is written.
 */
export interface BookPlan {
  /** Undefined for a new book. */
  bookId: BookId | undefined;
  /** Of a new book. */
  title: string;
  description: DescriptionPlan;
  outcome: BookOutcome;
  /** One for each file that makes or is a chapter, in the order of the files. */
  chapters: readonly ChapterPlan[];
  /** The paragraphs that go from one chapter to another. */
  moves: readonly Moved[];
  emptied: readonly Emptied[];
  /** Chapters whose files are gone from the folder. */
  gone: readonly { stored: StoredChapter; file: string }[];
  /** The book's chapters in their order: those stored, and the plans that create one. */
  order: readonly (StoredChapter | ChapterPlan)[];
  /**
   * Files whose chapter the manuscript has deleted, and that say nothing else: they make no chapter. `taken` is the file of one
   * that somebody has edited since, where all of it stands in other chapters.
   */
  deleted: readonly { id: ChapterId; file: string; taken: IncomingChapter | undefined }[];
}
