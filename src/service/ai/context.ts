import { createHash } from "node:crypto";
import type { ChapterId } from "../../ids.ts";
import { readLeaves } from "../../prose/document/leaf.ts";
import { nodeOf } from "../../prose/document/node-of.ts";
import { shownText, toShown } from "../../prose/document/shown-text.ts";
import type { ReadingBook, ReadingChapter } from "../../reading/reading.ts";
import type { Store } from "../../store/file/store.ts";
import { listNodes } from "../../store/rows/blocks.ts";
import { type ChapterRow, findChapter, listChapters } from "../../store/rows/chapters.ts";
import { type FactRow, listFacts } from "../../store/rows/facts.ts";
import { listChapterMentions } from "../../store/rows/mentions.ts";
import { found } from "../guards.ts";

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
    // Without counts and times: anchoring a mention changes no fact.
    const cast = hashOf(
      facts.map((fact) => [fact.id, fact.name, fact.kind, fact.aliases, fact.attributes, fact.summary]),
    );
    const { chapter, added } = readingOf(store, row);
    return {
      chapter,
      added,
      words: row.wordCount,
      book: {
        ...bookOf(store, chapter, { row, chapters, facts }),
        mentions: row.mentionCount === 0 ? [] : shownMentions(store, id, added),
      },
      cast,
      state: hashOf([
        cast,
        ...chapters.map(({ id: other, revision, version }) => [other, revision, version]),
      ]),
    };
  });
}

/** The places in each block's shown text of what is not its own; blocks of which there are none are left out. */
export type Added = ReadonlyMap<string, readonly number[]>;

/** The chapter's prose as engines read it. */
function readingOf(
  store: Store,
  { id, revision, title }: ChapterRow,
): { chapter: ReadingChapter; added: Added } {
  const blocks: { blockId: string; text: string }[] = [];
  const places = new Map<string, readonly number[]>();
  for (const node of listNodes(store, id)) {
    for (const leaf of readLeaves(nodeOf({ node }))) {
      const blockId = String(leaf.blockId);
      const { text, added } = shownText(leaf.node);
      blocks.push({ blockId, text });
      if (added.length > 0) places.set(blockId, added);
    }
  }
  return { chapter: { chapterId: id, revision, title, blocks }, added: places };
}

function shownMentions(store: Store, id: ChapterId, added: Added): NonNullable<ReadingBook["mentions"]> {
  return listChapterMentions(store, id).map((mention) => toShown(mention, added.get(mention.blockId) ?? []));
}

/** What engines read in a chapter's blocks beyond their own texts. */
export function addedIn(store: Store, id: ChapterId): Added {
  const row = findChapter(store, id);
  return row === undefined ? new Map() : readingOf(store, row).added;
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
    read: () => (chapter.id === id ? reading : readOnce(store, chapter)),
  }));
  return { bookId, cast: facts, chapters: readable };
}

/** A chapter that is read to be learnt and not soon again: its pages need not stay. */
function readOnce(store: Store, chapter: ChapterRow): ReadingChapter {
  const read = store.snapshot(() => readingOf(store, findChapter(store, chapter.id) ?? chapter).chapter);
  store.shrink();
  return read;
}

function hashOf(content: unknown): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("base64url");
}
