import type { BookId, ChapterId } from "../../ids.ts";
import { groupBy } from "../../text/group-by.ts";
import type { Store } from "../file/store.ts";

/** How long a book was. */
export interface BookSize {
  isThere: boolean;
  wordCount: number;
  chapterCount: number;
}

/** How long a book was after each of these acts. Cost: the revisions of the file once, and the coming and going of chapters. */
export function sizesAt(store: Store, bookId: BookId, seqs: readonly number[]): BookSize[] {
  if (seqs.length === 0) return [];
  const coming = listComing(store, bookId);
  const isThere = (id: string, seq: number) =>
    coming.get(id)?.findLast(({ act }) => act <= seq)?.op === "insert";
  const chapters = [...coming.keys()].filter((id) => id !== bookId);
  const words = listWords(store, chapters as ChapterId[]);
  return seqs.map((seq) => {
    const there = chapters.filter((id) => isThere(id, seq));
    const last = there.flatMap((id) => words.get(id)?.findLast(({ act }) => act <= seq) ?? []);
    return {
      isThere: isThere(bookId, seq),
      wordCount: last.reduce((sum, { wordCount }) => sum + wordCount, 0),
      chapterCount: there.length,
    };
  });
}

interface Coming {
  act: number;
  op: string;
}

/** When the book and each chapter that it ever had came and went, by id, oldest first. */
function listComing(store: Store, bookId: BookId): Map<string, Coming[]> {
  const rows = store.all<Coming & { id: string }>(
    `SELECT j.row_id AS id, j.act, j.op FROM journal j WHERE j.op <> 'update' AND (
       (j.row_id = :bookId AND j.tbl = 'books') OR (j.tbl = 'chapters' AND j.row_id IN (${OF_BOOK}))) ORDER BY j.seq`,
    { bookId },
  );
  const coming = new Map<string, Coming[]>();
  for (const { id, ...change } of rows) {
    const changes = coming.get(id);
    if (changes === undefined) coming.set(id, [change]);
    else changes.push(change);
  }
  return coming;
}

// Every chapter has a revision, and what became of one that is gone stands in the journal alone.
const OWNED = `SELECT r.id, coalesce(c.book_id, (SELECT before ->> '$.book_id' FROM journal
  WHERE row_id = r.id AND tbl = 'chapters' AND op = 'delete' ORDER BY seq DESC LIMIT 1)) AS book_id
  FROM (SELECT DISTINCT chapter_id AS id FROM revisions) r LEFT JOIN chapters c ON c.id = r.id`;
const OF_BOOK = `SELECT id FROM (${OWNED}) WHERE book_id = :bookId`;

/** How many words each of these chapters had after which of its acts, oldest first. */
function listWords(
  store: Store,
  ids: readonly ChapterId[],
): Map<string, { act: number; wordCount: number }[]> {
  const rows = store.all<{ id: string; act: number; wordCount: number }>(
    `SELECT chapter_id AS id, act, word_count AS wordCount FROM revisions
     WHERE chapter_id IN (SELECT value FROM json_each(?)) ORDER BY chapter_id, revision`,
    JSON.stringify(ids),
  );
  return groupBy(rows, ({ id }) => id);
}
