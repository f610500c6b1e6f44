import type { LocalAnswer } from "../../contract/local-answers.ts";
import type { ChapterId } from "../../ids.ts";
import type { OutFile } from "../write-folder.ts";

/** Answer of a sync: the chapters as in an import, then the files. */
export type SyncAnswer = LocalAnswer<"synced">;

/**
 * Outcome for a file. `gone`: missing from the folder; `deleted`: missing, and its chapter was deleted too;
 * `orphaned`: its chapter was deleted in the manuscript, and the file stays; `removed`: its chapter was deleted, and
 * so was the file; `conflict` and `busy`: not touched.
 */
export type SyncedStatus = SyncAnswer["files"][number]["status"];

/** A file that a sync looked at, with its new content. */
export interface SyncedFile extends Pick<OutFile, "file"> {
  /** Undefined if the file is up to date. */
  bytes: Buffer | undefined;
  /** SHA-256 of the file as it was read; undefined if it was not there. */
  read?: string | undefined;
  /** Null for a file that is not a chapter's. */
  chapterId: ChapterId | null;
  status: SyncedStatus;
  /** True if nothing differs but the revision that the file names. */
  isStamp?: boolean;
}
