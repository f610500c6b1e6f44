import type { AnswerOf } from "../contract/index.ts";
import type { BookId } from "../ids.ts";
import { countBooks, listBooks as listStored } from "../store/rows/books.ts";
import type { Manuscript } from "./manuscript.ts";
import { toBook } from "./present.ts";

// Apart from the other operations on books, for it is what completion and many commands start with.

/** Every book of the file, oldest first. */
export function listBooks({ store }: Manuscript): AnswerOf<"listBooks"> {
  return store.snapshot(() => {
    const countsOf = countBooks(store);
    const books = listStored(store).map((book) => toBook(book, countsOf(book.id)));
    return { books, total: books.length };
  });
}

/** The index of a longer book would fill the memory of an idle server: the first question builds it. */
const MOST_WORDS = 4_000_000;

/** The books whose search index is built before the first question: those with words, the one written last first. */
export function booksToWarm(manuscripts: readonly Manuscript[]): { manuscript: Manuscript; id: BookId }[] {
  const books = manuscripts.flatMap((manuscript) =>
    listBooks(manuscript)
      .books.filter(({ wordCount }) => wordCount > 0 && wordCount <= MOST_WORDS)
      .map(({ id, updatedAt }) => ({ manuscript, id, updatedAt })),
  );
  return books.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
}
