import type { BookId, MilestoneId } from "../../ids.ts";
import type { Store } from "../file/store.ts";
import { assertBookList } from "../rows/sound.ts";

/** A milestone as stored; `act` is the number of the act after which the book was so. */
export interface MilestoneRow {
  id: MilestoneId;
  bookId: BookId;
  name: string;
  act: number;
  createdAt: number;
}

/** Adds a milestone. */
export function insertMilestone(store: Store, milestone: MilestoneRow): void {
  store.run(
    "INSERT INTO milestones(id, book_id, name, act, created_at) VALUES(:id, :bookId, :name, :act, :createdAt)",
    milestone,
  );
}

/** A book's milestones, oldest first. */
export function listMilestones(store: Store, bookId: BookId): MilestoneRow[] {
  assertBookList(store, "milestones", bookId);
  return store.all(
    `SELECT id, book_id AS bookId, name, act, created_at AS createdAt FROM milestones WHERE book_id = ? ORDER BY act, created_at, id`,
    bookId,
  );
}
