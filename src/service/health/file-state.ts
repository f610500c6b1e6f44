import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { LocalAnswer } from "../../contract/local-answers.ts";
import type { Store } from "../../store/file/store.ts";

/** Where a manuscript's file is, how large, and whether it can be written. */
export function readFileState(store: Store): LocalAnswer<"file"> {
  const { bavail, bsize } = statfsSync(dirname(store.path));
  return {
    file: store.path,
    bytes: statSync(store.path).size,
    logBytes: statSync(`${store.path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    freeBytes: bavail * bsize,
    format: Number(store.list("PRAGMA user_version")[0]),
    refusal: store.refusal ?? null,
  };
}
