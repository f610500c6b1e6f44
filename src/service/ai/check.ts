import type { ActId, BookId, ChapterId } from "../../ids.ts";
import { insertDismissal, listDismissals } from "../../store/rows/dismissals.ts";
import { theBook, theChapter } from "../guards.ts";
import { type Caller, type Manuscript, write } from "../manuscript.ts";
import { type Asking, checkConsistency, type Paid } from "./metered-call.ts";

/** Finds contradictions and drifting names, without those that the writer has dismissed. Throws `NotFound`. */
export async function checkChapter(
  manuscript: Manuscript,
  id: ChapterId,
  asking?: Asking,
): Promise<Paid<"checkConsistency">> {
  const paid = await checkConsistency(manuscript, id, asking);
  const dismissed = listDismissals(manuscript.store, theChapter(manuscript, id).bookId);
  const findings = paid.answer.findings.filter((finding) => !dismissed.has(finding.id));
  return { ...paid, answer: { ...paid.answer, findings } };
}

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
