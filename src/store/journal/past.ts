import type { BookId, ChapterId } from "../../ids.ts";
import { smallest } from "../../text/extremes.ts";
import type { Store } from "../file/store.ts";
import { journalled } from "../file/tables.ts";
import { assertChapter } from "../rows/integrity.ts";
import { stepBack } from "./undo.ts";
import type { RowImage } from "./whole-blocks.ts";

/** The tables of which a book's past is made: all that is the book, and what is anchored in its prose. */
const PAST = ["books", "goals", "parts", "chapters", "blocks", "mentions"] as const;
type PastTable = (typeof PAST)[number];

/** A row's journalled columns by name. */
export type Image = NonNullable<RowImage>;

/** A book's rows by their ids, as they were after an act. A row that two images share is one and the same object. */
export type BookImage = Readonly<Record<PastTable, ReadonlyMap<string, Image>>>;

/**
 * A book as it was after each of these acts, walked back from today through the journal; without rows where it was not
 * there. Cost: its rows, and what was written since the earliest of them. Source: docs/decisions/002-journal.md.
 */
export function readPast(store: Store, bookId: BookId, seqs: readonly number[]): BookImage[] {
  return store.snapshot(() => {
    const first = firstChangeAfter(store, smallest(seqs));
    const rows = rowsNow(store, bookId);
    const chapters = [...rows.chapters.keys(), ...chaptersDeleted(store, bookId, first)];
    const taken = new Map<number, BookImage>();
    const left = [...new Set(seqs)].sort((a, b) => b - a);
    const takeDownTo = (act: number) => {
      for (let seq = left[0]; seq !== undefined && seq >= act; seq = left[0]) {
        taken.set(seq, ownRows(rows, bookId));
        left.shift();
      }
    };
    for (const entry of store.prepare(ENTRIES).iterate({ first, chapters: JSON.stringify(chapters) })) {
      const { table, id, act, ...change } = entry as Entry;
      takeDownTo(act);
      const image = stepBack(rows[table].get(id) ?? null, change);
      if (image === null) rows[table].delete(id);
      else rows[table].set(id, image);
    }
    takeDownTo(0);
    const images = seqs.map((seq) => taken.get(seq)!); // each was taken at the latest after all entries
    return images.map((image) => (image === images[0] ? image : shared(image, images[0]!))); // one at least
  });
}

interface Entry {
  table: PastTable;
  id: string;
  act: number;
  op: string;
  before: string | null;
}

const ENTRIES = `SELECT tbl AS "table", row_id AS id, act, op, before FROM journal NOT INDEXED WHERE seq >= :first AND (
    tbl IN ('books', 'goals', 'parts', 'chapters') OR (tbl IN ('blocks', 'mentions') AND
    (chapter IN (SELECT value FROM json_each(:chapters)) OR chapter_after IN (SELECT value FROM json_each(:chapters))))
  ) ORDER BY seq DESC`;

type Rows = Record<PastTable, Map<string, Image>>;

/** The number of the first change after an act; beyond all where there is none. */
function firstChangeAfter(store: Store, act: number): number {
  const [first = Number.MAX_SAFE_INTEGER] = store.list<number>(
    "SELECT seq FROM journal WHERE act > ? ORDER BY act, seq LIMIT 1",
    act,
  );
  return first;
}

function rowsNow(store: Store, bookId: BookId): Rows {
  const inChapters = "chapter_id IN (SELECT id FROM chapters WHERE book_id = ?)";
  const wheres: Record<PastTable, string> = {
    books: "id = ?",
    goals: "book_id = ?",
    parts: "book_id = ?",
    chapters: "book_id = ?",
    blocks: inChapters,
    mentions: inChapters,
  };
  const read = (table: PastTable) => {
    const columns = journalled(table).map((column) => `"${column}"`);
    const sql = `SELECT id, ${columns.join(", ")} FROM ${table} WHERE ${wheres[table]}`;
    return new Map(store.all<Image & { id: string }>(sql, bookId).map(({ id, ...image }) => [id, image]));
  };
  const rows = Object.fromEntries(PAST.map((table) => [table, read(table)])) as Rows;
  for (const id of rows.chapters.keys()) assertChapter(store, id);
  return rows;
}

function chaptersDeleted(store: Store, bookId: BookId, first: number): ChapterId[] {
  return store.list(
    `SELECT DISTINCT row_id FROM journal NOT INDEXED WHERE seq >= ? AND tbl = 'chapters' AND op = 'delete' AND before ->> '$.book_id' = ?`,
    first,
    bookId,
  );
}

/** The rows that are the book's: the walk back also passes others, of which it knows only what changed. */
function ownRows(rows: Rows, bookId: BookId): BookImage {
  const of = (table: PastTable, column: string, isOwn: (value: unknown) => boolean) =>
    new Map([...rows[table]].filter(([, image]) => isOwn(image[column])));
  const isOwn = (value: unknown) => value === bookId;
  const chapters = of("chapters", "book_id", isOwn);
  const isInside = (value: unknown) => chapters.has(String(value));
  const book = rows.books.get(bookId);
  return {
    books: new Map(book === undefined ? [] : [[bookId, book]]),
    goals: of("goals", "book_id", isOwn),
    parts: of("parts", "book_id", isOwn),
    chapters,
    blocks: of("blocks", "chapter_id", isInside),
    mentions: of("mentions", "chapter_id", isInside),
  };
}

/** The image with the other one's rows where they are equal: what was changed and changed back is another object. */
function shared(image: BookImage, other: BookImage): BookImage {
  const same = (table: PastTable) => {
    const rows = [...image[table]].map(([id, row]): [string, Image] => {
      const known = other[table].get(id);
      return [id, known !== undefined && isEqual(known, row) ? known : row];
    });
    return [table, new Map(rows)] as const;
  };
  return Object.fromEntries(PAST.map(same)) as Record<PastTable, Map<string, Image>>;
}

function isEqual(one: Image, other: Image): boolean {
  return one === other || Object.keys(one).every((column) => one[column] === other[column]);
}

/** Rows of a list in their order. */
export function imagesInOrder(rows: Iterable<readonly [string, Image]>): [string, Image][] {
  return [...rows]
    .map(([id, image]): [string, Image] => [id, image])
    .sort(([a, one], [b, other]) => {
      const [left, right] = [String(one.rank), String(other.rank)];
      return left < right || (left === right && a < b) ? -1 : 1;
    });
}
