import type { AnswerOf } from "../../contract/index.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { BookId, ChapterId } from "../../ids.ts";
import { BadRequest } from "../../refusals.ts";
import { findChapter } from "../../store/rows/chapters.ts";
import { findFact } from "../../store/rows/facts.ts";
import { theBook } from "../guards.ts";
import { listBooks } from "../list-books.ts";
import type { Manuscript } from "../manuscript.ts";
import { listUnread, queryIndex } from "./search-index.ts";

/** What every book of a manuscript answers, in their order; books that answer nothing are left out. */
export interface BooksFound {
  query: string;
  total: number;
  relaxed: boolean;
  books: (Omit<AnswerOf<"searchBook">, "query"> & { bookId: string; title: string })[];
}

/** What is searched for. */
interface Asked {
  q: string;
  limit?: number | undefined;
  /** All that answers, however much it is. */
  isWhole?: boolean;
  /** Of the chapters this one alone, and all of it that answers. */
  chapterId?: ChapterId | undefined;
}

/**
 * Searches every book, at most `limit` hits in each. Books in which nothing holds every word are left out where another
 * book has it; `relaxed` if all are of that kind. Throws `BadRequest`.
 */
export function searchBooks(manuscript: Manuscript, asked: Asked): BooksFound {
  return manuscript.store.snapshot(() => {
    const all = listBooks(manuscript).books.map(({ id, title }) => ({
      bookId: id,
      title,
      ...searchBook(manuscript, id, asked),
    }));
    const found = all.filter(({ total }) => total > 0);
    const relaxed = found.length > 0 && found.every((book) => book.relaxed);
    const books = found.filter((book) => book.relaxed === relaxed);
    return {
      query: asked.q.trim(),
      total: books.reduce((sum, { total }) => sum + total, 0),
      relaxed,
      books: books.map(({ query: _, ...book }) => book),
    };
  });
}

/** Keyword search over prose and cast. Refreshes the book's index from the journal first, own writes and others' alike. */
export function searchBook(
  manuscript: Manuscript,
  bookId: BookId,
  { q, limit, isWhole = false, chapterId }: Asked,
): AnswerOf<"searchBook"> {
  const { store } = manuscript;
  const query = q.trim();
  if (query === "" || q.length > LIMITS.queryCharacters) {
    throw new BadRequest(
      `The query must be 1 to ${LIMITS.queryCharacters} characters of text, got ${q.length}.`,
    );
  }
  return store.snapshot(() => {
    theBook(manuscript, bookId);
    const most = isWhole ? Infinity : Math.min(limit ?? LIMITS.searchDefault, LIMITS.searchMaximum);
    const found = queryIndex(store, bookId, (index) => index.find(query, most, chapterId));
    const chapters = found.chapters.flatMap((hit) => {
      const chapter = findChapter(store, hit.chapterId);
      return chapter === undefined
        ? []
        : [{ ...hit, title: chapter.title, partId: chapter.partId, status: chapter.status }];
    });
    const facts = found.facts.flatMap(({ id, score, matchedOn }) => {
      const fact = findFact(store, id);
      if (fact === undefined) return [];
      const { name, kind, aliases, summary } = fact;
      return [{ id, name, kind, aliases, summary, score, matchedOn }];
    });
    const unread = listUnread(store, bookId);
    return { ...found, ...(unread.length === 0 ? {} : { unread }), chapters, facts };
  });
}
