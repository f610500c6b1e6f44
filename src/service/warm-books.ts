import type { BookId } from "../ids.ts";
import { listBooks } from "./list-books.ts";
import type { Manuscript } from "./manuscript.ts";

/** A longer book would fill the memory of a server that nobody asks anything: its index is built by the first question. */
const MOST_WORDS = 4_000_000;

/** The books whose search index is built ahead of the first question: those that hold words, the one written last first. */
export function booksToWarm(manuscripts: readonly Manuscript[]): { manuscript: Manuscript; id: BookId }[] {
  const books = manuscripts.flatMap((manuscript) =>
    listBooks(manuscript)
      .books.filter(({ wordCount }) => wordCount > 0 && wordCount <= MOST_WORDS)
      .map(({ id, updatedAt }) => ({ manuscript, id, updatedAt })),
  );
  return books.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
}
