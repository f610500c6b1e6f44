import type { BookId, PartId } from "../../ids.ts";
import * as books from "../../store/rows/books.ts";
import { type ChapterRow, updateChapter } from "../../store/rows/chapters.ts";
import { placeRanks } from "../../store/rows/sequence.ts";
import { checkText, TEXTS } from "../field-rules.ts";
import type { Manuscript } from "../manuscript.ts";
import type { AskedImport } from "./import-book.ts";
import type { ReadChapter } from "./incoming-chapter.ts";
import type { Matched } from "./match-chapters.ts";
import { type BookMerge, inOrder, reorderParts } from "./merge-book.ts";

/** Where each file of an import goes. */
export interface Places {
  bookId: BookId;
  /** The title of each part of the book by its id, in order. */
  titles: ReadonlyMap<PartId, string>;
  /** The files in their order; `rank` is that of a new chapter. */
  chapters: readonly (Matched & { rank: string })[];
}

/** What an import puts chapters into. */
interface Placing {
  bookId: BookId;
  at: number;
  /** The book's chapters in reading order. */
  present: readonly ChapterRow[];
  asked: AskedImport;
  merge: BookMerge;
}

/**
 * Makes the parts that are missing, and gives each new chapter its place: after the chapter of the file before it; where
 * there is none, at the end of its part, else of the book. What is there already keeps its place, unless the folder's
 * list was put into another order.
 */
export function placeChapters(
  manuscript: Manuscript,
  { bookId, at, present, asked, merge }: Placing,
  matched: readonly Matched[],
): Places {
  const wanted = [
    ...(asked.book?.parts ?? []).map((title) => checkText("A part's title", title, TEXTS.title)),
    ...matched.flatMap(({ asked: { fields } }) => (fields.part == null ? [] : [fields.part])),
  ];
  makeParts(manuscript, bookId, wanted, at);
  reorderParts(manuscript, bookId, asked, merge);
  const titles = new Map(books.listParts(manuscript.store, bookId).map(({ id, title }) => [id, title]));
  const places: Omit<Places, "chapters"> = { bookId, titles };
  const order: (ChapterRow | Matched)[] = reordered(present, asked, matched, merge);
  let before = -1;
  for (const place of matched) {
    if (place.stored !== undefined) before = order.indexOf(place.stored);
    else {
      before = before >= 0 ? before + 1 : endOfPart(order, partOf(places, place.asked));
      order.splice(before, 0, place);
    }
  }
  const ranks = placeRanks(order.map((entry) => ("rank" in entry ? { rank: entry.rank } : {})));
  const rankOf = new Map(order.map((entry, index) => [entry, ranks[index]!])); // one rank an entry
  for (const row of present) {
    const rank = rankOf.get(row);
    if (rank !== undefined && rank !== row.rank) updateChapter(manuscript.store, row.id, { rank });
  }
  return {
    ...places,
    chapters: matched.map((place) => ({ ...place, rank: rankOf.get(place.stored ?? place)! })),
  }; // all are in order
}

/** The book's chapters, those that have files in the order of the folder's list where that is to be. */
function reordered(
  present: readonly ChapterRow[],
  { book, base }: AskedImport,
  matched: readonly Matched[],
  merge: BookMerge,
): ChapterRow[] {
  const order = book?.order;
  if (order === undefined) return [...present];
  const files = new Map(matched.map(({ stored, asked: { file } }) => [stored, file ?? undefined]));
  const nameOf = (row: ChapterRow) => files.get(row);
  const theirs = present.flatMap((row) => nameOf(row) ?? []);
  const sides = { mine: order, theirs, ...(base?.order && { base: base.order }) };
  return merge.takesOrder("order", sides) ? inOrder(present, nameOf, order) : [...present];
}

/** The part that a file asks for: null for none, undefined where it says nothing. */
export function partOf(
  { titles }: Pick<Places, "titles">,
  { fields: { part } }: ReadChapter,
): PartId | null | undefined {
  if (part == null) return part;
  for (const [id, title] of titles) if (title === part) return id;
  return undefined;
}

function makeParts({ store }: Manuscript, bookId: BookId, wanted: readonly string[], at: number): void {
  const present = books.listParts(store, bookId);
  const known = new Set(present.map(({ title }) => title));
  const missing = [...new Set(wanted)].filter((title) => !known.has(title));
  const ranks = placeRanks([...present, ...missing.map(() => ({}))]).slice(present.length);
  missing.forEach((title, index) => {
    const id = store.mint("part");
    books.insertPart(store, { id, bookId, title, rank: ranks[index]!, at }); // one rank a part
  });
}

function endOfPart(order: readonly (ChapterRow | Matched)[], part: PartId | null | undefined): number {
  const last = part == null ? -1 : order.findLastIndex((entry) => "partId" in entry && entry.partId === part);
  return last >= 0 ? last + 1 : order.length;
}
