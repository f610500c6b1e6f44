import { BadRequest, NotFound } from "../../refusals.ts";
import { readOutline } from "../../service/books/outline.ts";
import { theChapter } from "../../service/guards.ts";
import { listBooks } from "../../service/list-books.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { parseReady } from "../../service/present.ts";
import { choose, listChoices } from "./choose.ts";

/** A book or chapter as an argument of the command line means it. */
export interface FoundBook {
  id: string;
  title: string;
  position: number;
}

/** A chapter with the fields that some commands show. */
export interface FoundChapter extends FoundBook {
  bookId: string;
  synopsis: string;
}

/**
 * The book that an argument means: its id, its title or its number in the list of books; without an argument the only
 * book. Throws `NotFound` for none and `BadRequest`, with the candidates and `how` to name one, for several.
 */
export function resolveBook(manuscript: Manuscript, wanted: string | undefined, how = "name one"): FoundBook {
  const books = listBooks(manuscript).books.map(({ id, title }, index) => ({
    id,
    title,
    position: index + 1,
  }));
  if (books.length === 0)
    throw new NotFound('book: there is none yet, and "manuscript import PATH" makes one');
  if (wanted !== undefined)
    return choose(wanted, books, { what: "book", hint: '"manuscript books" lists them' });
  const [only, ...others] = books;
  if (only !== undefined && others.length === 0) return only;
  throw new BadRequest(`This manuscript has ${books.length} books; ${how}: ${listChoices(books)}.`);
}

/**
 * The chapter that an argument means: its id anywhere, else its title or number within the only book or the one that
 * `--book` names. Throws as `resolveBook` does.
 */
export function resolveChapter(
  manuscript: Manuscript,
  wanted: string,
  book: string | undefined,
): FoundChapter {
  if (/^ch_[0-9a-z]+$/.test(wanted)) {
    const { id, title, position, bookId, synopsis } = theChapter(manuscript, wanted);
    return { id, title, position, bookId, synopsis };
  }
  const { id: bookId } = resolveBook(manuscript, book, "name one with --book");
  const { chapters } = parseReady(readOutline(manuscript, bookId));
  const chapter = choose(wanted, chapters, { what: "chapter", hint: '"manuscript outline BOOK" lists them' });
  return { ...chapter, bookId };
}
