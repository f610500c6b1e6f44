import { createHash } from "node:crypto";
import type { ReadingBook, ReadingChapter } from "../../ai/reader.ts";
import type { BookId, ChapterId } from "../../ids.ts";
import { readLeaves } from "../../prose/document/leaf.ts";
import { nodeOf } from "../../prose/document/node-of.ts";
import { shownText, toShown } from "../../prose/document/shown-text.ts";
import type { Store } from "../../store/file/store.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import { type ChapterRow, findChapter, listChapters } from "../../store/rows/chapters.ts";
import { type FactRow, listFacts } from "../../store/rows/facts.ts";
import { listChapterMentions } from "../../store/rows/mentions.ts";
import { found } from "../guards.ts";

/** What an engine reads for one call, in one snapshot. */
export interface ChapterContext {
  chapter: ReadingChapter;
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
    // Without counts and times: anchoring a mention changes no fact.
    const cast = hashOf(
      facts.map((fact) => [fact.id, fact.name, fact.kind, fact.aliases, fact.attributes, fact.summary]),
    );
    return {
      chapter: readingOf(store, row),
      words: row.wordCount,
      book: {
        ...bookOf(store, row.bookId, { chapters, facts }),
        mentions: row.mentionCount === 0 ? [] : shownMentions(store, id),
      },
      cast,
      state: hashOf([
        cast,
        ...chapters.map(({ id: other, revision, version }) => [other, revision, version]),
      ]),
    };
  });
}

/** The chapter's prose as engines read it. */
function readingOf(store: Store, { id, revision, title }: ChapterRow): ReadingChapter {
  const leaves = listBlocks(store, id).flatMap((row) => readLeaves(nodeOf(row)));
  return {
    chapterId: id,
    revision,
    title,
    blocks: leaves.map(({ blockId, node }) => ({ blockId: String(blockId), text: shownText(node).text })),
  };
}

function shownMentions(store: Store, id: ChapterId): NonNullable<ReadingBook["mentions"]> {
  const added = addedIn(store, id);
  return listChapterMentions(store, id).map((mention) => toShown(mention, added.get(mention.blockId) ?? []));
}

/** What engines read in a chapter's blocks beyond their own texts; blocks of which they read no more are left out. */
export function addedIn(store: Store, id: ChapterId): ReadonlyMap<string, readonly number[]> {
  const leaves = listBlocks(store, id).flatMap((row) => readLeaves(nodeOf(row)));
  return new Map(
    leaves
      .filter(({ breaks }) => breaks.length > 0)
      .map(({ blockId, node }) => [String(blockId), shownText(node).added]),
  );
}

function bookOf(
  store: Store,
  bookId: BookId,
  { chapters, facts }: { chapters: readonly ChapterRow[]; facts: readonly FactRow[] },
): ReadingBook {
  const readable = chapters.map((chapter) => ({
    chapterId: chapter.id,
    revision: chapter.revision,
    title: chapter.title,
    // The prose may have changed when it is read: then its revision has, too.
    read: () => store.snapshot(() => readingOf(store, findChapter(store, chapter.id) ?? chapter)),
  }));
  return { bookId, cast: facts, chapters: readable };
}

function hashOf(content: unknown): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("base64url");
}
