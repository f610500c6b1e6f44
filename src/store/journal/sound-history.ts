import type { BookId, ChapterId } from "../../ids.ts";
import { Damaged } from "../../refusals.ts";
import type { Store } from "../file/store.ts";
import { assertRows, isExamined, onceAnAct } from "../rows/sound.ts";
import { ACT_HASH, COPY_SEAL, PROGRESS_SEAL } from "../schema/hashes.ts";
import type { TableName } from "../schema/tables.ts";

/** The acts of a file that were found sound since it was opened. */
const sound = new WeakMap<Store, Set<number>>();
const MOST_ACTS = 100_000;

/** Throws `Damaged` unless what these acts left in the history is what was written. Each is looked at once. */
export function assertActs(store: Store, seqs: Iterable<number>): void {
  if (isExamined(store)) return;
  const acts = sound.get(store) ?? new Set();
  sound.set(store, acts);
  for (const seq of seqs) {
    if (acts.has(seq)) continue;
    if (seq === store.openAct) continue;
    const [isSound] = store.list<number>(`SELECT hash = ${ACT_HASH} FROM acts a WHERE seq = ?`, seq);
    if (isSound !== 1) throw new Damaged(`act ${seq} of the history`);
    if (acts.size >= MOST_ACTS) acts.clear();
    if (store.openAct === undefined) acts.add(seq);
  }
}

/** Throws `Damaged` unless a chapter's list of revisions is whole, by its key and by its index, and so are their acts. */
export function assertRevisions(store: Store, id: ChapterId): void {
  onceAnAct(store, `revisions ${id}`, () => assertActs(store, listRevisionActs(store, [id])));
}

/**
 * The acts of these chapters' revisions, each chapter's oldest first. Throws `Damaged` unless key and index list the same: O(revisions
 * of the file), however many chapters these are.
 */
export function listRevisionActs(store: Store, ids: readonly ChapterId[]): number[] {
  const revisions = (by: string) =>
    store.all<{ id: ChapterId; act: number }>(
      `SELECT chapter_id AS id, act FROM revisions ${by} WHERE chapter_id IN (SELECT value FROM json_each(?)) ORDER BY chapter_id, act`,
      JSON.stringify(ids),
    );
  const listed = revisions("");
  const indexed = isExamined(store) ? listed : revisions("INDEXED BY revisions_act");
  const [more, fewer] = listed.length < indexed.length ? [indexed, listed] : [listed, indexed];
  const other = more.find(({ id, act }, at) => fewer[at]?.id !== id || fewer[at].act !== act);
  if (other !== undefined) throw new Damaged(`the list of revisions of chapter ${other.id}`);
  return listed.map(({ act }) => act);
}
/** Throws `Damaged` unless what is counted of a book's days is what was written, by its index and by its table. */
export function assertProgress(store: Store, bookId: BookId): void {
  onceAnAct(store, `progress ${bookId}`, () => {
    const sums = (by: string) =>
      store.all(
        `SELECT date, sum(added), sum(removed), sum(imported), sum(seal = ${PROGRESS_SEAL}), count(*) FROM progress p ${by}
         WHERE book_id = ? AND date >= '' GROUP BY date ORDER BY date`,
        bookId,
      );
    const [flawed] = store.list<number>(
      `SELECT count(*) FROM progress p NOT INDEXED WHERE book_id = ? AND seal <> ${PROGRESS_SEAL}`,
      bookId,
    );
    const isWhole = JSON.stringify(sums("INDEXED BY progress_book")) === JSON.stringify(sums("NOT INDEXED"));
    if (flawed !== 0 || !isWhole) throw new Damaged(`the progress of book ${bookId}`);
  });
}

/** Throws `Damaged` unless this is what was written of what folders last had in common with the manuscript; a damaged one is no base of a merge. */
export function assertCopies(store: Store, seqs: readonly number[]): void {
  if (isExamined(store)) return;
  const [damagedOne] = store.list<string>(
    `SELECT coalesce(w.file, w.folder) FROM working_copies w WHERE w.seal <> ${COPY_SEAL} AND seq IN (SELECT value FROM json_each(?))`,
    JSON.stringify(seqs),
  );
  if (damagedOne !== undefined) throw new Damaged("what a folder last had in common with the manuscript");
}

/**
 * Throws `Damaged` unless the rows that were `found` of these ids are sound, and of the others none is there after all, lost by
 * the index of ids alone. O(rows) where one was not found.
 */
export function assertFound(
  store: Store,
  table: TableName,
  ids: readonly string[],
  found: readonly string[],
): void {
  assertRows(store, table, found);
  if (found.length === ids.length || isExamined(store)) return;
  const [count] = store.list<number>(
    `SELECT count(*) FROM ${table} NOT INDEXED WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
  if (count !== found.length) throw new Damaged(`the list of ${table}`);
}
