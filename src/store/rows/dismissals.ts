import type { BookId } from "../../ids.ts";
import type { Store } from "../file/store.ts";

/** The ids of the findings that are not to be shown again in this book. */
export function listDismissals(store: Store, bookId: BookId): Set<string> {
  const rows = store.all<{ finding: string }>("SELECT finding FROM dismissals WHERE book_id = ?", bookId);
  return new Set(rows.map(({ finding }) => finding));
}

/** Adds a finding to them; one that is there already stays. */
export function insertDismissal(store: Store, bookId: BookId, finding: string): void {
  store.run(
    "INSERT INTO dismissals(id, book_id, finding) VALUES(?, ?, ?) ON CONFLICT(id) DO NOTHING",
    `${bookId} ${finding}`,
    bookId,
    finding,
  );
}
