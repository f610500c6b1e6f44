import type { ReadingBook } from "../../reader.ts";
import { passagesOf, type RelevantPassage, type Rule } from "./passages.ts";

const BOOKS_KEPT = 4;
/** A longer paragraph is no prose that somebody speaks of looks in; in characters. */
const LONGEST = 20_000;

/**
 * Gives the passages of a book that hold a word of one of the rules, in order. A chapter is read only when its
 * revision is new.
 */
export function createRelevantPassages(rules: readonly Rule[]): (book: ReadingBook) => RelevantPassage[] {
  const words = new RegExp(rules.flatMap(({ reads }) => reads?.source ?? []).join("|"));
  const books = new Map<string, Map<string, { revision: number; passages: RelevantPassage[] }>>();
  return (book) => {
    const before = books.get(book.bookId);
    const now: NonNullable<typeof before> = new Map();
    const passages = book.chapters.flatMap(({ chapterId, revision, read }, chapter) => {
      const known = before?.get(chapterId);
      const relevant =
        known?.revision === revision ? known.passages : relevantIn(passagesOf(read(), chapter), words);
      now.set(chapterId, { revision, passages: relevant });
      return relevant.map((passage) => (passage.chapter === chapter ? passage : { ...passage, chapter }));
    });
    books.delete(book.bookId);
    books.set(book.bookId, now);
    for (const oldest of books.keys()) if (books.size > BOOKS_KEPT) books.delete(oldest);
    return passages;
  };
}

function relevantIn(passages: ReturnType<typeof passagesOf>, words: RegExp): RelevantPassage[] {
  return passages.flatMap((passage, index) => {
    const above = passages[index - 1];
    return passage.text.length <= LONGEST && words.test(passage.text) ? [{ ...passage, above }] : [];
  });
}
