import type { BlockId, BookId, ChapterId, FactId, MentionId } from "../../ids.ts";
import { groupBy } from "../../text/group-by.ts";
import { hashOf } from "../file/hashes.ts";
import type { Store } from "../file/store.ts";
import { assertChapter, type Hashable, intactRows, intactSql } from "./integrity.ts";

/** A mention as stored; offsets are UTF-16 in the text of its leaf block. */
export interface MentionRow {
  id: MentionId;
  factId: FactId;
  chapterId: ChapterId;
  blockId: BlockId;
  from: number;
  to: number;
  text: string;
  /** The fact's name. */
  name: string;
}

const COLUMNS = `m.id, m.fact_id AS factId, m.chapter_id AS chapterId, m.block_id AS blockId, m.start AS "from", m."end" AS "to", m.text, f.name`;
const MENTION = `SELECT ${COLUMNS} FROM mentions m JOIN facts f ON f.id = m.fact_id`;

/** The mentions of a chapter, by place within their block. */
export function listChapterMentions(store: Store, chapterId: ChapterId): MentionRow[] {
  assertChapter(store, chapterId);
  return store.all<MentionRow>(
    `${MENTION} WHERE m.chapter_id = ? ORDER BY m.start, m."end", m.id`,
    chapterId,
  );
}

/** The mentions on these leaves. */
export function listBlockMentions(store: Store, blockIds: readonly BlockId[]): MentionRow[] {
  const mentions = store.all<Hashable<MentionRow>>(
    `SELECT ${COLUMNS}, ${intactSql("mentions", "m")} FROM mentions m JOIN facts f ON f.id = m.fact_id
     WHERE m.block_id IN (SELECT value FROM json_each(?)) ORDER BY m.start, m."end", m.id`,
    JSON.stringify(blockIds),
  );
  return intactRows(store, ({ chapterId }) => `a mention of chapter ${chapterId}`, mentions);
}

/** The leaf of each of these mentions, if it exists. */
export function listMentionBlocks(store: Store, ids: readonly string[]): BlockId[] {
  return store.list(
    "SELECT DISTINCT block_id FROM mentions WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(ids),
  );
}

/** Those of these blocks' rows that hold mentions. */
export function listMarkedRows(store: Store, rowIds: readonly string[]): string[] {
  return store.list(
    `SELECT DISTINCT l.row_id FROM json_each(?) e CROSS JOIN leaves l ON l.row_id = e.value
     WHERE EXISTS (SELECT 1 FROM mentions m WHERE m.block_id = l.id)`,
    JSON.stringify(rowIds),
  );
}

/** The mentions of a fact in reading order, each with its chapter's title and the row of the block that holds it. */
export function listFactMentions(
  store: Store,
  factId: FactId,
): (MentionRow & { chapterTitle: string; rowId: string })[] {
  const mentions = store.all<MentionRow & { chapterTitle: string; rowId: string }>(
    `SELECT ${COLUMNS}, c.title AS chapterTitle, l.row_id AS rowId FROM mentions m JOIN facts f ON f.id = m.fact_id JOIN chapters c ON c.id = m.chapter_id
   JOIN leaves l ON l.id = m.block_id JOIN blocks b ON b.id = l.row_id
   WHERE m.fact_id = ? ORDER BY c.rank, c.id, b.rank, b.id, l.place, m.start, m.id`,
    factId,
  );
  for (const chapterId of new Set(mentions.map((mention) => mention.chapterId)))
    assertChapter(store, chapterId);
  return mentions;
}

/** How often a fact is mentioned. */
export function countMentions(store: Store, id: FactId): number {
  return store.list<number>("SELECT count(*) FROM mentions WHERE fact_id = ?", id)[0]!; // an aggregate has one row
}

/** The same of each of a book's facts. */
export function countAllMentions(store: Store, bookId: BookId): Map<FactId, number> {
  const counted = store.all<{ id: FactId; count: number }>(
    "SELECT id, (SELECT count(*) FROM mentions WHERE fact_id = f.id) AS count FROM facts f WHERE book_id = ?",
    bookId,
  );
  return new Map(counted.map(({ id, count }) => [id, count]));
}

/** Anchors mentions; their leaves must be there by the end of the act. */
export function insertMentions(store: Store, mentions: readonly Omit<MentionRow, "name">[]): void {
  if (mentions.length > 0) insertPrepared(store, prepareMentions(mentions));
}

/**
 * The rows of new mentions as JSON, so that many are written by one statement. Each has its hash: were that given to it later, its
 * chapter would be counted twice.
 */
export function prepareMentions(mentions: readonly Omit<MentionRow, "name">[]): string {
  const rows = mentions.map((mention) => {
    const { id, factId, chapterId, blockId, from, to, text } = mention;
    return [id, factId, chapterId, blockId, from, to, text, hashOfMention(mention)];
  });
  return JSON.stringify(rows);
}

function hashOfMention({ id, factId, chapterId, blockId, from, to, text }: Omit<MentionRow, "name">): number {
  const row = { fact_id: factId, chapter_id: chapterId, block_id: blockId, start: from, end: to, text };
  return hashOf("mentions", id, row);
}

const INSERT = `INSERT INTO mentions(id, fact_id, chapter_id, block_id, start, "end", text, hash)
  SELECT ${[0, 1, 2, 3, 4, 5, 6, 7].map((at) => `value ->> ${at}`).join(", ")} FROM jsonb_each(?)`;

/** The same of mentions that were prepared before others had to wait for them. */
export function insertPrepared(store: Store, mentions: string): void {
  store.run(INSERT, mentions);
}

/** Moves a mention to another span, or to another fact. */
export function updateMention(store: Store, mention: Omit<MentionRow, "name">): void {
  store.run(
    'UPDATE mentions SET fact_id = :factId, block_id = :blockId, start = :from, "end" = :to, text = :text, hash = :hash WHERE id = :id',
    { ...mention, hash: hashOfMention(mention) },
  );
}

/** Removes mentions. */
export function deleteMentions(store: Store, mentions: readonly { id: MentionId }[]): void {
  if (mentions.length === 0) return;
  const ids = JSON.stringify(mentions.map(({ id }) => id));
  store.run("DELETE FROM mentions WHERE id IN (SELECT value FROM json_each(?))", ids);
}

/** Mentions by their block. */
export function byBlock(mentions: readonly MentionRow[]): Map<string, MentionRow[]> {
  return groupBy(mentions, ({ blockId }) => blockId);
}

/** A chapter, and each of its mentions as `BLOCK FACT`, a line each and in no order; null without any. */
export interface NamedIn {
  id: ChapterId;
  title: string;
  named: string | null;
}

/** What is named in each chapter of a book, in reading order: 30,000 mentions leave SQLite in 5 ms as so few texts. */
export function listNamed(store: Store, bookId: BookId): NamedIn[] {
  const chapters = store.all<NamedIn>(
    `SELECT id, title, (SELECT group_concat(block_id || ' ' || fact_id, char(10)) FROM mentions WHERE chapter_id = c.id) AS named
     FROM chapters c WHERE book_id = ? ORDER BY rank, id`,
    bookId,
  );
  for (const { id } of chapters) assertChapter(store, id);
  return chapters;
}
