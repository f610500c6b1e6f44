import type { BookId, ChapterId } from "../../ids.ts";
import type { Store } from "../file/store.ts";
import { readSetting, saveSetting } from "./account.ts";

/** The last call of an operation on a chapter that was paid for. */
export interface PaidCall {
  /** What was paid for: the chapter's revision, the cast and the engine, as one text. */
  paidFor: string;
  /** The state of the book that the answer was made from. */
  state: string;
  /** Undefined if the answer costs nothing to make again. */
  answer?: unknown;
}

const PREFIX = "paid ";
const nameOf = (operation: string, chapter: ChapterId): string => `${PREFIX}${operation} ${chapter}`;

/** Returns the call that was last paid for, or undefined. */
export function findPaidCall(store: Store, operation: string, chapter: ChapterId): PaidCall | undefined {
  const stored = readSetting(store, nameOf(operation, chapter));
  return stored === undefined ? undefined : (JSON.parse(stored) as PaidCall);
}

/** Writes it over the one before, and drops those of chapters that are gone. */
export function keepPaidCall(store: Store, operation: string, chapter: ChapterId, call: PaidCall): void {
  store.setAside(() => {
    saveSetting(store, nameOf(operation, chapter), JSON.stringify(call));
    store.run(
      `DELETE FROM settings WHERE name GLOB '${PREFIX}*' AND substr(name, ${PREFIX.length + 1} + instr(substr(name, ${PREFIX.length + 1}), ' ')) NOT IN (SELECT id FROM chapters)`,
    );
  });
}

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
