import type { ActId, ChapterId } from "../../ids.ts";
import type { ImportAnswer } from "../../service/interchange/import-book.ts";
import type { OutFile } from "../disk/write-folder.ts";

/**
 * What became of a file: `gone` was there before and is not any more, `deleted` the same, and its chapter was deleted as
 * well; `orphaned` stays although its chapter was deleted in the manuscript, `removed` does not; `conflict` and `busy`
 * were not touched.
 */
export type SyncedStatus =
  | "written"
  | "same"
  | "gone"
  | "deleted"
  | "orphaned"
  | "removed"
  | "conflict"
  | "busy";

/** A file that a sync looked at, as it would be now. */
export interface SyncedFile extends Pick<OutFile, "file"> {
  /** Undefined for one that is known to be as it would be written. */
  bytes: Buffer | undefined;
  /** Null for a file that is no chapter's. */
  chapterId: ChapterId | null;
  status: SyncedStatus;
}

/** What a sync did to either side: the chapters as an import has them, then the files. */
export interface SyncAnswer extends ImportAnswer {
  /** `chapterId` is null for a file that is no chapter's. */
  files: { file: string; chapterId: ChapterId | null; status: SyncedStatus }[];
  /** The acts that deleted a chapter each; an undo of one brings its chapter back. */
  deletions: ActId[];
}
