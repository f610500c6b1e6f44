import type { BookId, ChapterId, PartId } from "../../ids.ts";
import type { Store } from "../file/store.ts";
import { assertChapter } from "./integrity.ts";
import { deleteBlocks } from "./write-blocks.ts";

/** A book as stored; times in milliseconds since 1970. */
export interface BookRow {
  id: BookId;
  title: string;
  /** Keys of its list that are no fields, as JSON. */
  manifest: string | null;
  /** Its fields besides the title, as JSON. */
  metadata: string | null;
  createdAt: number;
  updatedAt: number;
}

/** A part as stored. `position` counts from 1. */
export interface PartRow {
  id: PartId;
  bookId: BookId;
  title: string;
  rank: string;
  position: number;
}

/** A goal as stored; `deadline` is a local day, `YYYY-MM-DD`. */
export interface GoalRow {
  targetWords: number;
  deadline: string | null;
  dailyWords: number | null;
}

/** How much a book holds. */
export interface BookCounts {
  wordCount: number;
  chapterCount: number;
}

const BOOK =
  "SELECT id, title, manifest, metadata, created_at AS createdAt, updated_at AS updatedAt FROM books";

/** Every book, oldest first. */
export function listBooks(store: Store): BookRow[] {
  return store.all<BookRow>(`${BOOK} ORDER BY created_at, id`);
}

/** The book, or undefined. */
export function findBook(store: Store, id: BookId): BookRow | undefined {
  return store.get<BookRow>(`${BOOK} WHERE id = ?`, id);
}

const COUNTS = "coalesce(sum(word_count), 0) AS wordCount, count(*) AS chapterCount";

/** What a book holds, counted by its chapters. */
export function countBook(store: Store, id: BookId): BookCounts {
  return store.all<BookCounts>(`SELECT ${COUNTS} FROM chapters WHERE book_id = ?`, id)[0]!; // an aggregate has one row
}

/** The same of every book. */
export function countBooks(store: Store): (id: BookId) => BookCounts {
  const counted = store.all<BookCounts & { id: BookId }>(
    `SELECT book_id AS id, ${COUNTS} FROM chapters GROUP BY book_id`,
  );
  const known = new Map(counted.map(({ id, ...counts }) => [id, counts]));
  return (id) => known.get(id) ?? { wordCount: 0, chapterCount: 0 };
}

/** Adds an empty book. */
export function insertBook(store: Store, book: { id: BookId; title: string; at: number }): void {
  store.run("INSERT INTO books(id, title, created_at) VALUES(:id, :title, :at)", book);
}

/** Renames a book. */
export function setBookTitle(store: Store, id: BookId, title: string): void {
  store.run("UPDATE books SET title = ? WHERE id = ?", title, id);
}

/** Stores what is known of a book besides title, parts, goal and chapters: its fields and other keys, as JSON; null for none. */
export function setDescription(
  store: Store,
  id: BookId,
  { metadata, manifest }: Pick<BookRow, "metadata" | "manifest">,
): void {
  store.run("UPDATE books SET metadata = ?, manifest = ? WHERE id = ?", metadata, manifest, id);
}

/** Throws `Damaged` unless every chapter of a book is what was written. */
export function assertWholeBook(store: Store, id: BookId): void {
  for (const chapter of listChapterIds(store, id)) assertChapter(store, chapter);
}

/** Deletes a book with everything in it, children first. */
export function deleteBook(store: Store, id: BookId): void {
  // What a row is deleted as can be brought back by an undo, so it must be what was written.
  assertWholeBook(store, id);
  deleteBlocks(store, listChapterIds(store, id));
  const chapters = "(SELECT id FROM chapters WHERE book_id = :id)";
  for (const sql of [
    `DELETE FROM mentions WHERE chapter_id IN ${chapters}`,
    "DELETE FROM snippets WHERE book_id = :id",
    "DELETE FROM dismissals WHERE book_id = :id",
    "DELETE FROM proposed_edits WHERE proposal_id IN (SELECT id FROM proposals WHERE book_id = :id)",
    "DELETE FROM proposals WHERE book_id = :id",
    "DELETE FROM milestones WHERE book_id = :id",
    "DELETE FROM book_pictures WHERE book_id = :id",
    "DELETE FROM fact_merges WHERE book_id = :id",
    "DELETE FROM facts WHERE book_id = :id",
    "DELETE FROM chapters WHERE book_id = :id",
    "DELETE FROM parts WHERE book_id = :id",
    "DELETE FROM goals WHERE book_id = :id",
    "DELETE FROM books WHERE id = :id",
  ]) {
    store.run(sql, { id });
  }
}

/** Lists the ids of a book's chapters, in no order. */
export function listChapterIds(store: Store, id: BookId): ChapterId[] {
  return store.list("SELECT id FROM chapters WHERE book_id = ?", id);
}

/** The book's goal, or undefined. */
export function findGoal(store: Store, bookId: BookId): GoalRow | undefined {
  return store.get<GoalRow>(
    "SELECT target_words AS targetWords, deadline, daily_words AS dailyWords FROM goals WHERE book_id = ?",
    bookId,
  );
}

/** Sets or replaces a book's goal. */
export function saveGoal(store: Store, bookId: BookId, goal: GoalRow): void {
  store.run(
    `INSERT INTO goals(id, book_id, target_words, deadline, daily_words) VALUES(:id, :id, :targetWords, :deadline, :dailyWords)
     ON CONFLICT(id) DO UPDATE SET target_words = :targetWords, deadline = :deadline, daily_words = :dailyWords`,
    { ...goal, id: bookId },
  );
}

/** Removes a book's goal, if it has one. */
export function deleteGoal(store: Store, bookId: BookId): void {
  store.run("DELETE FROM goals WHERE book_id = ?", bookId);
}

const PART =
  "SELECT id, book_id AS bookId, title, rank, row_number() OVER (PARTITION BY book_id ORDER BY rank, id) AS position FROM parts";

/** A book's parts in order. */
export function listParts(store: Store, bookId: BookId): PartRow[] {
  return store.all<PartRow>(`${PART} WHERE book_id = ? ORDER BY rank, id`, bookId);
}

/** The part with its position, or undefined. */
export function findPart(store: Store, id: PartId): PartRow | undefined {
  return store.get<PartRow>(
    `SELECT * FROM (${PART} WHERE book_id = (SELECT book_id FROM parts WHERE id = ?)) WHERE id = ?`,
    id,
    id,
  );
}

/** Adds a part at its rank. */
export function insertPart(
  store: Store,
  part: { id: PartId; bookId: BookId; title: string; rank: string; at: number },
): void {
  store.run(
    "INSERT INTO parts(id, book_id, rank, title, created_at) VALUES(:id, :bookId, :rank, :title, :at)",
    part,
  );
}

/** Writes a part's title and place. */
export function updatePart(store: Store, id: PartId, title: string, rank: string): void {
  store.run("UPDATE parts SET title = ?, rank = ? WHERE id = ?", title, rank, id);
}

/** Removes a part; its chapters stay where they are. */
export function deletePart(store: Store, id: PartId): void {
  store.run("UPDATE chapters SET part_id = NULL WHERE part_id = ?", id);
  store.run("DELETE FROM parts WHERE id = ?", id);
}

/** The chapters of a part in reading order, and their words. */
export function listPartChapters(store: Store, id: PartId): { id: ChapterId; wordCount: number }[] {
  return store.all(
    "SELECT id, word_count AS wordCount FROM chapters WHERE part_id = ? ORDER BY rank, id",
    id,
  );
}
