import type { AnswerOf } from "../contract/index.ts";
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
