import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { LocalAnswer } from "../../contract/local-answers.ts";
import { cloudOf } from "../../store/cloud-folder.ts";
import type { Store } from "../../store/file/store.ts";
import { readFileSize } from "../../store/file-size.ts";

/** Where a manuscript's file is, how large, what takes that room, and whether it can be written. */
export function readFileState(store: Store): LocalAnswer<"file"> {
  const { bavail, bsize } = statfsSync(dirname(store.path));
  return {
    file: store.path,
    bytes: statSync(store.path).size,
    ...partsOf(store),
    logBytes: statSync(`${store.path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    freeBytes: bavail * bsize,
    format: Number(store.list("PRAGMA user_version")[0]),
    refusal: store.refusal ?? null,
    cloud: cloudOf(store.path),
  };
}

/** What history and free pages take; null where a damaged page hides it, for the rest is to be told all the same. */
function partsOf(store: Store): Pick<LocalAnswer<"file">, "historyBytes" | "unusedBytes"> {
  try {
    const { historyBytes, unusedBytes } = store.snapshot(() => readFileSize(store));
    return { historyBytes, unusedBytes };
  } catch {
    return { historyBytes: null, unusedBytes: null };
  }
}
