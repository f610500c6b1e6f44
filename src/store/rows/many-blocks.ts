import type { ChapterId } from "../../ids.ts";
import type { Store } from "../file/store.ts";
import { sumSql } from "../schema/hashes.ts";
import { imageSql } from "../schema/triggers.ts";
import { addBlocks, type BlockWrites, deleteBlocks, updateBlocks } from "./blocks.ts";
import { noteWritten } from "./sound.ts";

/** From so many on, what a chapter is counted for twice is less than what each row is counted for by itself. */
const MANY = 500;

/**
 * Writes blocks of one chapter; the anchors of removed rows must have been dropped or detached in the same act. Of many,
 * the journal and the chapter's counts are written for all together: a third of the time that others wait.
 */
export function writeBlocks(store: Store, chapterId: ChapterId, writes: BlockWrites): void {
  const { removed, updated, inserted } = writes;
  if (removed.length + updated.length + inserted.length < MANY) {
    apply(store, chapterId, writes);
    return;
  }
  const before = countBlocks(store, chapterId);
  store.run("UPDATE current_act SET at_once = 1");
  journalMany(store, chapterId, writes);
  const leaves = apply(store, chapterId, writes);
  noteWritten(store, [...updated, ...inserted]);
  store.run("UPDATE current_act SET at_once = NULL");
  const after = countBlocks(store, chapterId);
  store.run(
    `UPDATE chapters SET word_count = word_count + ?, block_count = block_count + ?,
       digest = (digest + ? - ?) & 281474976710655, seal = 0 WHERE id = ?`,
    after.words - before.words,
    leaves,
    after.sum,
    before.sum,
    chapterId,
  );
}

/** Returns how many leaves the chapter has got; fewer if negative. */
function apply(store: Store, chapterId: ChapterId, { removed, updated, inserted }: BlockWrites): number {
  return (
    deleteBlocks(store, removed) +
    updateBlocks(store, chapterId, updated) +
    addBlocks(store, chapterId, inserted)
  );
}

// What the triggers of single rows write.
function journalMany(store: Store, chapterId: ChapterId, { removed, updated, inserted }: BlockWrites): void {
  store.run(
    `INSERT INTO journal(act, tbl, row_id, op, chapter, before)
     SELECT (SELECT seq FROM current_act), 'blocks', b.id, 'delete', b.chapter_id, ${imageSql("blocks", "b")}
     FROM json_each(?) e CROSS JOIN blocks b ON b.id = e.value ORDER BY e.key`,
    JSON.stringify(removed),
  );
  store.run(
    `INSERT INTO journal(act, tbl, row_id, op, chapter, before)
     SELECT (SELECT seq FROM current_act), 'blocks', value ->> 0, 'update', ?, value ->> 1 FROM json_each(?) ORDER BY key`,
    chapterId,
    JSON.stringify(updated.flatMap(({ id, before }) => (before === "{}" ? [] : [[id, before]]))),
  );
  store.run(
    `INSERT INTO journal(act, tbl, row_id, op, chapter)
     SELECT (SELECT seq FROM current_act), 'blocks', value, 'insert', ? FROM json_each(?) ORDER BY key`,
    chapterId,
    JSON.stringify(inserted.map(({ id }) => id)),
  );
}

function countBlocks(store: Store, chapterId: ChapterId): { words: number; sum: number } {
  return store.get<{ words: number; sum: number }>(
    `SELECT coalesce(sum(words), 0) AS words, ${sumSql("hash + seal")} & 281474976710655 AS sum FROM blocks WHERE chapter_id = ?`,
    chapterId,
  )!; // an aggregate has a row
}
