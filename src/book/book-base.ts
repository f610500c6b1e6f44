import type { ChapterId } from "../ids.ts";
import type { StoredProse } from "../prose/plan/plan.ts";
import type { BaseChapter, ChapterFields, Description, IncomingChapter, StoredChapter } from "./book.ts";
import type { LastFile } from "./match-chapters.ts";

/** What a folder had of a chapter when the two last met. */
export interface LastChapter extends LastFile, ChapterFields {
  revision: number;
  /** The chapter held more than the file then. */
  isMerged: boolean;
}

/** What a folder and the manuscript last had in common. Its costly parts are read when they are asked for. */
export interface BookBase {
  description: Description | undefined;
  /** The book's chapters that have been in this folder, those that were deleted since among them. */
  last: ReadonlyMap<ChapterId, LastChapter>;
  /** A chapter's prose at a revision; undefined if that is not known any more. */
  proseAt(id: ChapterId, revision: number): StoredProse | undefined;
  /** What a folder had of a chapter when the two last met: of its file, if the chapter held more. */
  lastProse(id: ChapterId): StoredProse | undefined;
  /** The base of a file that has changed: that of the exchange which the file itself proves. */
  chapter(stored: StoredChapter, incoming: IncomingChapter): BaseChapter | undefined;
  /** Whether a chapter's file in this folder was this very one at some time. */
  hasHad(id: ChapterId, hash: string): boolean;
}
