import type { ChapterId } from "../../ids.ts";
import { Damaged } from "../../refusals.ts";
import { shortened, WHOLE_EVERY } from "../file/delta.ts";
import { addToDigest, hashOfBlock, sealOfBlock } from "../file/hashes.ts";
import type { Store } from "../file/store.ts";
import { imageSql, numberSql } from "../file/triggers.ts";
import { type BlockRow, idsOf, insertLeaf, placeLeaves, releaseLeaves, type SealedBlock } from "./blocks.ts";

/** A block to be written over its row. */
export interface ChangedBlock extends SealedBlock {
  /** The row as it was read: it is written only if it still is that. */
  old: SealedBlock;
  /** Those of its journalled columns that change, as they were, as JSON. */
  before: string;
}

/** What is to become of a chapter's blocks. */
export interface BlockChanges {
  removed: readonly SealedBlock[];
  updated: readonly ChangedBlock[];
  inserted: readonly SealedBlock[];
}

/** The same with all that can be known of it before others have to wait for its being written. */
export interface BlockWrites extends BlockChanges {
  /** Those of the updated blocks that will hold other leaves. */
  others: readonly ChangedBlock[];
  counts: BlockCounts;
}

/** What a chapter's counts and digest change by; the digest's is modulo 2^48. */
export interface BlockCounts {
  words: number;
  leaves: number;
  digest: number;
}

/** Prepares the writing of blocks. */
export function prepareWrites(changes: BlockChanges): BlockWrites {
  const { removed, updated, inserted } = changes;
  const counts = { words: 0, leaves: 0, digest: 0 };
  const count = ({ words, leaves, hash, seal }: SealedBlock, sign: 1 | -1) => {
    counts.words += sign * words;
    counts.leaves += sign * leaves.length;
    counts.digest = addToDigest(counts.digest, sign * (hash + seal));
  };
  for (const block of removed) count(block, -1);
  for (const block of inserted) count(block, 1);
  for (const block of updated) {
    count(block.old, -1);
    count(block, 1);
  }
  return { ...changes, counts, others: updated.filter(holdsOthers) };
}

function holdsOthers({ leaves, old }: ChangedBlock): boolean {
  return leaves.length !== old.leaves.length || leaves.some((leaf, place) => leaf !== old.leaves[place]);
}

/** The block with its hash and seal, once all of it is known. About 8 µs. */
export function sealBlock(chapterId: ChapterId, block: BlockRow): SealedBlock {
  return {
    ...block,
    hash: hashOfBlock(block.id, chapterId, block),
    seal: sealOfBlock(block.id, block),
  };
}

/** A block as it is to stand in the row of another, in the same chapter. */
export function changedBlock(chapterId: ChapterId, old: SealedBlock, block: BlockRow): ChangedBlock {
  return { ...sealBlock(chapterId, block), old, before: JSON.stringify(formerBlock(chapterId, old, block)) };
}

/** Returns the journalled columns that change, as the history is to hold them; now and then the whole row. */
function formerBlock(
  chapterId: ChapterId,
  old: SealedBlock,
  block: BlockRow,
): Readonly<Record<string, unknown>> {
  const names = (["rank", "node", "source", "gap"] as const).filter((name) => old[name] !== block[name]);
  if (names.length > 0 && old.hash % WHOLE_EVERY === 0) {
    const { rank, node, source, gap } = old;
    return { chapter_id: chapterId, rank, node, source, gap };
  }
  return shortened(Object.fromEntries(names.map((name) => [name, old[name]])), { ...block });
}

/**
 * Writes blocks of one chapter; the anchors of removed rows must have been dropped or detached in the same act. The journal and
 * the chapter's counts are written here, for all of them together: triggers would raise the counts row by row. Throws `Damaged`
 * if a row is not what was read, `Conflict` if a leaf stands elsewhere.
 */
export function writeBlocks(store: Store, chapterId: ChapterId, writes: BlockWrites): void {
  const { removed, updated, inserted, others, counts } = writes;
  if (removed.length + updated.length + inserted.length === 0) return;
  store.run("UPDATE current_act SET at_once = 1");
  journalBlocks(store, chapterId, writes);
  releaseLeaves(store, removed);
  if (removed.length > 0)
    store.run("DELETE FROM blocks WHERE id IN (SELECT value FROM json_each(?))", idsOf(removed));
  for (const block of updated) updateRow(store, chapterId, block);
  releaseLeaves(store, others);
  placeLeaves(store, chapterId, others);
  insertRows(store, chapterId, inserted);
  store.run("UPDATE current_act SET at_once = NULL");
  raiseCounts(store, chapterId, counts);
}

/** Deletes all blocks of chapters that are deleted in the same act, with what stands beside them: so nothing is counted. */
export function deleteBlocks(store: Store, chapterIds: readonly ChapterId[]): void {
  const chapters = JSON.stringify(chapterIds);
  store.run("UPDATE current_act SET at_once = 1");
  store.run(JOURNAL_ALL_REMOVED, chapters);
  store.run(`DELETE FROM leaves WHERE row_id IN (SELECT id FROM blocks WHERE ${OF_CHAPTERS})`, chapters);
  store.run(`DELETE FROM blocks WHERE ${OF_CHAPTERS}`, chapters);
  store.run("UPDATE current_act SET at_once = NULL");
}

const OF_CHAPTERS = "chapter_id IN (SELECT value FROM json_each(?))";

function raiseCounts(store: Store, chapterId: ChapterId, { words, leaves, digest }: BlockCounts): void {
  store.run(COUNT, words, leaves, digest, chapterId);
}

// By differences, so that a write costs the same in a chapter of any length.
const COUNT = `UPDATE chapters SET word_count = word_count + ?, block_count = block_count + ?,
  digest = (digest + ?) & 281474976710655 WHERE id = ?`;

// What the triggers of single rows would write.
function journalBlocks(store: Store, chapterId: ChapterId, { removed, updated }: BlockWrites): void {
  if (removed.length > 0) store.run(JOURNAL_REMOVED, idsOf(removed));
  for (const { id, before } of updated)
    if (before !== "{}") store.run(JOURNAL_UPDATED, id, chapterId, before);
}

const ACT = "(SELECT seq FROM current_act)";
const COLUMNS = "act, tbl, row_no, op, chapter_no";
const REMOVED = `INSERT INTO journal_entries(${COLUMNS}, before) SELECT ${ACT}, 'blocks', ${numberSql("b.id")}, 'delete', ${numberSql("b.chapter_id")}, ${imageSql("blocks", "b")} FROM`;
const JOURNAL_REMOVED = `${REMOVED} json_each(?) e CROSS JOIN blocks b ON b.id = e.value`;
const JOURNAL_ALL_REMOVED = `${REMOVED} blocks b WHERE ${OF_CHAPTERS}`;
const JOURNAL_UPDATED = `INSERT INTO journal_entries(${COLUMNS}, before) VALUES(${ACT}, 'blocks', ${numberSql("?")}, 'update', ${numberSql("?")}, ?)`;
const JOURNAL_INSERTED = `INSERT INTO journal_entries(${COLUMNS}) SELECT ${ACT}, 'blocks', ids.no, 'insert', ${numberSql("?")} FROM json_each(?) e CROSS JOIN ids ON ids.id = e.value ORDER BY e.key`;
const NUMBER_IDS = "INSERT INTO ids(id) SELECT value FROM json_each(?) WHERE true ON CONFLICT DO NOTHING";

const TEXTS =
  "node = ?, source = ?, gap = ?, type = ?, text = ?, words = ?, hash = ?, seal = ? WHERE id = ? AND hash = ? AND seal = ?";
// SQLite writes the entries of an index anew for every column that is named, whether it changes or not.
const UPDATE_IN_PLACE = `UPDATE blocks SET ${TEXTS}`;
const UPDATE_AND_MOVE = `UPDATE blocks SET rank = ?, ${TEXTS}`;

function updateRow(store: Store, chapterId: ChapterId, { old, ...block }: ChangedBlock): void {
  const { id, rank, node, source, gap, type, text, words, hash, seal } = block;
  const values = [node, source, gap, type, text, words, hash, seal, id, old.hash, old.seal];
  const written =
    rank === old.rank ? store.run(UPDATE_IN_PLACE, ...values) : store.run(UPDATE_AND_MOVE, rank, ...values);
  if (written !== 1) throw new Damaged(`a paragraph of chapter ${chapterId}`);
}

function insertRows(store: Store, chapterId: ChapterId, blocks: readonly SealedBlock[]): void {
  if (blocks.length === 0) return;
  const ids = blocks.map(({ id }) => id);
  store.run(NUMBER_IDS, JSON.stringify([chapterId, ...ids]));
  store.run(JOURNAL_INSERTED, chapterId, JSON.stringify(ids));
  for (const block of blocks) insertRow(store, chapterId, block);
}

function insertRow(store: Store, chapterId: ChapterId, block: SealedBlock): void {
  const { id, rank, node, source, gap, type, text, words, hash, seal } = block;
  store.run(
    `INSERT INTO blocks(id, chapter_id, rank, node, source, gap, type, text, words, hash, seal) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    chapterId,
    rank,
    node,
    source,
    gap,
    type,
    text,
    words,
    hash,
    seal,
  );
  for (const [place, leaf] of block.leaves.entries()) insertLeaf(store, leaf, { row: id, chapterId, place });
}
