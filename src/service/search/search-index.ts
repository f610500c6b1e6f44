import type { BookId, ChapterId } from "../../ids.ts";
import { nodeOf } from "../../prose/document/node-of.ts";
import { shownLeaves } from "../../prose/document/shown-text.ts";
import { Damaged } from "../../refusals.ts";
import { BookIndex } from "../../search/book-index.ts";
import type { Store } from "../../store/file/store.ts";
import { lastActSeq, listTouched } from "../../store/journal/acts.ts";
import { findNodes, listNodesAfter, type NodeRow } from "../../store/rows/blocks.ts";
import { type ChapterRow, findChapter, listChapters } from "../../store/rows/chapters.ts";
import { findFact, listFacts } from "../../store/rows/facts.ts";
import { LruCache } from "../../text/lru-cache.ts";

/** A book's index, and how far through the journal it has come. */
interface Indexed {
  index: BookIndex;
  /** The act that it is in step with; what later ones touched is read again. */
  seq: number;
  /** The paragraphs that each row gave it. */
  rows: Map<string, readonly string[]>;
  /** Chapters of which it has not all, for they are damaged. */
  unread: Set<ChapterId>;
  /** What is left to enter; undefined when all is. */
  steps: Iterator<void> | undefined;
  /** Its key in the cache. */
  key: symbol;
  drop(): void;
}

/** All indexes of this process together; about 3 million words. */
const BUDGET_BYTES = 256 * 1024 * 1024;
const PAGE_ROWS = 20;
const LEAF_DIGITS = 6;

// SQLite is the only truth: an index that fails any check is dropped and built again. One set a file, released with it.
const indexes = new WeakMap<Store, Map<BookId, Indexed>>();
// Of all files; holds none alive by itself.
const inMemory = new LruCache<symbol, WeakRef<Indexed>>(
  BUDGET_BYTES,
  (indexed) => indexed.deref()?.index.bytes ?? 0,
);

/**
 * Asks the book's index, in step with all that was written until now, by this program or another. Built on the first
 * question: 0.3 s for 120,000 words; later 2 µs if nothing was written, else about 0.2 ms for each paragraph that was.
 */
export function queryIndex<Answer>(store: Store, bookId: BookId, ask: (index: BookIndex) => Answer): Answer {
  const known = indexes.get(store)?.get(bookId);
  if (known !== undefined) {
    try {
      return askFresh(store, bookId, known, ask);
    } catch {
      known.drop(); // it no longer says what the file says
    }
  }
  return askFresh(store, bookId, startIndex(store, bookId), ask);
}

function askFresh<Answer>(
  store: Store,
  bookId: BookId,
  indexed: Indexed,
  ask: (index: BookIndex) => Answer,
): Answer {
  while (indexed.steps !== undefined) stepOn(indexed);
  const seq = lastActSeq(store);
  if (indexed.seq !== seq) refresh(store, bookId, indexed, seq);
  const answer = ask(indexed.index);
  markUsed(indexed);
  return answer;
}

/**
 * Builds the book's index a paragraph or two at each step, for whoever has other things to do in between; nothing if
 * it is built already, or if there is no room left. A question in the middle does the rest at once.
 */
export function* warmIndex(store: Store, bookId: BookId): Generator<void> {
  if (inMemory.isFull || indexes.get(store)?.has(bookId)) return;
  const indexed = startIndex(store, bookId);
  while (indexed.steps !== undefined) {
    stepOn(indexed);
    yield;
  }
  markUsed(indexed);
}

/** Builds the book's index for a question that waits for it, in steps between which others may ask; nothing if it is built. */
export function* buildIndex(store: Store, bookId: BookId): Generator<void> {
  const indexed = indexes.get(store)?.get(bookId) ?? startIndex(store, bookId);
  while (indexed.steps !== undefined) {
    stepOn(indexed);
    yield;
  }
}

/** Marks it as used last; those used least recently go until the rest fits. */
function markUsed(indexed: Indexed): void {
  for (const evicted of inMemory.set(indexed.key, new WeakRef(indexed))) evicted.deref()?.drop();
}

function startIndex(store: Store, bookId: BookId): Indexed {
  const books = indexes.get(store) ?? new Map<BookId, Indexed>();
  indexes.set(store, books);
  const indexed: Indexed = {
    index: new BookIndex(),
    seq: lastActSeq(store),
    rows: new Map(),
    unread: new Set(),
    steps: undefined,
    key: Symbol(bookId),
    drop: () => books.delete(bookId),
  };
  indexed.steps = enter(store, bookId, indexed);
  books.set(bookId, indexed);
  return indexed;
}

function stepOn(indexed: Indexed): void {
  try {
    if (indexed.steps?.next().done) indexed.steps = undefined;
  } catch (error) {
    indexed.drop(); // a generator that threw says that it is done
    throw error;
  }
}

/** Enters the book. What is written between two steps is of a later act than `seq`: the refresh reads it again. */
function* enter(store: Store, bookId: BookId, indexed: Indexed): Generator<void> {
  for (const chapter of listChapters(store, bookId)) {
    indexed.index.putChapter(entryOf(chapter));
    let page: NodeRow[] | undefined;
    let after = { rank: "", id: "" };
    do {
      page = unlessDamaged(() => listNodesAfter(store, chapter.id, after, PAGE_ROWS));
      if (page === undefined) {
        indexed.unread.add(chapter.id);
        break;
      }
      for (const row of page) {
        putRow(indexed, { ...row, leaves: leavesIn(row) });
        yield;
      }
      after = page.at(-1) ?? after;
    } while (page.length === PAGE_ROWS);
  }
  for (const fact of listFacts(store, bookId)) {
    indexed.index.putFact(fact);
    yield;
  }
}

function unlessDamaged<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Damaged) return undefined;
    throw error;
  }
}

/** The chapters of a book whose prose is damaged: the index holds none of what stands there from the damage on. */
export function listUnread(store: Store, bookId: BookId): ChapterId[] {
  return [...(indexes.get(store)?.get(bookId)?.unread ?? [])];
}

/** Takes in what the acts since have touched: rows are read again, never guessed. */
function refresh(store: Store, bookId: BookId, indexed: Indexed, seq: number): void {
  const touched = listTouched(store, indexed.seq, ["chapters", "blocks", "facts"]);
  const of = (table: string) => touched.filter((row) => row.table === table).map(({ id }) => id);
  refreshChapters(store, bookId, indexed, of("chapters"));
  refreshRows(store, bookId, indexed, of("blocks"));
  for (const id of of("facts")) {
    const fact = findFact(store, id);
    if (fact === undefined) indexed.index.removeFact(id);
    else if (fact.bookId === bookId) indexed.index.putFact(fact);
  }
  indexed.seq = seq;
}

/** Moving one chapter changes the place of others, so all of the book's are put; an unchanged one costs nothing. */
function refreshChapters(store: Store, bookId: BookId, indexed: Indexed, touched: readonly string[]): void {
  if (touched.length === 0) return;
  const present = listChapters(store, bookId);
  const ids = new Set<string>(present.map(({ id }) => id));
  for (const id of touched) if (!ids.has(id)) indexed.index.removeChapter(id);
  for (const chapter of present) indexed.index.putChapter(entryOf(chapter));
}

/** A paragraph that went from one row to another touched both, so all are removed before any is put. */
function refreshRows(store: Store, bookId: BookId, indexed: Indexed, touched: readonly string[]): void {
  const ofBook = new Map<ChapterId, boolean>();
  const isOfBook = (id: ChapterId): boolean => {
    if (!ofBook.has(id)) ofBook.set(id, findChapter(store, id)?.bookId === bookId);
    return ofBook.get(id) === true;
  };
  const rows = findNodes(store, touched).filter(({ chapterId }) => isOfBook(chapterId));
  const read = rows.map((row) => ({ ...row, leaves: leavesIn(row) }));
  const left = new Set(read.flatMap(({ leaves }) => leaves.map(({ blockId }) => blockId)));
  for (const id of touched) {
    for (const blockId of indexed.rows.get(id) ?? []) {
      if (!left.has(blockId)) indexed.index.removeParagraph(blockId);
    }
    indexed.rows.delete(id);
  }
  for (const row of read) putRow(indexed, row);
}

interface ReadRow extends Pick<NodeRow, "id" | "chapterId" | "rank"> {
  leaves: { blockId: string; text: string }[];
}

function leavesIn({ node }: NodeRow): ReadRow["leaves"] {
  return shownLeaves(nodeOf({ node })).map(({ leaf, text }) => ({
    blockId: String(leaf.attrs?.blockId),
    text,
  }));
}

function putRow({ index, rows }: Indexed, { id, chapterId, rank, leaves }: ReadRow): void {
  for (const [at, { blockId, text }] of leaves.entries()) {
    // Neighbours are read together, so the index knows where in its chapter a paragraph is.
    const place = `${rank} ${String(at).padStart(LEAF_DIGITS, "0")}`;
    if (text === "") index.removeParagraph(blockId);
    else index.putParagraph({ blockId, chapterId, text, place });
  }
  rows.set(
    id,
    leaves.map(({ blockId }) => blockId),
  );
}

function entryOf({ id, title, synopsis, position, partId, status }: ChapterRow) {
  return { chapterId: id, title, synopsis, position, partId, status };
}
