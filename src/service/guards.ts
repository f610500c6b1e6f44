import type { BookId, ChapterId, PartId } from "../ids.ts";
import { AlreadyThere, CategoryDisabled, NotFound, RevisionConflict } from "../refusals.ts";
import { findMaker } from "../store/journal/acts.ts";
import { type BookRow, findBook, findPart, type PartRow } from "../store/rows/books.ts";
import { type ChapterRow, findChapter } from "../store/rows/chapters.ts";
import { chapterTag, isOfState, type RecordName } from "./entity-tags.ts";
import type { Caller, Manuscript } from "./manuscript.ts";

// What is missing and what belongs to another writer look the same: another writer's rows are in another file.

/** The row, or `NotFound`. */
export function found<Row>(row: Row | undefined, what: string): Row {
  if (row === undefined) throw new NotFound(what);
  return row;
}

/** The book, or `NotFound`. */
export const theBook = ({ store }: Manuscript, id: BookId): BookRow => found(findBook(store, id), "book");
/** Whether there is such a book. */
export const hasBook = ({ store }: Manuscript, id: BookId): boolean => findBook(store, id) !== undefined;
/** The part, or `NotFound`. */
export const thePart = ({ store }: Manuscript, id: PartId): PartRow => found(findPart(store, id), "part");
/** The chapter, or `NotFound`. */
export const theChapter = ({ store }: Manuscript, id: ChapterId): ChapterRow =>
  found(findChapter(store, id), "chapter");
/** Throws `CategoryDisabled` if the caller may change only what it made, and another made this. */
export function assertOwn(
  { store }: Manuscript,
  id: string,
  { ownOnly = false, source, keyId, byName }: Caller,
): void {
  if (!ownOnly) return;
  const maker = findMaker(store, id);
  const isOwn =
    maker?.source === source && maker.keyId === (keyId ?? null) && maker.byName === (byName ?? null);
  if (!isOwn)
    throw new CategoryDisabled(
      `Another made ${id}. Whoever may propose but not write can change and withdraw only what it made itself.`,
    );
}

/**
 * Throws `RevisionConflict` unless the chapter is as the caller last saw it. A prose write compares the revision alone,
 * so that a changed status does not refuse a rewrite; any other write the version too. Source: llms.txt, Requests and
 * answers.
 */
export function assertUnchanged(
  chapter: ChapterRow,
  { seen, isNew = false }: Pick<Caller, "seen" | "isNew">,
  { ifRevision, prose }: { ifRevision?: number | undefined; prose: boolean },
): void {
  if (isNew) throw new AlreadyThere("chapter", chapter.revision);
  const isOther = ifRevision !== undefined && ifRevision !== chapter.revision;
  if (isOther || !isSeen(seen, () => [prose ? `${chapter.id}.${chapter.revision}` : chapterTag(chapter)]))
    throw new RevisionConflict("chapter", chapter.revision);
}

/**
 * Throws `RevisionConflict` unless the caller has seen one of these states, if it says what it has seen. They are only
 * asked for then. Source: llms.txt, Requests and answers.
 */
export function assertSeen(
  { seen }: Pick<Caller, "seen">,
  what: RecordName | "act" | "list of books",
  now: () => readonly string[],
): void {
  if (!isSeen(seen, now)) throw new RevisionConflict(what);
}

function isSeen(seen: Caller["seen"], now: () => readonly string[]): boolean {
  if (seen === undefined) return true;
  const states = now();
  return seen.some((tag) => states.some((state) => isOfState(tag, state)));
}

/** Finds the book of a chapter, if that is there. */
export function bookOfChapter({ store }: Manuscript, id: ChapterId): () => BookId | undefined {
  return () => findChapter(store, id)?.bookId;
}
