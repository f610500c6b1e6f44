import type { ActId, BookId } from "../../ids.ts";
import { insertDismissal } from "../../store/rows/dismissals.ts";
import { theBook } from "../guards.ts";
import { type Caller, type Manuscript, write } from "../manuscript.ts";
import { checkConsistency } from "./metered-call.ts";

/** Finds contradictions and drifting names, without those that were dismissed here. Throws `NotFound`. */
export const checkChapter = checkConsistency;

/** Dismisses findings: the check of this book never returns them again, however the prose is edited. Throws `NotFound`. */
export function dismissFindings(
  manuscript: Manuscript,
  bookId: BookId,
  findings: readonly string[],
  caller: Caller,
): { bookId: BookId; dismissed: string[]; act: ActId | null } {
  return write(manuscript, "dismissFindings", caller, () => {
    theBook(manuscript, bookId);
    for (const finding of findings) insertDismissal(manuscript.store, bookId, finding);
    return () => ({ bookId, dismissed: [...findings] });
  });
}
