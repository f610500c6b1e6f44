import type { BlockId, ChapterId } from "../../ids.ts";
import { Conflict } from "../../refusals.ts";
import { hashSql, sealOfBlock } from "../file/hashes.ts";
import { MAY_DEFINE } from "../file/schema.ts";
import type { Store } from "../file/store.ts";
import { assertBlock, assertChapter, isUnchecked } from "./integrity.ts";

/** A top-level block of a chapter as it is stored. `id` names the row and is never shown. */
export interface BlockRow {
  id: string;
  rank: string;
  /** ProseMirror JSON, without mention marks. */
  node: string;
  source: string;
  gap: string;
  type: string;
  /** Plain text for reading. */
  text: string;
  words: number;
  /** The `blockId` of each leaf, in order. */
  leaves: readonly BlockId[];
}

/** A block with what says that it is sound. */
export interface SealedBlock extends BlockRow {
  hash: number;
  seal: number;
}

/** Everything about a block that follows from its node. */
export type DerivedBlock = Pick<BlockRow, "type" | "text" | "words" | "leaves">;

/** Computes what follows from a node; prose knows how, the store only when. */
export type DeriveBlock = (node: string) => DerivedBlock;

const COLUMNS = `b.id, b.rank, b.node, b.source, b.gap, b.type, b.text, b.words, b.hash, b.seal,
  (SELECT json_group_array(l.id) FROM (SELECT id FROM leaves WHERE row_id = b.id ORDER BY place) l) AS leaves`;

type Raw = Omit<SealedBlock, "leaves"> & { leaves: string };
const shape = (row: Raw): SealedBlock => ({ ...row, leaves: JSON.parse(row.leaves) });

const IN_ORDER = `SELECT ${COLUMNS} FROM blocks b WHERE b.chapter_id = ? ORDER BY b.rank, b.id`;

/** A chapter's blocks in reading order. */
export function listBlocks(store: Store, chapterId: ChapterId): SealedBlock[] {
  assertChapter(store, chapterId);
  return store.all<Raw>(IN_ORDER, chapterId).map(shape);
}

/** The blocks of these rows, in any order. */
export function listBlocksOf(store: Store, ids: readonly string[]): SealedBlock[] {
  const sql = `SELECT b.chapter_id AS chapterId, ${COLUMNS} FROM json_each(?) e CROSS JOIN blocks b ON b.id = e.value`;
  return store.all<Placed>(sql, JSON.stringify(ids)).map((row) => intact(store, row.chapterId, row));
}

/** The blocks of a chapter in whose Markdown one of these stands, in capitals or not, in reading order. */
export function listBlocksWith(store: Store, chapterId: ChapterId, texts: readonly string[]): SealedBlock[] {
  const isIn = texts.map(() => "b.source LIKE '%' || ? || '%'").join(" OR ");
  assertChapter(store, chapterId);
  const rows = store.all<Raw>(
    `SELECT ${COLUMNS} FROM blocks b WHERE b.chapter_id = ? AND (${isIn}) ORDER BY b.rank, b.id`,
    chapterId,
    ...texts,
  );
  return rows.map(shape);
}

/** The nodes of a chapter's blocks in reading order, nothing else of them: for those who read much. */
export function listNodes(store: Store, chapterId: ChapterId): string[] {
  assertChapter(store, chapterId);
  return store.list("SELECT node FROM blocks WHERE chapter_id = ? ORDER BY rank, id", chapterId);
}

const OF_LEAF = `SELECT ${COLUMNS} FROM leaves f JOIN blocks b ON b.id = f.row_id WHERE f.id = ? AND f.chapter_id = ?`;

/** The top-level block that holds this leaf, if the leaf is in this chapter. Costs the same in any chapter. */
export function findBlockOf(store: Store, chapterId: ChapterId, blockId: BlockId): SealedBlock | undefined {
  const row = store.get<Raw>(OF_LEAF, blockId, chapterId);
  if (row !== undefined) return intact(store, chapterId, row);
  assertChapter(store, chapterId); // it may be one that an index has lost
  return undefined;
}

/** The rows that hold these leaves, each once. */
export function rowsOfLeaves(store: Store, blockIds: readonly BlockId[]): string[] {
  return store.list(
    "SELECT DISTINCT row_id FROM leaves WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(blockIds),
  );
}

/** Those of these rows that exist, each with its chapter. */
export function findRows(
  store: Store,
  rowIds: readonly string[],
): (SealedBlock & { chapterId: ChapterId })[] {
  const rows = store.all<Placed>(
    `SELECT b.chapter_id AS chapterId, ${COLUMNS} FROM blocks b WHERE b.id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(rowIds),
  );
  return rows.map((row) => ({ ...intact(store, row.chapterId, row), chapterId: row.chapterId }));
}

/** The nodes of those of these blocks that exist. */
export function findNodes(store: Store, rowIds: readonly string[]): Pick<BlockRow, "node">[] {
  const rows = store.all<Pick<BlockRow, "node"> & { chapterId: ChapterId }>(
    "SELECT chapter_id AS chapterId, node FROM blocks WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(rowIds),
  );
  for (const chapterId of new Set(rows.map((row) => row.chapterId))) assertChapter(store, chapterId);
  return rows;
}

/** The chapter of each of these leaves, if it exists anywhere in the file. */
export function chaptersOfLeaves(store: Store, blockIds: readonly BlockId[]): Map<BlockId, ChapterId> {
  const rows = store.all<{ id: BlockId; chapterId: ChapterId }>(
    "SELECT id, chapter_id AS chapterId FROM leaves WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(blockIds),
  );
  return new Map(rows.map(({ id, chapterId }) => [id, chapterId]));
}

// Left to itself, SQLite walks the whole chapter to save itself the sort.
const DEFINING = `SELECT ${COLUMNS} FROM blocks b INDEXED BY blocks_definitions WHERE chapter_id = ? AND (${MAY_DEFINE}) ORDER BY b.rank, b.id`;

/** The blocks of a chapter that may hold link reference definitions, or have some after them, in reading order. */
export function listDefining(store: Store, chapterId: ChapterId): SealedBlock[] {
  return store.all<Raw>(DEFINING, chapterId).map((row) => intact(store, chapterId, row));
}

type Placed = Raw & { chapterId: ChapterId };

/** A row that was read by itself. Throws `Damaged` unless it is what was written. */
function intact(store: Store, chapterId: ChapterId, row: Raw): SealedBlock {
  const block = shape(row);
  if (!isUnchecked(store)) assertBlock(chapterId, block);
  return block;
}

const BEFORE = `SELECT ${COLUMNS} FROM blocks b WHERE b.chapter_id = ? AND b.rank < ? ORDER BY b.rank DESC LIMIT 1`;
const AFTER = `SELECT ${COLUMNS} FROM blocks b WHERE b.chapter_id = ? AND b.rank > ? ORDER BY b.rank LIMIT 1`;

/** The blocks before and after this one, if there are any. Costs the same in any chapter. */
export function findNeighbours(
  store: Store,
  chapterId: ChapterId,
  { rank }: Pick<BlockRow, "rank">,
): { before: SealedBlock | undefined; after: SealedBlock | undefined } {
  const next = (sql: string) => {
    const row = store.get<Raw>(sql, chapterId, rank);
    return row && intact(store, chapterId, row);
  };
  return { before: next(BEFORE), after: next(AFTER) };
}

const FIRST = `SELECT ${COLUMNS} FROM blocks b WHERE b.chapter_id = ? ORDER BY b.rank, b.id LIMIT 1`;

/** The first block of a chapter, or undefined. */
export function findFirst(store: Store, chapterId: ChapterId): SealedBlock | undefined {
  const row = store.get<Raw>(FIRST, chapterId);
  return row && intact(store, chapterId, row);
}

/** How large a chapter is: its native document without mentions, and its Markdown, in bytes. */
export interface ChapterSize {
  documentBytes: number;
  markdownBytes: number;
}

/** Sums up a chapter's blocks. O(rows): SQLite knows the length of a text without reading it. */
export function measureChapter(store: Store, chapterId: ChapterId): ChapterSize {
  return store.get<ChapterSize>(
    `SELECT coalesce(sum(octet_length(node) + 1), 0) AS documentBytes,
       coalesce(sum(octet_length(source) + octet_length(gap)), 0) AS markdownBytes FROM blocks WHERE chapter_id = ?`,
    chapterId,
  )!; // an aggregate has a row
}

const HASH = hashSql("blocks");

/**
 * Computes the derived columns of these rows again, and which leaves they hold; a deleted row is skipped.
 * Throws `Conflict` if a leaf is elsewhere by now.
 */
export function refreshBlocks(store: Store, rowIds: readonly string[], derive: DeriveBlock): void {
  const rows = rowIds.flatMap((id) => {
    const row = store.get<{ node: string; chapterId: ChapterId }>(
      "SELECT node, chapter_id AS chapterId FROM blocks WHERE id = ?",
      id,
    );
    return row === undefined ? [] : [{ id, chapterId: row.chapterId, block: derive(row.node) }];
  });
  const others = withOtherLeaves(
    store,
    rows.map(({ id, chapterId, block }) => ({ id, chapterId, leaves: block.leaves })),
  );
  releaseLeaves(store, others);
  for (const { id, block } of rows) {
    store.run(
      `UPDATE blocks SET type = :type, text = :text, words = :words, hash = ${HASH}, seal = :seal WHERE id = :id`,
      {
        ...block,
        id,
        seal: sealOfBlock(id, block),
      },
    );
  }
  for (const other of others) placeLeaves(store, other.chapterId, [other]);
}

interface Holder {
  id: string;
  leaves: readonly BlockId[];
}

/** Those of the rows that hold other leaves than they will. */
function withOtherLeaves<Row extends Holder>(store: Store, rows: readonly Row[]): Row[] {
  const stored = new Map<string, BlockId[]>();
  for (const { row, leaf } of store.all<{ row: string; leaf: BlockId }>(
    "SELECT l.row_id AS row, l.id AS leaf FROM json_each(?) e CROSS JOIN leaves l ON l.row_id = e.value ORDER BY l.row_id, l.place",
    idsOf(rows),
  )) {
    const held = stored.get(row);
    if (held === undefined) stored.set(row, [leaf]);
    else held.push(leaf);
  }
  return rows.filter(({ id, leaves }) => {
    const held = stored.get(id) ?? [];
    return held.length !== leaves.length || held.some((leaf, place) => leaf !== leaves[place]);
  });
}

/** Deletes the leaves of rows that will be gone or hold others, before any of them gets one. */
export function releaseLeaves(store: Store, rows: readonly Pick<Holder, "id">[]): void {
  if (rows.length > 0)
    store.run("DELETE FROM leaves WHERE row_id IN (SELECT value FROM json_each(?))", idsOf(rows));
}

/** The ids of rows, as JSON. */
export function idsOf(rows: readonly { id: string }[]): string {
  return JSON.stringify(rows.map(({ id }) => id));
}

/**
 * Takes leaves off the rows that hold them, for they are to be put into others; the rows must be written in the same act, by
 * what was read of them before. Their chapters' counts change then.
 */
export function releaseMoved(store: Store, leaves: readonly BlockId[]): void {
  if (leaves.length === 0) return;
  store.run("UPDATE current_act SET at_once = 1");
  store.run("DELETE FROM leaves WHERE id IN (SELECT value FROM json_each(?))", JSON.stringify(leaves));
  store.run("UPDATE current_act SET at_once = NULL");
}

/** Gives rows without leaves theirs. Throws `Conflict` if one stands elsewhere. */
export function placeLeaves(store: Store, chapterId: ChapterId, rows: readonly Holder[]): void {
  for (const { id: row, leaves } of rows) {
    for (const [place, leaf] of leaves.entries()) {
      if (store.get("SELECT 1 FROM leaves WHERE id = ?", leaf) !== undefined) {
        throw standsElsewhere(leaf);
      }
      insertLeaf(store, leaf, { row, chapterId, place });
    }
  }
}

/** The refusal to put back a leaf that is somewhere else. */
export function standsElsewhere(leaf: BlockId): Conflict {
  return new Conflict(`Paragraph ${leaf} stands elsewhere by now. Undo the later acts first.`, {
    standing: [{ table: "blocks", id: leaf, reason: "changed" }],
  }).helpedBy({ call: "listActs" });
}

/** Gives a row one of its leaves, which must be nowhere in the file. */
export function insertLeaf(
  store: Store,
  leaf: BlockId,
  { row, chapterId, place }: { row: string; chapterId: ChapterId; place: number },
): void {
  store.run(
    "INSERT INTO leaves(id, row_id, chapter_id, place) VALUES(?, ?, ?, ?)",
    leaf,
    row,
    chapterId,
    place,
  );
}
