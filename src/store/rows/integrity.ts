import type { ChapterId } from "../../ids.ts";
import { Damaged } from "../../refusals.ts";
import {
  addToDigest,
  type Hashed,
  hashed,
  hashOfBlock,
  hashSql,
  leavesSql,
  rowHash,
  sealOfBlock,
} from "../file/hashes.ts";
import type { Store } from "../file/store.ts";

// A chapter is proved when it is read: each of its rows has the hash of what it holds, and the hashes add up to the chapter's
// digest. SQLite checks everything else.

/** Chapters that were proved since the file was opened, each with its version then. */
const proved = new WeakMap<Store, Map<ChapterId, string>>();
/** Files that are read as they are at this moment. */
const unchecked = new WeakSet<Store>();

/** True while a file is read as it is, damage and all. */
export function isUnchecked(store: Store): boolean {
  return unchecked.has(store);
}

/** Reads a file as it is, damage and all: for those who look for damage. */
export function asStored<Result>(store: Store, read: () => Result): Result {
  unchecked.add(store);
  try {
    return read();
  } finally {
    unchecked.delete(store);
  }
}

const VERSION = "SELECT revision || '.' || version FROM chapters WHERE id = ?";

/**
 * Throws `Damaged` unless a chapter's own row, its blocks and its mentions are what was written, all of them there and in order. One
 * that does not exist is not damaged. O(blocks), about 10 µs each, once for each version of the chapter.
 */
export function assertChapter(store: Store, id: ChapterId): void {
  if (unchecked.has(store)) return;
  const [version] = store.list<string>(VERSION, id);
  if (version === undefined || proved.get(store)?.get(id) === version) return;
  store.snapshot(() => proveChapter(store, id));
  if (store.openAct !== undefined) return; // it may yet be rolled back
  const chapters = proved.get(store) ?? new Map<ChapterId, string>();
  proved.set(store, chapters.set(id, version));
}

type Row = Record<string, Hashed>;

const COLUMNS = { chapters: hashed("chapters"), mentions: hashed("mentions") };
const columns = (table: keyof typeof COLUMNS, row: string) =>
  ["id", ...COLUMNS[table], "hash"].map((column) => `${row}."${column}"`).join(", ");
const CHAPTER = `SELECT ${columns("chapters", "c")}, c.digest FROM chapters c WHERE c.id = ?`;
// SQLite takes these values from the index where a chapter is read: they must be the row's own.
const BLOCKS = `SELECT b.id, b.rank, b.node, b.source, b.gap, b.type, b.text, b.words, b.hash, b.seal, ${leavesSql("b")} AS leaves,
  b.rowid = i.rowid AND b.chapter_id = i.chapter_id AND b.rank = i.rank AS isListed
  FROM blocks i CROSS JOIN blocks b ON b.id = i.id WHERE i.chapter_id = ? ORDER BY i.rank, i.id`;
const MENTIONS = `SELECT ${columns("mentions", "m")}, m.rowid = i.rowid AND m.chapter_id = i.chapter_id AS isListed
  FROM mentions i CROSS JOIN mentions m ON m.id = i.id WHERE i.chapter_id = ?`;

function proveChapter(store: Store, id: ChapterId): void {
  const chapter = store.get<Row>(CHAPTER, id);
  if (chapter === undefined) return; // another program has deleted it
  const fail = (what = "") => new Damaged(`${what}chapter ${id}`);
  const assertHash = (table: keyof typeof COLUMNS, row: Row, what = "") => {
    const values = COLUMNS[table].map((column) => row[column] ?? null);
    if (rowHash(table, String(row.id), ...values) !== row.hash && !isBeingWritten(store, String(row.id)))
      throw fail(what);
  };
  assertHash("chapters", chapter);
  let sum = 0;
  let last = "";
  for (const { isListed, leaves, ...block } of store.prepare(BLOCKS).iterate(id) as Iterable<Listed>) {
    assertBlock(id, { ...block, leaves: leaves === "" ? [] : leaves.split(" ") });
    const place = `${block.rank} ${block.id}`;
    if (isListed !== 1 || place <= last) throw fail();
    sum = addToDigest(sum, block.hash + block.seal);
    last = place;
  }
  for (const mention of store.all<Row>(MENTIONS, id)) {
    if (mention.isListed !== 1) throw fail();
    assertHash("mentions", mention, "a mention of ");
    sum = addToDigest(sum, Number(mention.hash));
  }
  if (sum !== chapter.digest) throw fail();
}

/** A block with its hashes, and what they are of. */
type HashedBlock = { id: string; hash: number; seal: number } & Parameters<typeof hashOfBlock>[2] &
  Parameters<typeof sealOfBlock>[1];

type Listed = Omit<HashedBlock, "leaves"> & { leaves: string; isListed: number };

/** Throws `Damaged` unless a block that was read with its hashes is what was written. About 10 µs. */
export function assertBlock(chapterId: ChapterId, block: HashedBlock): void {
  const isIntact =
    hashOfBlock(block.id, chapterId, block) === block.hash && sealOfBlock(block.id, block) === block.seal;
  if (!isIntact) throw new Damaged(`a paragraph of chapter ${chapterId}`);
}

/** True if the act that runs has written a row, which gets its hash when the act ends. */
function isBeingWritten(store: Store, id: string): boolean {
  const act = store.openAct;
  // The plus keeps SQLite from walking through all that the act has written.
  const written = "SELECT 1 FROM journal WHERE row_id = ? AND +act = ?";
  return act !== undefined && store.get(written, id, act) !== undefined;
}

/** A row that was read with whether it has the hash of what it holds. */
export type Hashable<Row> = Row & { isIntact: 0 | 1 };

/** `isIntact` of a row in SQL. */
export function intactSql(table: "mentions" | "snippets", row: string): string {
  return `${row}.hash = ${hashSql(table, row)} AS isIntact`;
}

/** The rows, without that. Throws `Damaged` unless each is what was written. About 5 µs each. */
export function intactRows<Row extends { id: string }>(
  store: Store,
  what: (row: Row) => string,
  rows: readonly Hashable<Row>[],
): Row[] {
  return rows.map(({ isIntact, ...row }) => {
    const known = row as unknown as Row; // all but what was added
    if (isIntact === 1 || unchecked.has(store) || isBeingWritten(store, row.id)) return known;
    throw new Damaged(what(known));
  });
}
