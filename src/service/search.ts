import type { AnswerOf } from "../contract/index.ts";
import { LIMITS } from "../contract/limits.ts";
import type { BookId } from "../ids.ts";
import { readLeaves } from "../prose/identity.ts";
import type { DocNode } from "../prose/types.ts";
import { BadRequest } from "../refusals.ts";
import { BookIndex } from "../search/book-index.ts";
import { englishStem } from "../search/stem.ts";
import { lastActSeq, listTouched } from "../store/acts.ts";
import { type BlockRow, findRows, listBlocks } from "../store/blocks.ts";
import { type ChapterRow, findChapter, listChapters } from "../store/chapters.ts";
import { findFact, listFacts } from "../store/facts.ts";
import type { Store } from "../store/store.ts";
import { theBook } from "./find.ts";
import type { Manuscript } from "./manuscript.ts";

/** A book's index, how far through the journal it has come, and which paragraphs each row gave it. */
interface Indexed {
  index: BookIndex;
  seq: number;
  rows: Map<string, readonly string[]>;
}

const LEAF_DIGITS = 6;

// One set of indexes a file, gone with it. SQLite is the only truth: an index that fails is dropped and built again.
const indexes = new WeakMap<Store, Map<BookId, Indexed>>();

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
    const index = freshIndex(store, bookId);
    const found = index.find(query, Math.min(limit ?? LIMITS.searchDefault, LIMITS.searchMaximum));
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

function freshIndex(store: Store, bookId: BookId): BookIndex {
  const books = indexes.get(store) ?? new Map<BookId, Indexed>();
  indexes.set(store, books);
  const indexed = books.get(bookId);
  const seq = lastActSeq(store);
  if (indexed !== undefined && indexed.seq === seq) return indexed.index;
  try {
    if (indexed !== undefined) return refresh(store, bookId, indexed, seq).index;
  } catch {
    books.delete(bookId); // it no longer says what the file says: build it again below
  }
  const built = build(store, bookId, seq);
  books.set(bookId, built);
  return built.index;
}

function build(store: Store, bookId: BookId, seq: number): Indexed {
  const indexed: Indexed = { index: new BookIndex({ stem: englishStem }), seq, rows: new Map() };
  for (const chapter of listChapters(store, bookId)) {
    indexed.index.putChapter(entryOf(chapter));
    for (const row of listBlocks(store, chapter.id)) putRow(indexed, chapter.id, row);
  }
  for (const fact of listFacts(store, bookId)) indexed.index.putFact(fact);
  return indexed;
}

/** Takes in what the acts since have touched: rows are read again, never guessed. */
function refresh(store: Store, bookId: BookId, indexed: Indexed, seq: number): Indexed {
  const touched = listTouched(store, indexed.seq, ["chapters", "blocks", "facts"]);
  const of = (table: string) => touched.filter((row) => row.table === table).map(({ id }) => id);
  const rows = new Map(findRows(store, of("blocks")).map((row) => [row.id, row]));
  for (const id of of("blocks")) if (!rows.has(id)) dropRow(indexed, id);
  if (of("chapters").length > 0) refreshChapters(store, bookId, indexed, of("chapters"));
  for (const row of rows.values()) {
    if (findChapter(store, row.chapterId)?.bookId === bookId) putRow(indexed, row.chapterId, row);
  }
  for (const id of of("facts")) {
    const fact = findFact(store, id);
    if (fact === undefined) indexed.index.removeFact(id);
    else if (fact.bookId === bookId) indexed.index.putFact(fact);
  }
  indexed.seq = seq;
  return indexed;
}

/** Moving one chapter changes the place of others, so all of the book's are put; an unchanged one costs nothing. */
function refreshChapters(store: Store, bookId: BookId, indexed: Indexed, touched: readonly string[]): void {
  const present = listChapters(store, bookId);
  const ids = new Set<string>(present.map(({ id }) => id));
  for (const id of touched) if (!ids.has(id)) indexed.index.removeChapter(id);
  for (const chapter of present) indexed.index.putChapter(entryOf(chapter));
}

function entryOf({ id, title, synopsis, position, partId, status }: ChapterRow) {
  return { chapterId: id, title, synopsis, position, partId, status };
}

function putRow(
  indexed: Indexed,
  chapterId: string,
  row: Pick<BlockRow, "id" | "rank" | "node" | "leaves">,
): void {
  const gone = new Set(indexed.rows.get(row.id) ?? []);
  readLeaves(JSON.parse(row.node) as DocNode).forEach(({ blockId: id, text }, index) => {
    const blockId = String(id);
    gone.delete(blockId);
    // Neighbours are read together, so the index knows where in its chapter a paragraph stands.
    const place = `${row.rank} ${String(index).padStart(LEAF_DIGITS, "0")}`;
    if (text !== "") indexed.index.putParagraph({ blockId, chapterId, text, place });
    else indexed.index.removeParagraph(blockId);
  });
  indexed.rows.set(row.id, row.leaves);
  for (const blockId of gone)
    if (ownerOf(indexed, blockId) === undefined) indexed.index.removeParagraph(blockId);
}

function dropRow(indexed: Indexed, rowId: string): void {
  for (const blockId of indexed.rows.get(rowId) ?? []) indexed.index.removeParagraph(blockId);
  indexed.rows.delete(rowId);
}

// A paragraph that moved to another row of the same act must not be removed by the row that it left.
function ownerOf(indexed: Indexed, blockId: string): string | undefined {
  for (const [rowId, leaves] of indexed.rows) if (leaves.includes(blockId)) return rowId;
  return undefined;
}
