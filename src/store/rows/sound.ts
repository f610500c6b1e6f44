import type { BookId, ChapterId } from "../../ids.ts";
import { Damaged } from "../../refusals.ts";
import type { Store } from "../file/store.ts";
import { addToDigest, hashSql, SEALED, sealSql } from "../schema/hashes.ts";
import { intactRows } from "../schema/row-texts.ts";
import { TABLES, type TableName } from "../schema/tables.ts";
import { damaged } from "./damaged.ts";

// What is stored is checked when it is read, once for each version of it in a process: by rows, whose hash and seal say
// what they hold, and by lists, of which an index may have lost a row.

/** What of a file was found sound since it was opened. Of an act that runs only rows: it may yet be taken back. */
interface Seen {
  /** The hash and seal of each row by its table and id, and the act after which it had them. A goal has its book's id. */
  rows: Map<TableName, Map<string, { state: string; act: number }>>;
  /** The act after which a list was whole. */
  lists: Map<string, number>;
  chapters: Map<ChapterId, string>;
  /** The digest that a chapter's rows had when they were found whole, or were left so by a write of ours. */
  digests: Map<ChapterId, number>;
  /** The newest act, and at which of the store's writes it was asked for; forgotten when other code may have run. */
  newest: { act: number; writes: number } | undefined;
}

const files = new WeakMap<Store, Seen>();
/** Files that are read as they are at this moment. */
const examined = new WeakSet<Store>();
/** One row by itself costs as much as so many of a whole chapter. */
const FEW = 4;
/** Rows remembered of a table; about 10 MB. */
const MOST_ROWS = 100_000;

/** Whether a file is read as it is just now. */
export function isExamined(store: Store): boolean {
  return examined.has(store);
}

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
  const rows = rowsOf(store, table);
  const last = lastAct(store);
  const { state } = askedOf(table);
  for (const id of ids) {
    const known = rows.get(id);
    if (known?.act === last && store.openAct === undefined) continue;
    const now = store.get<{ id: string; state: string }>(state, id);
    if (now === undefined || now.id !== id) throw damaged(store, table, id);
    if (known?.state !== now.state) lookAt(store, table, id);
    else if (store.openAct === undefined) known.act = last;
  }
}

/** The same of one row that was read with its hash and seal. */
export function assertRead(store: Store, table: TableName, id: string, state: string): void {
  if (!examined.has(store) && rowsOf(store, table).get(id)?.state !== state) lookAt(store, table, id);
}

/** Whether a row of this state was found sound; never while a file is read as it is. */
export function isSound(store: Store, table: TableName, id: string, state: string): boolean {
  return !examined.has(store) && rowsOf(store, table).get(id)?.state === state;
}

/** Notes a row that was found to have the hash and seal which it ought to have. */
export function noteSound(store: Store, table: TableName, id: string, state: string): void {
  rowsToAdd(store, table).set(id, { state, act: store.openAct === undefined ? lastAct(store) : 0 });
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
  assertLists(store, table, column, [value]);
}

/** The same of several lists: the table is gone through once for all of them. */
export function assertLists(store: Store, table: TableName, column: string, values: readonly string[]): void {
  const asked = JSON.stringify(values);
  onceAnAct(store, `${table} ${column} ${asked}`, () => {
    const listed = store.all<{ id: string; isSame: number | null }>(listSql(table, column), asked);
    const ids = listed.map(({ id }) => id);
    const [count] = store.list<number>(
      `SELECT count(*) FROM ${table} NOT INDEXED WHERE "${column}" IN (SELECT value FROM json_each(?))`,
      asked,
    );
    if (listed.some(({ isSame }) => isSame !== 1)) throw damaged(store, table, undefined);
    if (count !== ids.length || new Set(ids).size !== ids.length) throw damaged(store, table, undefined);
    assertRows(store, table, ids);
  });
}

/** Lists by their index, and whether what SQLite takes from there is the row's own: the row is found by its id, too. */
function listSql(table: TableName, column: string): string {
  const taken = ["rowid", column, ...("rank" in TABLES[table].columns ? ["rank"] : [])];
  const isSame = taken.map((name) => `r."${name}" = i."${name}"`).join(" AND ");
  return `SELECT i.id, ${isSame} AS isSame FROM ${table} i LEFT JOIN ${table} r ON r.id = i.id
    WHERE i."${column}" IN (SELECT value FROM json_each(?))`;
}

/**
 * Throws `Damaged` unless an index by a column that names rows of another table can be counted in: it is in order, has as many
 * entries as the table has rows, and no name in it is of nothing. 15 ms for 100,000 rows.
 */
export function assertIndex(
  store: Store,
  index: string,
  { table, column, parent }: { table: TableName; column: string; parent: TableName },
): void {
  onceAnAct(store, index, () => {
    const names = store.all<{ id: string; count: number; isKnown: number }>(
      `SELECT "${column}" AS id, count(*) AS count, "${column}" IN (SELECT id FROM ${parent}) AS isKnown
       FROM ${table} INDEXED BY ${index} GROUP BY 1`,
    );
    const [rows] = store.list<number>(`SELECT count(*) FROM ${table} NOT INDEXED`);
    const isInOrder = names.every(({ id, isKnown }, at) => isKnown === 1 && id > (names[at - 1]?.id ?? ""));
    if (!isInOrder || names.reduce((sum, { count }) => sum + count, 0) !== rows)
      throw damaged(store, table, undefined);
  });
}

/** Looks at something, all of one moment, unless nothing was written since it was sound. */
export function onceAnAct(store: Store, key: string, look: () => void): void {
  if (examined.has(store)) return;
  const { lists } = seenOf(store);
  const last = lastAct(store);
  if (lists.get(key) === last) return;
  store.snapshot(look);
  if (store.openAct === undefined) lists.set(key, last);
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

/**
 * Notes by how much the writing of its blocks has changed a chapter's digest. If what is remembered is not what the file had before,
 * it is not what the file has after, either.
 */
export function noteChange(store: Store, id: ChapterId, change: number): void {
  const { digests } = seenOf(store);
  const before = digests.get(id);
  if (before !== undefined) digests.set(id, addToDigest(before, change));
}

function lookAtRows(store: Store, id: ChapterId): void {
  const listed = listRows(store, id);
  for (const table of ["blocks", "mentions"] as const) {
    const rows = rowsOf(store, table);
    const unknown = listed[table].filter(({ id, state }) => rows.get(id)?.state !== state);
    const intact =
      unknown.length * FEW > listed[table].length ? intactRows(store, table, id) : new Map<string, string>();
    for (const row of unknown) {
      if (intact.get(row.id) === row.state) noteSound(store, table, row.id, row.state);
      else lookAt(store, table, row.id);
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

/** Throws `Damaged` unless a list has as many as the table says. */
export function assertCount(
  store: Store,
  table: TableName,
  listed: readonly unknown[],
  expected: number | undefined,
): void {
  if (!examined.has(store) && listed.length !== (expected ?? 0)) throw damaged(store, table, undefined);
}

interface Listed {
  id: string;
  state: string;
  rank: string;
  /** What it adds to its chapter's digest. */
  sum: number;
}

const LISTED = {
  // By the index, as a chapter is read, whose values SQLite takes from there, and the row's place: those must be the row's own.
  // In a WHERE it would compare neither, but the one that was asked for.
  blocks: `SELECT b.id, b.hash || ' ' || b.seal AS state, b.rank, iif(b.rowid = i.rowid AND b.chapter_id = i.chapter_id AND b.rank = i.rank, b.hash + b.seal, 0) AS sum
    FROM blocks i CROSS JOIN blocks b ON b.id = i.id WHERE i.chapter_id = ? ORDER BY i.rank, i.id`,
  mentions: `SELECT m.id, CAST(m.hash AS TEXT) AS state, '' AS rank, iif(m.rowid = i.rowid AND m.chapter_id = i.chapter_id, m.hash, 0) AS sum
    FROM mentions i CROSS JOIN mentions m ON m.id = i.id WHERE i.chapter_id = ?`,
} as const;

const addUp = (rows: readonly Listed[]): number => rows.reduce((sum, row) => addToDigest(sum, row.sum), 0);

function isAscending(rows: readonly Listed[]): boolean {
  return rows.every((row, index) => {
    const last = rows[index - 1];
    return last === undefined || last.rank < row.rank || (last.rank === row.rank && last.id < row.id);
  });
}

/** Looks at a row's columns themselves; one statement, so that no other program's write comes between. */
function lookAt(store: Store, table: TableName, id: string): void {
  const row = store.get<{ id: string; state: string; found: string }>(askedOf(table).found, id);
  if (row?.id !== id) throw damaged(store, table, id);
  if (row.found !== row.state) {
    if (isBeingWritten(store, row)) return;
    throw damaged(store, table, id);
  }
  noteSound(store, table, id, row.state);
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
  const rows = rowsToAdd(store, "blocks");
  for (const { id, hash, seal } of blocks) rows.set(id, { state: `${hash} ${seal}`, act: 0 });
}

function rowsToAdd(store: Store, table: TableName) {
  const rows = rowsOf(store, table);
  if (rows.size >= MOST_ROWS) rows.clear();
  return rows;
}

function rowsOf(store: Store, table: TableName) {
  const { rows } = seenOf(store);
  let own = rows.get(table);
  if (own === undefined) {
    own = new Map();
    rows.set(table, own);
  }
  return own;
}

/** The hash and seal that a row has, as text. */
function stateSql(table: TableName): string {
  return SEALED.includes(table) ? "hash || ' ' || seal" : "CAST(hash AS TEXT)";
}

/** What asks for a row's state alone, and with that which it ought to have. */
interface Asked {
  state: string;
  found: string;
}

/** Made once of each table that is asked for: text this long is slow to make. */
const asked = new Map<TableName, Asked>();

function askedOf(table: TableName): Asked {
  const known = asked.get(table);
  if (known !== undefined) return known;
  const [hash, seal, state] = [hashSql(table), sealSql(table), stateSql(table)];
  const found = seal === undefined ? `CAST(${hash} AS TEXT)` : `${hash} || ' ' || ${seal}`;
  const select = (more: string) => `SELECT id, ${state} AS state${more} FROM ${table} WHERE id = ?`;
  const made = { state: select(""), found: select(`, ${found} AS found`) };
  asked.set(table, made);
  return made;
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
      newest: undefined,
    };
    files.set(store, seen);
  }
  return seen;
}
