import type { ActId, BookId } from "../../ids.ts";
import { insertDismissal } from "../../store/rows/answers.ts";
import { bookTag } from "../entity-tags.ts";
import { assertSeen, theBook } from "../guards.ts";
import { type Caller, type Manuscript, write } from "../manuscript.ts";
import { checkConsistency } from "./metered-call.ts";

/** Finds contradictions and drifting names, without those that were dismissed here. Throws `NotFound`. */
export const checkChapter = checkConsistency;

/**
 * Dismisses findings, and proposals of detection: they are never returned again in this book, however the prose is edited.
 * Throws `NotFound`.
 */
export function dismissFindings(
  manuscript: Manuscript,
  bookId: BookId,
  findings: readonly string[],
  caller: Caller,
): { bookId: BookId; dismissed: string[]; act: ActId | null } {
  return write(manuscript, "dismissFindings", caller, () => {
    theBook(manuscript, bookId);
    assertSeen(caller, "book", () => [bookTag(manuscript.store, bookId)]);
    for (const finding of findings) insertDismissal(manuscript.store, bookId, finding);
    return () => ({ bookId, dismissed: [...findings] });
  });
}
