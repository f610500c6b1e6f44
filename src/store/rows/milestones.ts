import type { ActId, BookId, MilestoneId } from "../../ids.ts";
import type { Store } from "../file/store.ts";

/** A milestone as stored; `act` is the number of the act after which the book was so. */
export interface MilestoneRow {
  id: MilestoneId;
  bookId: BookId;
  name: string;
  act: number;
  createdAt: number;
}

/** A milestone with its act: the id of that, and when it was, in milliseconds since 1970. */
export interface PlacedMilestone extends MilestoneRow {
  actId: ActId;
  at: number;
}

const MILESTONE = `SELECT m.id, m.book_id AS bookId, m.name, m.act, m.created_at AS createdAt, a.id AS actId, a.at
  FROM milestones m JOIN acts a ON a.seq = m.act`;

/** Adds a milestone. */
export function insertMilestone(store: Store, milestone: MilestoneRow): void {
  store.run(
    "INSERT INTO milestones(id, book_id, name, act, created_at) VALUES(:id, :bookId, :name, :act, :createdAt)",
    milestone,
  );
}

/** A book's milestones, oldest first. */
export function listMilestones(store: Store, bookId: BookId): PlacedMilestone[] {
  return store.all<PlacedMilestone>(
    `${MILESTONE} WHERE m.book_id = ? ORDER BY m.act, m.created_at, m.id`,
    bookId,
  );
}

/** The milestone, or undefined. */
export function findMilestone(store: Store, id: MilestoneId): PlacedMilestone | undefined {
  return store.get<PlacedMilestone>(`${MILESTONE} WHERE m.id = ?`, id);
}

/** Gives a milestone another name. */
export function setMilestoneName(store: Store, id: MilestoneId, name: string): void {
  store.run("UPDATE milestones SET name = ? WHERE id = ?", name, id);
}

/** Takes the name off a state of the book; the history keeps the state. */
export function deleteMilestone(store: Store, id: MilestoneId): void {
  store.run("DELETE FROM milestones WHERE id = ?", id);
}
