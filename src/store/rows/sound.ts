import type { BookId, ChapterId } from "../../ids.ts";
import { Damaged } from "../../refusals.ts";
import type { Store } from "../file/store.ts";
import { ACT_HASH, COPY_SEAL, hashSql, PROGRESS_SEAL, SEALED, sealSql } from "../schema/hashes.ts";
import { TABLES, type TableName } from "../schema/tables.ts";
import { damaged } from "./damaged.ts";

// What is stored is checked when it is read, once for each version of it in a process: by rows, whose hash and seal say
// what they hold, and by lists, of which an index may have lost a row.

/** What of a file was found sound since it was opened. Of an act that runs only rows: it may yet be taken back. */
interface Seen {
  /** The hash and seal of each row by its id, and the act after which it had them. */
  rows: Map<string, { state: string; act: number }>;
  /** The act after which a list was whole. */
  lists: Map<string, number>;
  chapters: Map<ChapterId, string>;
  /** The digest that a chapter's rows had when they were found whole, or were left so by a write of ours. */
  digests: Map<ChapterId, number>;
  acts: Set<number>;
  /** The newest act, and at which of the store's writes it was asked for; forgotten when other code may have run. */
  newest: { act: number; writes: number } | undefined;
}

const files = new WeakMap<Store, Seen>();
/** Files that are read as they are at this moment. */
const examined = new WeakSet<Store>();
/** Rows remembered of a file; about 10 MB. */
const MOST_ROWS = 100_000;

/** Reads a file as it is, damage and all: for those who look for damage. */
export function asStored<Result>(store: Store, read: () => Result): Result {
  examined.add(store);
  try {
    return read();
  } finally {
    examined.delete(store);
  }
}

/**
 * Reads rows and what they are checked by: if another program wrote in between they do not fit, so they are read once more, all
 * of one moment, before they count as damaged. `read` changes nothing.
 */
export function soundly<Result>(store: Store, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    return store.snapshot(read);
  }
}

/** Throws `Damaged` unless what is stored of these rows is what was written. About 2 µs each once it is known. */
export function assertRows(store: Store, table: TableName, ids: Iterable<string>): void {
  if (examined.has(store)) return;
  const { rows } = seenOf(store);
  const last = lastAct(store);
  const state = stateSql(table);
  for (const id of ids) {
    const known = rows.get(id);
    if (known?.act === last && store.openAct === undefined) continue;
    const now = store.get<{ id: string; state: string }>(
      `SELECT id, ${state} AS state FROM ${table} WHERE id = ?`,
      id,
    );
    if (now === undefined || now.id !== id) throw damaged(store, table, id);
    if (known?.state !== now.state) lookAt(store, table, id);
    else if (store.openAct === undefined) known.act = last;
  }
}

/** The same of one row that was read with its hash and seal. */
export function assertRead(store: Store, table: TableName, id: string, state: string): void {
  if (!examined.has(store) && seenOf(store).rows.get(id)?.state !== state) lookAt(store, table, id);
}

/** The same of one row that was asked for by its id; one that is not there must not be in the table either. */
export function assertRow(store: Store, table: TableName, id: string, row: object | undefined): void {
  if (row !== undefined) assertRows(store, table, [id]);
  else assertGone(store, table, id);
}

/** Throws `Damaged` if a row is there after all, and only the index of ids has lost it. O(rows). */
function assertGone(store: Store, table: TableName, id: string): void {
  if (examined.has(store)) return;
  if (store.get(`SELECT 1 FROM ${table} NOT INDEXED WHERE id = ?`, id) !== undefined)
    throw damaged(store, table, id);
}

/**
 * Throws `Damaged` unless a list is whole: its rows are sound, and its index has as many as the table. Looked at again
 * only after an act.
 */
export function assertList(store: Store, table: TableName, column: string, value: string): void {
  if (examined.has(store)) return;
  const { lists } = seenOf(store);
  const key = `${table} ${column} ${value}`;
  const last = lastAct(store);
  if (lists.get(key) === last) return;
  store.snapshot(() => {
    const listed = store.all<{ id: string; isSame: number }>(listSql(table, column), value);
    const ids = listed.map(({ id }) => id);
    const [count] = store.list<number>(
      `SELECT count(*) FROM ${table} NOT INDEXED WHERE "${column}" = ?`,
      value,
    );
    if (listed.some(({ isSame }) => isSame !== 1)) throw damaged(store, table, undefined);
    if (count !== ids.length || new Set(ids).size !== ids.length) throw damaged(store, table, undefined);
    assertRows(store, table, ids);
  });
  if (store.openAct === undefined) lists.set(key, last);
}

/** A list by its index, and whether what SQLite takes from there is the row's own. */
function listSql(table: TableName, column: string): string {
  const taken = "rank" in TABLES[table].columns ? [column, "rank"] : [column];
  const isSame = taken.map((name) => `r."${name}" = i."${name}"`).join(" AND ");
  return `SELECT r.id, ${isSame} AS isSame FROM ${table} i CROSS JOIN ${table} r ON r.id = i.id WHERE i."${column}" = ?`;
}

/** Throws `Damaged` unless a book's list of these is whole. */
export function assertBookList(store: Store, table: TableName, bookId: BookId): void {
  assertList(store, table, "book_id", bookId);
}

/** What tells one state of a chapter from another. */
interface Version {
  revision: number;
  version: number;
}

/**
 * Throws `Damaged` unless a chapter's own row, its blocks and its mentions are sound, all of them there and in order. A
 * chapter that does not exist is sound. O(blocks) once for each of its versions.
 */
export function assertChapter(store: Store, id: ChapterId, known?: Version): void {
  if (examined.has(store)) return;
  const now = known ?? store.get<Version>("SELECT revision, version FROM chapters WHERE id = ?", id);
  if (now === undefined) assertGone(store, "chapters", id);
  else if (seenOf(store).chapters.get(id) !== stateOf(now)) store.snapshot(() => lookAtChapter(store, id));
}

const stateOf = ({ revision, version }: Version): string => `${revision}.${version}`;

function lookAtChapter(store: Store, id: ChapterId): void {
  assertRows(store, "chapters", [id]);
  const { chapters, digests } = seenOf(store);
  const [digest] = store.list<number>(DIGEST, id);
  // The sum of the rows says by itself that they are those.
  if (digest === undefined || digests.get(id) !== digest) lookAtRows(store, id);
  const now = store.get<Version>("SELECT revision, version FROM chapters WHERE id = ?", id);
  if (now === undefined || digest === undefined || store.openAct !== undefined) return;
  chapters.set(id, stateOf(now));
  digests.set(id, digest);
}

const DIGEST = "SELECT digest FROM chapters WHERE id = ?";

/** Notes what a chapter's digest has become by the writing of its blocks, of which all others were known. */
export function noteDigest(store: Store, id: ChapterId, before: number, after: number): void {
  const { digests } = seenOf(store);
  if (digests.get(id) === before) digests.set(id, after);
}

function lookAtRows(store: Store, id: ChapterId): void {
  const { rows } = seenOf(store);
  const listed = listRows(store, id);
  for (const table of ["blocks", "mentions"] as const) {
    for (const row of listed[table]) {
      if (rows.get(row.id)?.state !== row.state) lookAt(store, table, row.id);
    }
  }
  assertListed(store, id, listed);
}

/** Throws `Damaged` unless all of a chapter's blocks and mentions are listed, in order. About 2 µs each. */
export function assertOrder(store: Store, id: ChapterId): void {
  if (!examined.has(store)) store.snapshot(() => assertListed(store, id, listRows(store, id)));
}

type Rows = Record<"blocks" | "mentions", Listed[]>;

const listRows = (store: Store, id: ChapterId): Rows => ({
  blocks: store.all<Listed>(LISTED.blocks, id),
  mentions: store.all<Listed>(LISTED.mentions, id),
});

function assertListed(store: Store, id: ChapterId, { blocks, mentions }: Rows): void {
  const [digest] = store.list<number>(DIGEST, id);
  if (digest === undefined) return; // another program has deleted it
  if (!isAscending(blocks) || addUp([...blocks, ...mentions]) !== digest)
    throw damaged(store, "chapters", id);
}

/** Throws `Damaged` unless what these acts left in the history is what was written. Each is looked at once. */
export function assertActs(store: Store, seqs: Iterable<number>): void {
  if (examined.has(store)) return;
  const { acts } = seenOf(store);
  for (const seq of seqs) {
    if (acts.has(seq)) continue;
    if (seq === store.openAct) continue;
    const [isSound] = store.list<number>(`SELECT hash = ${ACT_HASH} FROM acts a WHERE seq = ?`, seq);
    if (isSound !== 1) throw new Damaged(`act ${seq} of the history`);
    if (store.openAct === undefined) acts.add(seq);
  }
}

/** Throws `Damaged` unless a chapter's list of revisions is whole, by its key and by its index, and so are their acts. */
export function assertRevisions(store: Store, id: ChapterId): void {
  if (examined.has(store)) return;
  const { lists } = seenOf(store);
  const last = lastAct(store);
  const key = `revisions ${id}`;
  if (lists.get(key) === last) return;
  store.snapshot(() => {
    const acts = (by: string) =>
      store.list<number>(`SELECT act FROM revisions ${by} WHERE chapter_id = ? ORDER BY act`, id);
    const listed = acts("");
    const indexed = acts("INDEXED BY revisions_act");
    if (listed.length !== indexed.length || listed.some((act, index) => act !== indexed[index]))
      throw new Damaged(`the list of revisions of chapter ${id}`);
    assertActs(store, listed);
  });
  if (store.openAct === undefined) lists.set(key, last);
}

/** Throws `Damaged` unless what is counted of a book's days is what was written, by its index and by its table. */
export function assertProgress(store: Store, bookId: BookId): void {
  if (examined.has(store)) return;
  const { lists } = seenOf(store);
  const last = lastAct(store);
  const key = `progress ${bookId}`;
  if (lists.get(key) === last) return;
  store.snapshot(() => {
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
  if (store.openAct === undefined) lists.set(key, last);
}

/** Throws `Damaged` unless a list has as many as the table says. */
export function assertCount(store: Store, listed: readonly unknown[], expected: number | undefined): void {
  if (!examined.has(store) && listed.length !== (expected ?? 0)) throw new Damaged("the list of mentions");
}

/** The same of what folders last had in common with the manuscript; a damaged one is no base of a merge. */
export function assertCopies(store: Store, seqs: readonly number[]): void {
  if (examined.has(store)) return;
  const [damagedOne] = store.list<string>(
    `SELECT coalesce(w.file, w.folder) FROM working_copies w WHERE w.seal <> ${COPY_SEAL} AND seq IN (SELECT value FROM json_each(?))`,
    JSON.stringify(seqs),
  );
  if (damagedOne !== undefined) throw new Damaged("what a folder last had in common with the manuscript");
}

interface Listed {
  id: string;
  state: string;
  rank: string;
  /** What it adds to its chapter's digest. */
  sum: number;
}

const LISTED = {
  // By the index, as a chapter is read, whose values SQLite takes from there: those must be the row's own. In a WHERE it would
  // compare neither, but the one that was asked for.
  blocks: `SELECT b.id, b.hash || ' ' || b.seal AS state, b.rank, iif(b.chapter_id = i.chapter_id AND b.rank = i.rank, b.hash + b.seal, 0) AS sum
    FROM blocks i CROSS JOIN blocks b ON b.id = i.id WHERE i.chapter_id = ? ORDER BY i.rank, i.id`,
  mentions: `SELECT m.id, CAST(m.hash AS TEXT) AS state, '' AS rank, iif(m.chapter_id = i.chapter_id, m.hash, 0) AS sum
    FROM mentions i CROSS JOIN mentions m ON m.id = i.id WHERE i.chapter_id = ?`,
} as const;

const MODULUS = 2 ** 48;
const addUp = (rows: readonly Listed[]): number => rows.reduce((sum, row) => (sum + row.sum) % MODULUS, 0);

function isAscending(rows: readonly Listed[]): boolean {
  return rows.every((row, index) => {
    const last = rows[index - 1];
    return last === undefined || last.rank < row.rank || (last.rank === row.rank && last.id < row.id);
  });
}

/** Looks at a row's columns themselves; one statement, so that no other program's write comes between. */
function lookAt(store: Store, table: TableName, id: string): void {
  const row = store.get<{ id: string; state: string; found: string }>(
    `SELECT id, ${stateSql(table)} AS state, ${foundSql(table)} AS found FROM ${table} WHERE id = ?`,
    id,
  );
  if (row?.id !== id) throw damaged(store, table, id);
  if (row.found !== row.state) {
    if (isBeingWritten(store, row)) return;
    throw damaged(store, table, id);
  }
  rowsToAdd(store).set(id, { state: row.state, act: store.openAct === undefined ? lastAct(store) : 0 });
}

/** Whether the act that runs has written the row: it gets its hash and its seal when the act ends. */
function isBeingWritten(
  store: Store,
  { id, state, found }: { id: string; state: string; found: string },
): boolean {
  const act = store.openAct;
  if (act === undefined) return false;
  // The plus keeps SQLite from walking through all that the act has written.
  const journalled = "SELECT 1 FROM journal WHERE row_id = ? AND +act = ?";
  if (store.get(journalled, id, act) !== undefined) return true;
  const [hash, seal] = state.split(" ");
  return seal === "0" && found.split(" ")[0] === hash;
}

/**
 * Notes blocks that were just written whole, so that they need not be looked at: of a write that is taken back, no row has their
 * hash and seal.
 */
export function noteWritten(
  store: Store,
  blocks: readonly { id: string; hash: number; seal: number }[],
): void {
  const rows = rowsToAdd(store);
  for (const { id, hash, seal } of blocks) rows.set(id, { state: `${hash} ${seal}`, act: 0 });
}

function rowsToAdd(store: Store): Seen["rows"] {
  const { rows } = seenOf(store);
  if (rows.size >= MOST_ROWS) rows.clear();
  return rows;
}

/** The hash and seal that a row has, as text. */
function stateSql(table: TableName): string {
  return SEALED.includes(table) ? "hash || ' ' || seal" : "CAST(hash AS TEXT)";
}

/** Those that it ought to have. */
function foundSql(table: TableName): string {
  const seal = sealSql(table);
  return seal === undefined ? `CAST(${hashSql(table)} AS TEXT)` : `${hashSql(table)} || ' ' || ${seal}`;
}

/** Asked once for all that is read without a pause: each time would cost as much as a read of a short list. */
function lastAct(store: Store): number {
  const seen = seenOf(store);
  if (seen.newest?.writes === store.writes) return seen.newest.act;
  const [act = 0] = store.list<number>("SELECT coalesce(max(seq), 0) FROM acts");
  seen.newest = { act, writes: store.writes };
  queueMicrotask(() => {
    seen.newest = undefined;
  });
  return act;
}

function seenOf(store: Store): Seen {
  let seen = files.get(store);
  if (seen === undefined) {
    seen = {
      rows: new Map(),
      lists: new Map(),
      chapters: new Map(),
      digests: new Map(),
      acts: new Set(),
      newest: undefined,
    };
    files.set(store, seen);
  }
  return seen;
}
