import type { ChapterId } from "../ids.ts";
import type { StoredProse } from "../prose/plan.ts";
import type { BaseChapter, ChapterFields, Description, IncomingChapter, StoredChapter } from "./book.ts";
import type { LastFile } from "./merge/match-chapters.ts";

/** A chapter's fields and file as folder and manuscript last had them in common. */
export interface LastChapter extends LastFile, ChapterFields {
  revision: number;
  /** True if the chapter held more than the file at that time. */
  isMerged: boolean;
}

/** Common base of a folder and the manuscript. Expensive parts are read on demand. */
export interface BookBase {
  description: Description | undefined;
  /** The book's chapters that have been in this folder, deleted ones included. */
  last: ReadonlyMap<ChapterId, LastChapter>;
  /** Returns a chapter's prose at a revision; undefined if that revision is not known any more. */
  proseAt(id: ChapterId, revision: number): StoredProse | undefined;
  /** Returns the prose of the last exchange: the file's, where the chapter held more than its file. */
  lastProse(id: ChapterId): StoredProse | undefined;
  /** Returns the base of a file that has changed: the exchange that the file's own text points to. */
  chapter(stored: StoredChapter, incoming: IncomingChapter): BaseChapter | undefined;
  /** True if the chapter's file in this folder had this hash at any exchange. */
  hasHad(id: ChapterId, hash: string): boolean;
}
