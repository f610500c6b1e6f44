import type { BookId, PartId } from "../ids.ts";
import * as books from "../store/books.ts";
import type { ChapterRow } from "../store/chapters.ts";
import { placeRanks } from "../store/sequence.ts";
import type { Matched } from "./import-book.ts";
import type { ReadChapter } from "./import-chapter.ts";
import type { Manuscript } from "./manuscript.ts";

/** Where each file of an import goes. */
export interface Places {
  bookId: BookId;
  /** The title of each part of the book by its id, in order. */
  titles: ReadonlyMap<PartId, string>;
  /** The files in their order; `rank` is that of a new chapter. */
  chapters: readonly (Matched & { rank: string })[];
}

/**
 * Makes the parts that are missing, and gives each new chapter its place: after the chapter of the file before it; where
 * there is none, at the end of its part, else of the book. What is there already keeps its place.
 */
export function placeChapters(
  manuscript: Manuscript,
  bookId: BookId,
  { parts, present, at }: { parts: readonly string[]; present: readonly ChapterRow[]; at: number },
  matched: readonly Matched[],
): Places {
  const wanted = [
    ...parts,
    ...matched.flatMap(({ asked: { fields } }) => (fields.part == null ? [] : [fields.part])),
  ];
  const titles = makeParts(manuscript, bookId, wanted, at);
  const places: Omit<Places, "chapters"> = { bookId, titles };
  const order: (ChapterRow | Matched)[] = [...present];
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
  return {
    ...places,
    chapters: matched.map((place) => ({ ...place, rank: rankOf.get(place.stored ?? place)! })),
  }; // all are in order
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

function makeParts(
  { store }: Manuscript,
  bookId: BookId,
  wanted: readonly string[],
  at: number,
): Map<PartId, string> {
  const present = books.listParts(store, bookId);
  const known = new Set(present.map(({ title }) => title));
  const missing = [...new Set(wanted)].filter((title) => !known.has(title));
  const ranks = placeRanks([...present, ...missing.map(() => ({}))]).slice(present.length);
  const made = missing.map((title, index) => {
    const id = store.mint("part");
    books.insertPart(store, { id, bookId, title, rank: ranks[index]!, at }); // one rank a part
    return { id, title };
  });
  return new Map([...present, ...made].map(({ id, title }) => [id, title]));
}

function endOfPart(order: readonly (ChapterRow | Matched)[], part: PartId | null | undefined): number {
  const last = part == null ? -1 : order.findLastIndex((entry) => "partId" in entry && entry.partId === part);
  return last >= 0 ? last + 1 : order.length;
}
