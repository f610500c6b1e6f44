import type { BookId, ChapterId } from "../../../ids.ts";
import type { ReadingMention } from "../../../reading/reading.ts";
import { Unavailable } from "../../../refusals.ts";
import type { Store } from "../../../store/file/store.ts";
import { type ChapterRow, findChapter, listChapters } from "../../../store/rows/chapters.ts";
import { listChapterMentions } from "../../../store/rows/mentions.ts";
import { LruCache } from "../../../text/lru-cache.ts";
import { theBook } from "../../guards.ts";
import type { Manuscript } from "../../manuscript.ts";
import { type Added, proseSteps, type ShownProse, shownMentions } from "../shown-prose.ts";

/** A chapter as it is learnt from; `mentions` are empty unless the lesson asks for them. */
export interface LearntFrom extends ShownProse {
  mentions: readonly ReadingMention[];
}

/** What is to be learnt of each chapter of a book. */
export interface Lesson<Learnt, Context = undefined> {
  /**
   * Pure: the same for the same chapter and context. It yields between paragraphs, so that others may go on; spans in
   * what it returns are of shown texts.
   */
  learn(from: LearntFrom, context: Context): Generator<void, Learnt>;
  /** What is kept of a chapter is then forgotten when its mentions change, too. */
  readsMentions?: boolean;
}

/** A chapter and what was learnt of it. `ownSpan` with `added` leads its spans back to the blocks' own texts. */
export interface LearntChapter<Learnt> {
  chapterId: ChapterId;
  title: string;
  added: Added;
  learnt: Learnt;
}

/** How a book is to be learnt. `key` names the context: other contexts need other keys. */
export interface Learning<Context> {
  context: Context;
  key?: string;
  gone?: AbortSignal | undefined;
}

interface Kept<Learnt> {
  known: Map<ChapterId, { stamp: string; characters: number; chapter: LearntChapter<Learnt> }>;
  characters: number;
}

/** Of the prose that books kept were learnt from, for each lesson and file; 3 million words. */
const CHARACTERS_KEPT = 16 * 1024 * 1024;
const SLICE_MS = 5;

/**
 * Returns what runs the lesson on every chapter of a book, in reading order. What was learnt is kept for each open file by
 * chapter, revision and key, the books used last within a budget: a second call learns what has changed since. The work
 * is done in slices of some milliseconds with a turn of the event loop in between, each chapter as it stands in the file
 * when its turn comes; one that is deleted meanwhile is left out. Throws `NotFound`, and `Unavailable` once nobody waits.
 */
export function bookLearner<Learnt, Context = undefined>(
  lesson: Lesson<Learnt, Context>,
): (manuscript: Manuscript, bookId: BookId, learning: Learning<Context>) => Promise<LearntChapter<Learnt>[]> {
  const files = new WeakMap<Store, LruCache<BookId, Kept<Learnt>>>();
  return async (manuscript, bookId, learning) => {
    const { store } = manuscript;
    theBook(manuscript, bookId);
    const books =
      files.get(store) ?? new LruCache<BookId, Kept<Learnt>>(CHARACTERS_KEPT, ({ characters }) => characters);
    files.set(store, books);
    const kept = books.get(bookId) ?? { known: new Map(), characters: 0 };
    const chapters = await inSlices(learnAll(store, bookId, kept, { lesson, learning }), learning.gone);
    books.set(bookId, kept);
    return chapters;
  };
}

function* learnAll<Learnt, Context>(
  store: Store,
  bookId: BookId,
  kept: Kept<Learnt>,
  { lesson, learning }: { lesson: Lesson<Learnt, Context>; learning: Learning<Context> },
): Generator<void, LearntChapter<Learnt>[]> {
  const { context, key = "" } = learning;
  const chapters: LearntChapter<Learnt>[] = [];
  let hasRead = false;
  const rows = listChapters(store, bookId);
  for (const row of rows) {
    const known = kept.known.get(row.id);
    if (known?.stamp === stampOf(row, key, lesson)) {
      chapters.push({ ...known.chapter, title: row.title });
      continue;
    }
    const from = yield* readSteps(store, row.id, lesson.readsMentions === true);
    if (from === undefined) continue;
    const learnt = yield* lesson.learn(from, context);
    const chapter = { chapterId: row.id, title: from.row.title, added: from.added, learnt };
    const characters = from.chapter.blocks.reduce((sum, { text }) => sum + text.length, 0);
    kept.known.set(row.id, { stamp: stampOf(from.row, key, lesson), characters, chapter });
    chapters.push(chapter);
    hasRead = true;
    yield;
  }
  if (hasRead) store.shrink(); // whoever read a whole book needs its pages no longer
  const present = new Set(rows.map(({ id }) => id));
  for (const id of kept.known.keys()) if (!present.has(id)) kept.known.delete(id);
  kept.characters = [...kept.known.values()].reduce((sum, { characters }) => sum + characters, 0);
  return chapters;
}

function stampOf(
  { revision, version }: ChapterRow,
  key: string,
  { readsMentions }: Pick<Lesson<unknown, never>, "readsMentions">,
): string {
  return `${revision} ${readsMentions ? version : ""} ${key}`;
}

/** The chapter as it stands now, all of it of one moment; undefined if it was deleted. */
function* readSteps(
  store: Store,
  id: ChapterId,
  withMentions: boolean,
): Generator<void, (LearntFrom & { row: ChapterRow }) | undefined> {
  const read = store.snapshot(() => {
    const row = findChapter(store, id);
    if (row === undefined) return undefined;
    const mentions = withMentions && row.mentionCount > 0 ? listChapterMentions(store, id) : [];
    return { row, mentions, steps: proseSteps(store, row) };
  });
  if (read === undefined) return undefined;
  const prose = yield* read.steps;
  return { ...prose, row: read.row, mentions: shownMentions(read.mentions, prose.added) };
}

/** What the steps return, done in slices between which whatever else waits has its turn. */
export async function inSlices<Result>(
  steps: Generator<void, Result>,
  gone: AbortSignal | undefined,
): Promise<Result> {
  for (let end = performance.now() + SLICE_MS; ; ) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < end) continue;
    await new Promise((resolve) => setImmediate(resolve));
    if (gone?.aborted) throw new Unavailable("Nobody waits for this answer any more; ask again.");
    end = performance.now() + SLICE_MS;
  }
}
