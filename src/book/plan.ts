import type { BlockId, BookId, ChapterId } from "../ids.ts";
import type { MergeConflict } from "../prose/merge.ts";
import type { NewProse } from "../prose/plan.ts";
import type { ChapterFields, ChapterFile, IncomingChapter, StoredChapter } from "./book.ts";
import type { BookOutcome, DescriptionPlan } from "./merge-description.ts";

/**
 * Planned outcome of a chapter's file: create or write the chapter, leave it as it is, leave it because the chapter
 * is newer, or conflict.
 */
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

/** A chapter to be created from its file. */
export interface NewChapterPlan {
  kind: "create";
  incoming: ChapterFile;
  /** Parses the file, in a new book each time: all of its chapters would take much memory. */
  read(): IncomingChapter;
  /** Paragraphs that come from other chapters. */
  arrived: ReadonlySet<string>;
  isMerged: boolean;
}

interface Merged {
  stored: StoredChapter;
  /** True if the chapter gets both sides' edits, and so holds more than the file. */
  isMerged: boolean;
  /** True if the base is known: a difference in the file is then an edit. */
  hasBase: boolean;
  /** Paragraphs that come from other chapters, and paragraphs that go to others. */
  arrived: ReadonlySet<string>;
  left: ReadonlyMap<string, { isEdited: boolean }>;
}

/** A paragraph that left one chapter and is new in another, going by the files. */
export interface Moved {
  blockId: BlockId;
  from: StoredChapter;
  to: ChapterPlan;
  isEdited: boolean;
  wordCount: number;
}

/** A chapter without a file, and its prose without the paragraphs that were found in other files. */
export interface Emptied {
  stored: StoredChapter;
  prose: NewProse;
  left: ReadonlyMap<string, { isEdited: boolean }>;
}

/**
 * Plan of an import for a book without its facts and notes. A pure value of the three sides: a dry run shows it, and
 * a write does exactly this.
 */
export interface BookPlan {
  /** Undefined for a new book. */
  bookId: BookId | undefined;
  /** Title of a new book. */
  title: string;
  description: DescriptionPlan;
  outcome: BookOutcome;
  /** Plans of the files that are or become chapters, in the order of the files. */
  chapters: readonly ChapterPlan[];
  /** Paragraphs that go from one chapter to another. */
  moves: readonly Moved[];
  emptied: readonly Emptied[];
  /** Chapters whose files are gone from the folder. */
  gone: readonly { stored: StoredChapter; file: string }[];
  /** Chapters in their order: stored ones, and plans that create one. */
  order: readonly (StoredChapter | ChapterPlan)[];
  /**
   * Unchanged files whose chapter the manuscript has deleted: they make no chapter. `taken` is the file of one that
   * was edited since, and whose paragraphs are all in other chapters.
   */
  deleted: readonly { id: ChapterId; file: string; taken: IncomingChapter | undefined }[];
}
