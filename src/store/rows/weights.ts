import type { BookId, ChapterId, FactId } from "../../ids.ts";
import type { Store } from "../file/store.ts";

// How much a request would have to read or write, asked of indexes alone: each takes some microseconds.

/** Whether a chapter has more than so many blocks, mentions or notes. */
export function isLongChapter(store: Store, id: ChapterId, rows: number): boolean {
  return (
    exceeds(store, "SELECT 1 FROM blocks WHERE chapter_id = ?", id, rows) ||
    exceeds(store, "SELECT 1 FROM mentions WHERE chapter_id = ?", id, rows) ||
    exceeds(store, "SELECT 1 FROM snippets WHERE chapter_id = ?", id, rows)
  );
}

/** Whether a book has more than so many blocks. */
export function isLongBook(store: Store, id: BookId, rows: number): boolean {
  const blocks = "SELECT 1 FROM chapters c JOIN blocks b ON b.chapter_id = c.id WHERE c.book_id = ?";
  return exceeds(store, blocks, id, rows);
}

const BOOK = {
  bookId: "?",
  chapterId: "(SELECT book_id FROM chapters WHERE id = ?)",
  milestoneId: "(SELECT book_id FROM milestones WHERE id = ?)",
} as const;

/** What names a book: itself, or what is in it. */
export type InBook = keyof typeof BOOK;

/** Whether a book has more than so many chapters. */
export function hasManyChapters(store: Store, named: InBook, id: string, chapters: number): boolean {
  return exceeds(store, `SELECT 1 FROM chapters WHERE book_id = ${BOOK[named]}`, id, chapters);
}

/** Whether a fact is mentioned more often than that. */
export function isOftenMentioned(store: Store, id: FactId, rows: number): boolean {
  return exceeds(store, "SELECT 1 FROM mentions WHERE fact_id = ?", id, rows);
}

/** Whether a book has more than so many mentions, by the counts of its chapters. */
export function areManyMentions(store: Store, id: BookId, rows: number): boolean {
  const [count = 0] = store.list<number>("SELECT sum(mention_count) FROM chapters WHERE book_id = ?", id);
  return count > rows;
}

/** Whether a book has more than so many facts, or facts or snippets of so many bytes together. */
export function hasLongList(
  store: Store,
  id: BookId,
  { rows, bytes }: { rows: number; bytes: number },
): boolean {
  const facts = `SELECT count(*) > :rows OR coalesce(sum(octet_length(aliases) + octet_length(attributes) + octet_length(summary)), 0) > :bytes
     FROM (SELECT * FROM facts WHERE book_id = :id LIMIT :rows + 1)`;
  const snippets = `SELECT count(*) > :rows OR coalesce(sum(coalesce(octet_length(text), 0) + coalesce(octet_length(items), 0)), 0) > :bytes
     FROM (SELECT * FROM snippets WHERE book_id = :id LIMIT :rows + 1)`;
  return [facts, snippets].some((sql) => store.list<number>(sql, { id, rows, bytes })[0] === 1);
}

/** Whether an act changed more than so many rows. */
export function isLongAct(store: Store, id: string, rows: number): boolean {
  return exceeds(store, "SELECT 1 FROM acts a JOIN journal j ON j.act = a.seq WHERE a.id = ?", id, rows);
}

/** Whether the newest acts of this number changed more than so many rows together. */
export function areLongActs(store: Store, acts: number, rows: number): boolean {
  const first = `SELECT seq FROM journal WHERE act > (SELECT max(seq) FROM acts) - ? ORDER BY act LIMIT 1`;
  return (store.list<number>(`SELECT (SELECT max(seq) FROM journal) - (${first})`, acts)[0] ?? 0) > rows;
}

function exceeds(store: Store, sql: string, id: string, rows: number): boolean {
  return store.get(`${sql} LIMIT 1 OFFSET ${rows}`, id) !== undefined;
}
