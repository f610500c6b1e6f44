import { BadRequest } from "../../refusals.ts";
import { thePart } from "../../service/guards.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { type Choice, choose, isWhollyNamed, listChoices, plainness } from "../../service/naming/choose.ts";
import {
  bookNamed,
  booksOf,
  chapterNamed,
  chaptersNumbered,
  type FoundBook,
  type FoundChapter,
  type Kind,
  type NameQuestion,
  type NamingWords,
  namedInBook,
  outlineOf,
} from "../../service/naming/named.ts";
import { readRanges } from "../../text/ranges.ts";

export { type FoundBook, type FoundChapter, outlineOf } from "../../service/naming/named.ts";

/** A part or a fact as an argument means it. */
export interface FoundInBook {
  id: string;
  title: string;
  bookId: string;
}

const LISTED = '"manuscript books" lists them';

const WORDS: NamingWords = {
  lister: (listedBy, isOfBook) => `"manuscript ${listedBy}${isOfBook ? " BOOK" : ""}"`,
  withBook: "with --book",
  firstBook: '"manuscript import PATH"',
};

/**
 * The book that an argument means, as `choose` finds it; without an argument the only book. Throws `NotFound` for none
 * and `BadRequest`, with the candidates and `how` to name one, for several.
 */
export function resolveBook(manuscript: Manuscript, wanted: string | undefined, how = "name one"): FoundBook {
  return bookNamed(asked(manuscript), wanted, how);
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
  const books = booksOf(asked(manuscript));
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
  return booksOf(asked(manuscript)).some((book) => isWhollyNamed(word, book));
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
  return chapterNamed(asked(manuscript), wanted, book);
}

/** The chapters that an argument means: one, or those of numbers such as 3-7 or 1,4-6. Throws as `resolveChapter` does. */
export function resolveChapters(
  manuscript: Manuscript,
  wanted: string,
  book: string | undefined,
): readonly { id: string; title: string }[] {
  const ranges = /[,-]/.test(wanted) ? readRanges(wanted) : undefined;
  if (ranges === undefined) return [resolveChapter(manuscript, wanted, book)];
  const { chapters } = outlineOf(manuscript, resolveBook(manuscript, book, "name one with --book").id);
  const titled = chapters.find(({ title }) => title === wanted); // "1914-1918"
  return titled === undefined ? chaptersNumbered(chapters, ranges) : [titled];
}

/** Finds a part. Throws as `resolveChapter` does. */
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
  const books = booksOf(asked(manuscript));
  const chapters = books.flatMap(({ id }) => chaptersOf(id));
  const asBook = plainness(wanted, books);
  const asChapter = plainness(wanted, chapters);
  if (asChapter < asBook) return [resolveChapter(manuscript, wanted, book).id];
  if (asBook === Infinity)
    choose(wanted, [...books, ...chapters], {
      what: "book or chapter",
      hint: '"manuscript outline" lists the chapters',
    });
  return chaptersOf(resolveBook(manuscript, wanted).id).map(({ id }) => id);
}

/** What an argument means of the things that a book lists; `resolveChapter` says where it is looked for. */
export function resolveInBook<Found extends Choice>(
  manuscript: Manuscript,
  wanted: string,
  kind: Kind<Found>,
): Found & { bookId: string } {
  return namedInBook(asked(manuscript), wanted, kind);
}

function asked(manuscript: Manuscript): NameQuestion {
  return { manuscript, words: WORDS };
}
