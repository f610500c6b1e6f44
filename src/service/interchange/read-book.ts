import type { StoredChapter } from "../../book/book.ts";
import type { StoredBook } from "../../book/merge-book.ts";
import type { BookId, ChapterId, PartId } from "../../ids.ts";
import type { StoredProse } from "../../prose/plan.ts";
import { Damaged } from "../../refusals.ts";
import { LongLog } from "../../store/file/log.ts";
import type { Store } from "../../store/file/store.ts";
import { formerLeaves } from "../../store/journal/history.ts";
import { chaptersOfLeaves, listBlocks, listBlocksWith } from "../../store/rows/blocks.ts";
import { findGoal, listParts } from "../../store/rows/books.ts";
import { type ChapterRow, listChapters, readMarkdownBytes } from "../../store/rows/chapters.ts";
import { hasFacts } from "../../store/rows/facts.ts";
import { hasSnippets } from "../../store/rows/snippets.ts";
import { describedIn } from "../field-rules.ts";
import { theBook } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import { storedBlock, storedProse } from "../prose/stored-prose.ts";
import type { BookAnnotations } from "./read-annotations.ts";

/** A book for export. */
export interface Book extends StoredBook {
  /** Undefined for the chapters alone. */
  annotations?: BookAnnotations;
}

/**
 * Reads a book as it stands. Its prose is read on demand, within the same transaction. Throws `NotFound`.
 * O(chapters).
 */
export function readBook(manuscript: Manuscript, bookId: BookId): Book {
  const { store } = manuscript;
  const row = theBook(manuscript, bookId);
  const { id, title } = row;
  const parts = listParts(store, id);
  const titles = new Map(parts.map((part) => [part.id, part.title]));
  return {
    id,
    title,
    goal: findGoal(store, id) ?? null,
    manifest: describedIn(row),
    parts: parts.map((part) => part.title),
    chapters: listChapters(store, id).map((row) => toStored(store, row, titles)),
  };
}

/** Options for reading a whole book. */
interface WholeBook {
  /** Returns prose with its block ids. */
  mark?: ((chapter: StoredChapter) => Buffer) | undefined;
  /** Reads the facts and notes. */
  annotate?: ((manuscript: Manuscript, bookId: BookId) => BookAnnotations) | undefined;
  /** Collects the chapters whose prose is damaged, and must not be read. Without it they throw `Damaged`. */
  damaged?: Set<string>;
  /** Chapters that were read already. */
  ahead?: ReadAhead | undefined;
}

/** Chapters whose prose was read, each with its version before that. At the same version the prose is current. */
type ReadAhead = ReadonlyMap<ChapterId, { version: number; chapter: StoredChapter }>;

/**
 * Reads a book's prose chapter by chapter, pausing before each while the log is long. `readWholeBook` then reads only
 * later changes, so that the log is blocked for a short time only.
 */
export function readProseAhead(
  { store }: Manuscript,
  bookId: BookId,
  log: Pick<LongLog, "wait"> = new LongLog(store.path),
): ReadAhead {
  const ahead = new Map<ChapterId, { version: number; chapter: StoredChapter }>();
  for (const row of listChapters(store, bookId)) {
    log.wait();
    const chapter = toStored(store, row, new Map());
    try {
      chapter.markdown();
      ahead.set(row.id, { version: row.version, chapter });
    } catch (error) {
      if (!(error instanceof Damaged)) throw error; // for who reads the book
    }
  }
  return ahead;
}

/** Reads a book with all of its prose at one moment. Throws `NotFound`. */
export function readWholeBook(
  manuscript: Manuscript,
  bookId: BookId,
  { mark, annotate, damaged, ahead }: WholeBook = {},
): Book {
  return manuscript.store.snapshot(() => {
    const now = readBook(manuscript, bookId);
    const book = ahead === undefined ? now : { ...now, chapters: withRead(manuscript.store, now, ahead) };
    for (const chapter of book.chapters) {
      try {
        chapter.markdown();
        if (mark !== undefined) chapter.prose();
      } catch (error) {
        if (!(error instanceof Damaged) || damaged === undefined) throw error;
        damaged.add(chapter.id);
      }
    }
    return { ...book, ...(annotate && { annotations: annotate(manuscript, bookId) }) };
  });
}

/** Returns the chapters with the prose that was read already, where they have not changed since. */
function withRead(store: Store, { id, chapters }: Book, ahead: ReadAhead): StoredChapter[] {
  const versions = new Map(listChapters(store, id).map((row) => [row.id, row.version]));
  return chapters.map((chapter) => {
    const read = ahead.get(chapter.id);
    return read === undefined || read.version !== versions.get(chapter.id)
      ? chapter
      : { ...chapter, markdown: read.chapter.markdown };
  });
}

/** Tells which of facts and notes a book has. */
export function hasAnnotations({ store }: Manuscript, bookId: BookId): { facts: boolean; notes: boolean } {
  return { facts: hasFacts(store, bookId), notes: hasSnippets(store, bookId) };
}

function toStored(store: Store, row: ChapterRow, titles: ReadonlyMap<PartId, string>): StoredChapter {
  const { partId, bom, ...fields } = row;
  let prose: StoredProse | undefined;
  let markdown: Buffer | undefined;
  return {
    ...fields,
    partId,
    part: partId === null ? null : (titles.get(partId) ?? null),
    bom: bom === 1,
    prose: () => (prose ??= storedProse(row, listBlocks(store, row.id))),
    blocksWith: (texts) => listBlocksWith(store, row.id, texts).map(storedBlock),
    markdown: () => (markdown ??= readMarkdownBytes(store, row.id)?.body ?? Buffer.alloc(0)), // the row is there
    owns: (named) => {
      const holders = chaptersOfLeaves(store, [...named]);
      const former = named.every((id) => holders.has(id)) ? new Set<string>() : formerLeaves(store, row.id);
      return new Set(named.filter((id) => (holders.has(id) ? holders.get(id) === row.id : former.has(id))));
    },
  };
}
