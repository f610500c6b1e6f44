import type { LocalAnswer } from "../../contract/local-answers.ts";
import type { ChapterId } from "../../ids.ts";
import type { OutFile } from "../disk/write-folder.ts";

/** What a sync did to either side: the chapters as an import has them, then the files. */
export type SyncAnswer = LocalAnswer<"synced">;

/**
 * What became of a file: `gone` was there before and is not any more, `deleted` the same, and its chapter was deleted as
 * well; `orphaned` stays although its chapter was deleted in the manuscript, `removed` does not; `conflict` and `busy`
 * were not touched.
 */
export type SyncedStatus = SyncAnswer["files"][number]["status"];

/** A file that a sync looked at, as it would be now. */
export interface SyncedFile extends Pick<OutFile, "file"> {
  /** Undefined for one that is known to be as it would be written. */
  bytes: Buffer | undefined;
  /** SHA-256 of the file as it was read; undefined if it was not there. */
  read?: string | undefined;
  /** Null for a file that is no chapter's. */
  chapterId: ChapterId | null;
  status: SyncedStatus;
}
