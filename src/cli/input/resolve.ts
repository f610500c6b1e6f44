import type { AnswerOf } from "../../contract/index.ts";
import type { BookId, ChapterId } from "../../ids.ts";
import { BadRequest, NotFound } from "../../refusals.ts";
import { readOutline } from "../../service/books/outline.ts";
import { theChapter, thePart } from "../../service/guards.ts";
import { listBooks } from "../../service/list-books.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { parseReady } from "../../service/present.ts";
import { type Choice, choose, isWhollyNamed, listChoices, plainness } from "./choose.ts";

/** A book or chapter as an argument of the command line means it. */
interface Found {
  id: string;
  title: string;
  position: number;
  wordCount: number;
}

/** A book with the fields that some commands show. */
export interface FoundBook extends Found {
  chapterCount: number;
}

/** The same for a chapter. */
export interface FoundChapter extends Found {
  bookId: string;
  synopsis: string;
}

/** A part or a fact as an argument means it. */
export interface FoundInBook {
  id: string;
  title: string;
  bookId: string;
}

const LISTED = '"manuscript books" lists them';

/**
 * The book that an argument means, as `choose` finds it; without an argument the only book. Throws `NotFound` for none
 * and `BadRequest`, with the candidates and `how` to name one, for several.
 */
export function resolveBook(manuscript: Manuscript, wanted: string | undefined, how = "name one"): FoundBook {
  const books = booksOf(manuscript);
  if (wanted !== undefined) return choose(wanted, books, { what: "book", hint: LISTED });
  const [only, ...others] = books;
  if (only !== undefined && others.length === 0) return only;
  throw new BadRequest(`This manuscript has ${books.length} books; ${how}: ${listChoices(books)}.`);
}

/**
 * The book that words begin with, and the words after it, of which there must be `least` and no more than `most`. Where
 * there is one book, a first word that is not the whole of its name, its number or its id is one of the others: `search
 * white whale` asks for two words. `book` is what `--book` names; then all are others. Throws as `resolveBook` does,
 * with `how` to name a book.
 */
export function bookAndWords(
  manuscript: Manuscript,
  words: readonly string[],
  {
    book,
    least = 1,
    most = Infinity,
    how = "name one before the rest",
  }: { book?: string | undefined; least?: number; most?: number; how?: string } = {},
): { book: FoundBook; words: readonly string[] } {
  if (book !== undefined) return { book: resolveBook(manuscript, book), words };
  const [first, ...others] = words;
  const books = booksOf(manuscript);
  const [only, ...more] = books;
  const isOnly = only !== undefined && more.length === 0;
  if (first === undefined || words.length <= least) {
    return { book: resolveBook(manuscript, undefined, how), words };
  }
  if (isOnly && words.length <= most && !isWhollyNamed(first, only)) return { book: only, words };
  const hint = isOnly
    ? `${LISTED}, and what belongs together wants quotes around it`
    : `there are ${books.length} books; ${how}: ${listChoices(books)}`;
  return { book: choose(first, books, { what: "book", hint }), words: others };
}

/**
 * The book that words begin with, and the one text after it, `what` in messages. Throws as `bookAndWords`, and
 * `BadRequest` for more than one: what belongs together was not quoted.
 */
export function bookAndText(
  manuscript: Manuscript,
  words: readonly string[],
  { what, ...options }: { what: string; book?: string | undefined; least?: number },
): { book: FoundBook; text: string | undefined } {
  const { book, words: texts } = bookAndWords(manuscript, words, { ...options, most: 1 });
  if (texts.length > 1)
    throw new BadRequest(`One ${what}, please: put quotes around it, got ${texts.length} words.`);
  return { book, text: texts[0] };
}

/** True if a word is the whole of a book's name, its number or its id. */
export function namesBook(manuscript: Manuscript, word: string): boolean {
  return booksOf(manuscript).some((book) => isWhollyNamed(word, book));
}

/**
 * The chapter that an argument means, as `choose` finds it: within the book that `--book` names or the only one; else in
 * whatever book has it, by its title. Throws as `resolveBook` does.
 */
export function resolveChapter(
  manuscript: Manuscript,
  wanted: string,
  book: string | undefined,
): FoundChapter {
  if (/^ch_[0-9a-z]+$/.test(wanted)) return theChapter(manuscript, wanted);
  return resolveInBook(manuscript, wanted, {
    book,
    what: "chapter",
    listedBy: "outline",
    list: (bookId) => outlineOf(manuscript, bookId).chapters,
  });
}

/** The same as `resolveChapter`, for a part. */
export function resolvePart(manuscript: Manuscript, wanted: string, book: string | undefined): FoundInBook {
  if (/^pt_[0-9a-z]+$/.test(wanted)) return thePart(manuscript, wanted);
  return resolveInBook(manuscript, wanted, {
    book,
    what: "part",
    listedBy: "outline",
    list: (bookId) => outlineOf(manuscript, bookId).parts,
  });
}

/**
 * The chapters that an argument means: all of a book, or one; where it names both a book and a chapter, the one that it
 * names more plainly, else the book. Without an argument all of the only book. Throws as `resolveBook` does.
 */
export function resolveTarget(
  manuscript: Manuscript,
  wanted: string | undefined,
  book: string | undefined,
): string[] {
  const chaptersOf = (bookId: string) => outlineOf(manuscript, bookId).chapters;
  if (wanted === undefined) return chaptersOf(resolveBook(manuscript, book).id).map(({ id }) => id);
  if (book !== undefined || /^ch_/.test(wanted)) return [resolveChapter(manuscript, wanted, book).id];
  const books = booksOf(manuscript);
  const asBook = plainness(wanted, books);
  const asChapter = plainness(
    wanted,
    books.flatMap(({ id }) => chaptersOf(id)),
  );
  if (asChapter < asBook) return [resolveChapter(manuscript, wanted, book).id];
  if (asBook === Infinity)
    throw new NotFound(`book or chapter as "${wanted}"; "manuscript outline" lists the chapters`);
  return chaptersOf(resolveBook(manuscript, wanted).id).map(({ id }) => id);
}

/** How things of a book are found by a name. */
interface Kind<Found extends Choice> {
  /** What `--book` names. */
  book: string | undefined;
  what: string;
  /** The command that lists them. */
  listedBy: string;
  list: (bookId: string) => readonly Found[];
}

/** What an argument means of the things that a book lists; `resolveChapter` says where it is looked for. */
export function resolveInBook<Found extends Choice>(
  manuscript: Manuscript,
  wanted: string,
  { book, what, listedBy, list }: Kind<Found>,
): Found & { bookId: string } {
  const hint = `"manuscript ${listedBy}" lists them`;
  const all = booksOf(manuscript);
  if (book !== undefined || all.length === 1) {
    const { id: bookId } = resolveBook(manuscript, book, "name one with --book");
    return { ...choose(wanted, list(bookId), { what, hint }), bookId };
  }
  const found = all.flatMap(({ id: bookId, title }) =>
    list(bookId).map((one) => ({ one, bookId, ...one, position: undefined, place: `in ${title}` })),
  );
  // A number, or the beginning of a title that begins with one, means a place in a book that nobody has named.
  const isNumber = /^\d+$/.test(wanted);
  if (isNumber && !found.some((choice) => isWhollyNamed(wanted, choice)))
    resolveBook(manuscript, undefined, "name one with --book");
  const { one, bookId } = choose(wanted, found, {
    what,
    hint: `none of the ${all.length} books has one, and "manuscript ${listedBy} BOOK" lists them`,
    how: "Give the id, or the book with --book",
  });
  return { ...one, bookId };
}

/** A book's outline, parsed. Throws `NotFound`. */
export function outlineOf(manuscript: Manuscript, bookId: string): AnswerOf<"readOutline"> {
  return parseReady(readOutline(manuscript, bookId));
}

/** Every book. Throws `NotFound` if there is none. */
function booksOf(manuscript: Manuscript): FoundBook[] {
  const { books } = listBooks(manuscript);
  if (books.length === 0)
    throw new NotFound('book: there is none yet, and "manuscript import PATH" makes one');
  return books.map((book, index) => ({ ...book, position: index + 1 }));
}

/** A book, and the id of the one chapter of it that is asked for, if any. Throws `NotFound` and `BadRequest`. */
export function resolveWithin(
  manuscript: Manuscript,
  book: string | undefined,
  chapter: string | undefined,
): { id: BookId; title: string; chapterId: ChapterId | undefined } {
  const { id, title } = resolveBook(manuscript, book);
  return {
    id,
    title,
    chapterId: chapter === undefined ? undefined : resolveChapter(manuscript, chapter, id).id,
  };
}
