import { basename } from "node:path";
import type { ActId } from "../../../ids.ts";
import { NotFound } from "../../../refusals.ts";
import { listCopies } from "../../../store/copies.ts";
import { findSaveIn } from "../../../store/copy-history.ts";
import type { Store } from "../../../store/file/store.ts";
import { describeAct, findFoldedInto } from "../../../store/journal/history.ts";
import { findAct, isFolded } from "../../../store/journal/undo.ts";

/** Copies that are looked into: each compaction leaves one. */
const MOST = 3;

/**
 * `seq` of an act. Throws `NotFound`: of one that was folded it says into which, if a copy from before still lies beside the file. The
 * file itself has not kept its id.
 */
export function theAct(store: Store, id: ActId): number {
  try {
    return findAct(store, id).seq;
  } catch (error) {
    throw error instanceof NotFound && isFolded(store) ? (explainFolded(store, id) ?? error) : error;
  }
}

function explainFolded(store: Store, id: ActId): NotFound | undefined {
  const copies = listCopies(store.path).filter(({ kind }) => kind === "before restore");
  for (const { path } of copies.slice(0, MOST)) {
    const saved = findSaveIn(path, id);
    const kept = saved && findFoldedInto(store, saved.chapterId, saved.revision);
    if (kept !== undefined)
      return new NotFound(
        `act any more: "manuscript compact" folded the saves of that time into ${describeAct(kept)}, and an undo of that takes back all of them. The saves themselves are in ${basename(path)} beside the file`,
      );
  }
  return undefined;
}
