import type { BookId } from "../../ids.ts";
import type { Store } from "../file/store.ts";

/** The ids of the findings that the writer of this book has dismissed. */
export function listDismissals(store: Store, bookId: BookId): Set<string> {
  return new Set(store.list<string>("SELECT finding FROM dismissals WHERE book_id = ?", bookId));
}

/** Dismisses a finding, once however often. */
export function insertDismissal(store: Store, bookId: BookId, finding: string): void {
  store.run(
    "INSERT INTO dismissals(id, book_id, finding) VALUES(?, ?, ?) ON CONFLICT(id) DO NOTHING",
    `${bookId} ${finding}`,
    bookId,
    finding,
  );
}
