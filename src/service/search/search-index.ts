import type { BookId, ChapterId } from "../../ids.ts";
import { nodeOf } from "../../prose/document/leaves.ts";
import { shownLeaves } from "../../prose/document/text.ts";
import { Damaged } from "../../refusals.ts";
import { BookIndex } from "../../search/book-index.ts";
import type { Store } from "../../store/file/store.ts";
import { lastActSeq } from "../../store/journal/acts.ts";
import { listNodes } from "../../store/rows/blocks.ts";
import { listChapters } from "../../store/rows/chapters.ts";
import { listFacts } from "../../store/rows/facts.ts";
import { LruCache } from "../../text/lru-cache.ts";

/** A book's index, and how far it has come. */
interface Indexed {
  index: BookIndex;
  /** The act that it is in step with; -1 before it is built. */
  seq: number;
  /** By chapter the revision of the prose that it holds. A revision's number is never used twice. */
  revisions: Map<ChapterId, number>;
  /** Chapters whose prose cannot be read, for it is damaged. */
  unread: Set<ChapterId>;
  /** What is left of coming into step; undefined at rest. */
  steps: Iterator<void> | undefined;
  /** Its key in the cache. */
  key: symbol;
  drop(): void;
}

/** All indexes of this process together; about 3 million words. */
const BUDGET_BYTES = 256 * 1024 * 1024;

// SQLite is the only truth: an index that fails any check is dropped and built again. One set a file, released with it.
const indexes = new WeakMap<Store, Map<BookId, Indexed>>();
// Of all files; holds none alive by itself.
const inMemory = new LruCache<symbol, WeakRef<Indexed>>(
  BUDGET_BYTES,
  (indexed) => indexed.deref()?.index.bytes ?? 0,
);

/**
 * Asks the book's index, in step with all that was written until now, by this program or another. Built on the first
 * question: 0.5 s for 120,000 words; later 2 µs if nothing was written, else some 5 ms for each chapter that was.
 */
export function queryIndex<Answer>(store: Store, bookId: BookId, ask: (index: BookIndex) => Answer): Answer {
  const inStep = () => {
    for (const _ of buildIndex(store, bookId)); // all at once
    return ask(indexOf(store, bookId).index);
  };
  try {
    return inStep();
  } catch {
    indexOf(store, bookId).drop(); // it no longer says what the file says
    return inStep();
  }
}

/**
 * Brings the book's index into step a paragraph at a time, for whoever has other things to do in between. A question in
 * the middle does the rest at once.
 */
export function* buildIndex(store: Store, bookId: BookId): Generator<void> {
  const indexed = indexOf(store, bookId);
  while (indexed.steps !== undefined || indexed.seq !== lastActSeq(store)) {
    indexed.steps ??= catchUp(store, bookId, indexed);
    try {
      if (indexed.steps.next().done) indexed.steps = undefined;
    } catch (error) {
      indexed.drop(); // a generator that threw says that it is done
      throw error;
    }
    yield;
  }
  // Those used least recently go until the rest fits.
  for (const evicted of inMemory.set(indexed.key, new WeakRef(indexed))) evicted.deref()?.drop();
}

/** As `buildIndex`, before anybody asks: nothing if there is no room left. */
export function* warmIndex(store: Store, bookId: BookId): Generator<void> {
  if (!inMemory.isFull) yield* buildIndex(store, bookId);
}

function indexOf(store: Store, bookId: BookId): Indexed {
  const books = indexes.get(store) ?? new Map<BookId, Indexed>();
  indexes.set(store, books);
  const known = books.get(bookId);
  if (known !== undefined) return known;
  const indexed: Indexed = {
    index: new BookIndex(),
    seq: -1,
    revisions: new Map(),
    unread: new Set(),
    steps: undefined,
    key: Symbol(bookId),
    drop: () => books.delete(bookId),
  };
  books.set(bookId, indexed);
  return indexed;
}

/** Reads what differs from the file. What is written between two steps is of a later act: it is read next time. */
function* catchUp(store: Store, bookId: BookId, indexed: Indexed): Generator<void> {
  const { index, revisions, unread } = indexed;
  const seq = lastActSeq(store);
  const chapters = listChapters(store, bookId);
  const facts = listFacts(store, bookId);
  const chapterIds = new Set(chapters.map(({ id }) => id));
  index.retain(chapterIds, new Set(facts.map(({ id }) => id)));
  for (const id of revisions.keys()) if (!chapterIds.has(id)) revisions.delete(id);
  unread.clear();
  for (const chapter of chapters) {
    index.putChapter(chapter);
    if (revisions.get(chapter.id) === chapter.revision) continue;
    const prose = readProse(store, chapter.id);
    if (prose === undefined) unread.add(chapter.id);
    else {
      yield* index.putProse(chapter.id, prose);
      revisions.set(chapter.id, chapter.revision);
    }
  }
  for (const fact of facts) {
    index.putFact(fact);
    yield;
  }
  indexed.seq = seq;
}

/** A chapter's paragraphs in reading order; undefined if it is damaged. */
function readProse(store: Store, id: ChapterId): { blockId: string; text: string }[] | undefined {
  try {
    const leaves = listNodes(store, id).flatMap((node) => shownLeaves(nodeOf({ node })));
    return leaves.map(({ leaf, text }) => ({ blockId: String(leaf.attrs?.blockId), text }));
  } catch (error) {
    if (error instanceof Damaged) return undefined;
    throw error;
  }
}

/** The chapters of a book whose prose is damaged: the index lacks what stands there. */
export function listUnread(store: Store, bookId: BookId): ChapterId[] {
  return [...(indexes.get(store)?.get(bookId)?.unread ?? [])];
}
