import type { BookId, ChapterId, PartId } from "../../ids.ts";
import { BadRequest } from "../../refusals.ts";
import * as stored from "../../store/rows/books.ts";
import { listChapters, updateChapter } from "../../store/rows/chapters.ts";
import { placeRanks } from "../../store/rows/rank.ts";
import { bookTag, partTag } from "../entity-tags.ts";
import { assertSeen, theBook, thePart } from "../guards.ts";
import { type Caller, type Manuscript, type Removal, type WriteOn, write } from "../manuscript.ts";
import { toDeletion, toPart } from "../present.ts";

/** A new part at a position, else at the end. Throws `NotFound`. */
export const createPart: WriteOn<"createPart", BookId> = (
  manuscript,
  bookId,
  { title, position },
  caller,
) => {
  return write(manuscript, "createPart", caller, (act, store) => {
    theBook(manuscript, bookId);
    assertSeen(caller, "book", () => [bookTag(store, bookId)]);
    const id = store.mint("part");
    const parts: { id: PartId; rank?: string }[] = stored.listParts(store, bookId);
    const place = zeroBasedPlace(position, parts.length);
    const rank = placeRanks(parts.toSpliced(place, 0, { id }))[place]!; // the new one is at `place`
    stored.insertPart(store, { id, bookId, title, rank, at: act.at });
    return () => ({ id, part: describe(manuscript, id) });
  });
};

/** Renames a part, or moves it; its chapters move along, so that it stays one run of the book. */
export const updatePart: WriteOn<"updatePart", PartId> = (manuscript, id, { title, position }, caller) => {
  if (title === undefined && position === undefined)
    throw new BadRequest("Nothing to change: send title or position.");
  return write(manuscript, "updatePart", caller, () => {
    const part = thePart(manuscript, id);
    assertPartSeen(manuscript, part, caller);
    const rank = position === undefined ? part.rank : movePart(manuscript, part, position);
    stored.updatePart(manuscript.store, id, title ?? part.title, rank);
    return () => ({ part: describe(manuscript, id) });
  });
};

/** Removes a part; its chapters stay in their places without one. Throws `NotFound`. */
export const deletePart: Removal<"deletePart", PartId> = (manuscript, id, caller) =>
  write(manuscript, "deletePart", caller, () => {
    assertPartSeen(manuscript, thePart(manuscript, id), caller);
    stored.deletePart(manuscript.store, id);
    return () => toDeletion(id);
  });

/** Zero-based place of a one-based position in a list of `length` others; past the end is the end. */
export function zeroBasedPlace(position: number | undefined, length: number): number {
  return position === undefined ? length : Math.min(position - 1, length);
}

/** A part is read in its book's outline, so that the book's tag will do, too. */
function assertPartSeen({ store }: Manuscript, part: stored.PartRow, caller: Caller): void {
  assertSeen(caller, "part", () => [partTag(part), bookTag(store, part.bookId)]);
}

function describe(manuscript: Manuscript, id: PartId) {
  return toPart(thePart(manuscript, id), stored.listPartChapters(manuscript.store, id));
}

/** The part's rank at its new position; its chapters are put before those of the part that follows it there. */
function movePart(manuscript: Manuscript, part: stored.PartRow, position: number): string {
  const { store } = manuscript;
  const others = stored.listParts(store, part.bookId).filter(({ id }) => id !== part.id);
  const place = zeroBasedPlace(position, others.length);
  const order = others.toSpliced(place, 0, part);
  const ranks = placeRanks(order);
  const chapters = listChapters(store, part.bookId);
  const own = chapters.filter(({ partId }) => partId === part.id);
  const rest = chapters.filter(({ partId }) => partId !== part.id);
  const following = new Set(order.slice(place + 1).map(({ id }) => id));
  const before = rest.findIndex(({ partId }) => partId !== null && following.has(partId));
  const preceding = new Set(order.slice(0, place).map(({ id }) => id));
  const last = rest.findLastIndex(({ partId }) => partId !== null && preceding.has(partId));
  const start = before >= 0 ? before : last >= 0 ? last + 1 : rest.length;
  const placed = [...rest.slice(0, start), ...own, ...rest.slice(start)];
  placeRanks(placed).forEach((rank, index) => {
    const chapter = placed[index]!; // one rank a chapter
    if (rank !== chapter.rank) updateChapter(store, chapter.id as ChapterId, { rank });
  });
  order.forEach(({ id, title, rank }, index) => {
    if (id !== part.id && ranks[index] !== rank) stored.updatePart(store, id, title, ranks[index]!); // one rank a part
  });
  return ranks[place]!; // the part is at `place`
}
