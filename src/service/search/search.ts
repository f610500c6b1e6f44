import type { AnswerOf } from "../../contract/index.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { BookId } from "../../ids.ts";
import { BadRequest } from "../../refusals.ts";
import { findChapter } from "../../store/rows/chapters.ts";
import { findFact } from "../../store/rows/facts.ts";
import { theBook } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import { queryIndex } from "./search-index.ts";

/** Keyword search over prose and cast. Refreshes the book's index from the journal first, own writes and others' alike. */
export function searchBook(
  manuscript: Manuscript,
  bookId: BookId,
  { q, limit }: { q: string; limit?: number | undefined },
): AnswerOf<"searchBook"> {
  const { store } = manuscript;
  const query = q.trim();
  if (query === "" || q.length > LIMITS.queryCharacters) {
    throw new BadRequest(`q must be 1 to ${LIMITS.queryCharacters} characters of text, got ${q.length}.`);
  }
  return store.snapshot(() => {
    theBook(manuscript, bookId);
    const most = Math.min(limit ?? LIMITS.searchDefault, LIMITS.searchMaximum);
    const found = queryIndex(store, bookId, (index) => index.find(query, most));
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
    return { ...found, chapters, facts };
  });
}
