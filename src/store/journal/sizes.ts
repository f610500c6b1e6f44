import type { BookId, ChapterId } from "../../ids.ts";
import type { Store } from "../file/store.ts";
import { assertActs } from "../rows/sound.ts";

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
  assertActs(store, new Set([...coming.values()].flatMap((changes) => changes.map(({ act }) => act))));
  const isThere = (id: string, seq: number) =>
    coming.get(id)?.findLast(({ act }) => act <= seq)?.op === "insert";
  const chapters = [...coming.keys()].filter((id) => id !== bookId);
  const words = new Map(chapters.map((id) => [id, listWords(store, id)]));
  return seqs.map((seq) => {
    const there = chapters.filter((id) => isThere(id, seq));
    const wordsOf = (id: string) => words.get(id)?.findLast(({ act }) => act <= seq)?.wordCount ?? 0;
    return {
      isThere: isThere(bookId, seq),
      wordCount: there.reduce((sum, id) => sum + wordsOf(id), 0),
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
const OF_BOOK = `SELECT r.id FROM (SELECT DISTINCT chapter_id AS id FROM revisions) r LEFT JOIN chapters c ON c.id = r.id
  WHERE coalesce(c.book_id, (SELECT before ->> '$.book_id' FROM journal WHERE row_id = r.id AND tbl = 'chapters' AND op = 'delete' ORDER BY seq DESC LIMIT 1)) = :bookId`;

function listWords(store: Store, id: ChapterId): { act: number; wordCount: number }[] {
  return store.all(
    "SELECT act, word_count AS wordCount FROM revisions WHERE chapter_id = ? ORDER BY revision",
    id,
  );
}
