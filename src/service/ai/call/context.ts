import { createHash } from "node:crypto";
import type { ChapterId } from "../../../ids.ts";
import type { ReadingBook, ReadingChapter } from "../../../reading/reading.ts";
import type { Store } from "../../../store/file/store.ts";
import { type ChapterRow, findChapter, listChapters } from "../../../store/rows/chapters.ts";
import { type FactRow, listFacts } from "../../../store/rows/facts.ts";
import { listChapterMentions } from "../../../store/rows/mentions.ts";
import { found } from "../../guards.ts";
import { castKey } from "../../reading/cast.ts";
import { type Added, readShownProse, readToLearn, shownMentions } from "../../reading/shown-prose.ts";

/** What an engine reads for one call, in one snapshot. */
export interface ChapterContext {
  chapter: ReadingChapter;
  /** What engines read in its blocks beyond their own texts. */
  added: Added;
  /** Words of the chapter. */
  words: number;
  book: ReadingBook;
  /** A hash of the cast: the same for the same facts. */
  cast: string;
  /** A hash of the whole book: prose, titles, facts and mentions. */
  state: string;
}

/** The chapter and the book around it. Throws `NotFound`. */
export function readContext(store: Store, id: ChapterId): ChapterContext {
  return store.snapshot(() => {
    const row = found(findChapter(store, id), "chapter");
    const chapters = listChapters(store, row.bookId);
    const facts = listFacts(store, row.bookId);
    const cast = castKey(facts);
    const { chapter, added } = readShownProse(store, row);
    return {
      chapter,
      added,
      words: row.wordCount,
      book: {
        ...bookOf(store, chapter, { row, chapters, facts }),
        mentions: row.mentionCount === 0 ? [] : shownMentions(listChapterMentions(store, id), added),
      },
      cast,
      state: hashOf([
        cast,
        ...chapters.map(({ id: other, revision, version }) => [other, revision, version]),
      ]),
    };
  });
}

function bookOf(
  store: Store,
  reading: ReadingChapter,
  {
    row: { id, bookId },
    chapters,
    facts,
  }: { row: ChapterRow; chapters: readonly ChapterRow[]; facts: readonly FactRow[] },
): ReadingBook {
  const readable = chapters.map((chapter) => ({
    chapterId: chapter.id,
    revision: chapter.revision,
    title: chapter.title,
    // The prose may have changed when it is read: then its revision has, too.
    read: () => (chapter.id === id ? reading : readToLearn(store, chapter).chapter),
  }));
  return { bookId, cast: facts, chapters: readable };
}

function hashOf(content: unknown): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("base64url");
}
