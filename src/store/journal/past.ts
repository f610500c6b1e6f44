import type { BookId } from "../../ids.ts";
import { smallest } from "../../text/extremes.ts";
import type { Store } from "../file/store.ts";
import { listChapterIds } from "../rows/books.ts";
import { assertChapter } from "../rows/integrity.ts";
import { firstChangeAfter, imageBefore, listEverIn, type RowImage } from "./images.ts";

/** The tables of which a book's past is made: all that is the book, and what is anchored in its prose. */
const PAST = ["books", "goals", "parts", "chapters", "blocks", "mentions"] as const;
type PastTable = (typeof PAST)[number];

/** A row's journalled columns by name. */
export type Image = NonNullable<RowImage>;

/** A book's rows by their ids, as they were after an act. A row that two images share is one and the same object. */
export type BookImage = Readonly<Record<PastTable, ReadonlyMap<string, Image>>>;

/**
 * A book as it was after each of these acts; without rows where it was not there. Cost: the rows that it ever had, and one
 * pass over what was written since the earliest act. Source: docs/decisions/002-journal.md.
 */
export function readPast(store: Store, bookId: BookId, seqs: readonly number[]): BookImage[] {
  return store.snapshot(() => {
    for (const id of listChapterIds(store, bookId)) assertChapter(store, id);
    const candidates = listEver(store, bookId, firstChangeAfter(store, smallest(seqs)));
    const read = new Map<number, BookImage>();
    for (const seq of new Set(seqs))
      read.set(seq, ownRows(imagesAt(store, candidates, firstChangeAfter(store, seq)), bookId));
    const images = seqs.map((seq) => read.get(seq)!); // each was read
    return images.map((image) => (image === images[0] ? image : shared(image, images[0]!))); // one at least
  });
}

type Ids = Record<PastTable, readonly string[]>;
type Rows = Record<PastTable, ReadonlyMap<string, Image>>;

/** The ids of all rows that the book may have had since a change. */
function listEver(store: Store, bookId: BookId, first: number): Ids {
  const removed = (table: PastTable) =>
    store.list<string>(
      `SELECT DISTINCT id FROM journal_entries NOT INDEXED JOIN ids ON no = row_no
       WHERE seq >= ? AND tbl = '${table}' AND op <> 'insert' AND before ->> '$.book_id' = ?`,
      first,
      bookId,
    );
  const there = (table: PastTable) => store.list<string>(`SELECT id FROM ${table} WHERE book_id = ?`, bookId);
  const ever = (table: PastTable) => [...new Set([...there(table), ...removed(table)])];
  const chapters = ever("chapters");
  const inChapters = (table: PastTable) => [
    ...new Set(chapters.flatMap((chapterId) => listEverIn(store, table, chapterId))),
  ];
  return {
    books: [bookId],
    goals: [bookId], // a goal's id is its book's
    parts: ever("parts"),
    chapters,
    blocks: inChapters("blocks"),
    mentions: inChapters("mentions"),
  };
}

function imagesAt(store: Store, ids: Ids, first: number): Rows {
  const rows = PAST.map((table) => {
    const images = ids[table].flatMap((id): [string, Image][] => {
      const image = imageBefore(store, { table, id }, first);
      return image === null ? [] : [[id, image]];
    });
    return [table, new Map(images)] as const;
  });
  return Object.fromEntries(rows) as unknown as Rows; // every table of it
}

/** The rows that were the book's then: some of them may have been in another book or chapter. */
function ownRows(rows: Rows, bookId: BookId): BookImage {
  const of = (table: PastTable, column: string, isOwn: (value: unknown) => boolean) =>
    new Map([...rows[table]].filter(([, image]) => isOwn(image[column])));
  const isOwn = (value: unknown) => value === bookId;
  const chapters = of("chapters", "book_id", isOwn);
  const isInside = (value: unknown) => chapters.has(String(value));
  const { books } = rows;
  return {
    books,
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
