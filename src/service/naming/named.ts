import type { AnswerOf } from "../../contract/index.ts";
import { BadRequest, NotFound } from "../../refusals.ts";
import { counted } from "../../text/columns.ts";
import { largest } from "../../text/extremes.ts";
import type { Ranges } from "../../text/ranges.ts";
import { readOutline } from "../books/outline.ts";
import { theChapter } from "../guards.ts";
import { listBooks } from "../list-books.ts";
import type { Manuscript } from "../manuscript.ts";
import { parseReady } from "../present.ts";
import { type Choice, choose, isWhollyNamed, listChoices } from "./choose.ts";

/** A book or chapter as an argument means it. */
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

/** How the face that was asked says what to do about a name: a command line and an agent are told in their own words. */
export interface NamingWords {
  /** What lists what is asked for: `"manuscript outline"`; `isOfBook`: a book has to be named with it. */
  lister: (listedBy: string, isOfBook: boolean) => string;
  /** How a book is named beside the rest: "with --book". */
  withBook: string;
  /** The choices, as a message lists them; else by id and title. */
  list?: (choices: readonly Choice[]) => string;
  /** What makes the first book. */
  firstBook: string;
}

/** What an argument is asked of. */
export interface NameQuestion {
  manuscript: Manuscript;
  words: NamingWords;
}

/**
 * The book that an argument means, as `choose` finds it; without an argument the only book. Throws `NotFound` for none
 * and `BadRequest`, with the candidates and `how` to name one, for several.
 */
export function bookNamed(
  { manuscript, words }: NameQuestion,
  wanted: string | undefined,
  how = "name one",
): FoundBook {
  const books = booksOf({ manuscript, words });
  const { lister, list = listChoices } = words;
  if (wanted !== undefined)
    return choose(wanted, books, { what: "book", hint: `${lister("books", false)} lists them`, list });
  const [only, ...others] = books;
  if (only !== undefined && others.length === 0) return only;
  throw new BadRequest(`This manuscript has ${books.length} books; ${how}: ${list(books)}.`);
}

/**
 * The chapter that an argument means, as `choose` finds it: within the book that is named or the only one; else in
 * whatever book has it, by its title. Throws as `bookNamed` does.
 */
export function chapterNamed(asked: NameQuestion, wanted: string, book: string | undefined): FoundChapter {
  const { manuscript } = asked;
  if (/^ch_[0-9a-z]+$/.test(wanted)) return theChapter(manuscript, wanted);
  return namedInBook(asked, wanted, {
    book,
    what: "chapter",
    listedBy: "outline",
    list: (bookId) => outlineOf(manuscript, bookId).chapters,
  });
}

/** Selects chapters, all of a book's in reading order, by their numbers. Throws `BadRequest` for a number that none has. */
export function chaptersNumbered<Chapter>(all: readonly Chapter[], ranges?: Ranges): readonly Chapter[] {
  if (ranges === undefined) return all;
  const most = largest(ranges.map(([, to]) => to));
  if (most > all.length)
    throw new BadRequest(`There is no chapter ${most}; the book has ${counted(all.length, "chapter")}.`);
  return all.filter((_, at) => ranges.some(([from, to]) => at + 1 >= from && at + 1 <= to));
}

/** How things of a book are found by a name. */
export interface Kind<Found extends Choice> {
  /** The book that is named. */
  book: string | undefined;
  what: string;
  /** The command or the like that lists them. */
  listedBy: string;
  list: (bookId: string) => readonly Found[];
}

/** What an argument means of the things that a book lists; `chapterNamed` says where it is looked for. */
export function namedInBook<Found extends Choice>(
  asked: NameQuestion,
  wanted: string,
  { book, what, listedBy, list: listOf }: Kind<Found>,
): Found & { bookId: string } {
  const { words } = asked;
  const { list = listChoices } = words;
  const nameOne = `name one ${words.withBook}`;
  const all = booksOf(asked);
  if (book !== undefined || all.length === 1) {
    const { id: bookId } = bookNamed(asked, book, nameOne);
    const hint = `${words.lister(listedBy, false)} lists them`;
    return { ...choose(wanted, listOf(bookId), { what, hint, list }), bookId };
  }
  const found = all.flatMap(({ id: bookId, title }) =>
    listOf(bookId).map((one) => ({ one, bookId, ...one, position: undefined, place: `in ${title}` })),
  );
  // A number, or the beginning of a title that begins with one, means a place in a book that nobody has named.
  const isNumber = /^(?:part|chapter)?\s*\d+$/i.test(wanted);
  if (isNumber && !found.some((choice) => isWhollyNamed(wanted, choice)))
    bookNamed(asked, undefined, nameOne);
  const { one, bookId } = choose(wanted, found, {
    what,
    hint: `none of the ${all.length} books has one, and ${words.lister(listedBy, true)} lists them`,
    how: `Give the id, or the book ${words.withBook}`,
    list,
  });
  return { ...one, bookId };
}

/** A book's outline, parsed. Throws `NotFound`. */
export function outlineOf(manuscript: Manuscript, bookId: string): AnswerOf<"readOutline"> {
  return parseReady(readOutline(manuscript, bookId));
}

/** Every book. Throws `NotFound` if there is none. */
export function booksOf({ manuscript, words }: NameQuestion): FoundBook[] {
  const { books } = listBooks(manuscript);
  if (books.length === 0) throw new NotFound(`book: there is none yet, and ${words.firstBook} makes one`);
  return books.map((book, index) => ({ ...book, position: index + 1 }));
}
