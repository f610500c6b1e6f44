import type { NoteAnchor } from "../../book/book.ts";
import type { BookId, ChapterId } from "../../ids.ts";
import type { Store } from "../../store/file/store.ts";
import { chaptersOfLeaves } from "../../store/rows/blocks.ts";
import { findChapter, listChapters } from "../../store/rows/chapters.ts";
import { findQuote, type NoteLeaf, noteLeaves, type Quote } from "./quote-anchor.ts";

/** Where a file says that a note stands. */
export interface SaidAnchor {
  /** The chapter's file, its id or its title. */
  chapter?: string;
  block?: string;
  quote?: string;
  nth?: number;
  /** What it stood beside when it was detached. */
  detached?: { quote: string; block?: string };
}

/** The chapters of a book after an import, by file, id, and where it is the only one of it, title. */
export function chaptersByName(
  store: Store,
  bookId: BookId,
  outcomes: readonly { file: string | null; id: ChapterId }[],
): Map<string, ChapterId> {
  const all = listChapters(store, bookId);
  const titles = all.map(({ title }) => title);
  const isOnly = (title: string) => titles.indexOf(title) === titles.lastIndexOf(title);
  return new Map<string, ChapterId>([
    ...all.filter(({ title }) => isOnly(title)).map(({ title, id }) => [title, id] as const),
    ...all.map(({ id }) => [id, id] as const),
    ...all.flatMap(({ file, id }) => (file === null ? [] : [[file, id] as const])),
    ...outcomes.flatMap(({ file, id }) => (file === null ? [] : [[file, id] as const])),
  ]);
}

/** A place that was looked for. */
export interface FoundPlace {
  anchor: NoteAnchor;
  /** The words that were not found. */
  lost?: string;
  /** What a note that has no paragraph stood beside once. */
  detached: { quote: string; block?: string | undefined } | undefined;
}

/**
 * Finds places in the chapters as they are now: a leaf by its id where it is one of the chapter, else by its quote. A
 * chapter's leaves are read once.
 */
export function finder(store: Store, bookId: BookId, chapters: ReadonlyMap<string, ChapterId>) {
  const known = new Map<ChapterId, NoteLeaf[]>();
  const leavesOf = (id: ChapterId) => {
    const leaves = known.get(id) ?? noteLeaves(store, id);
    known.set(id, leaves);
    return leaves;
  };
  return ({ chapter, block, quote, nth, detached }: SaidAnchor): FoundPlace => {
    const holder = block === undefined ? undefined : chaptersOfLeaves(store, [block]).get(block);
    const named = chapter === undefined ? undefined : chapters.get(chapter);
    const isHere = holder !== undefined && findChapter(store, holder)?.bookId === bookId;
    const chapterId = named ?? (isHere ? holder : undefined) ?? null;
    if (block !== undefined && chapterId !== null && holder === chapterId)
      return { anchor: { chapterId, blockId: block }, detached: undefined };
    if (block === undefined && quote === undefined) {
      const isLost = chapter !== undefined && named === undefined;
      return { anchor: { chapterId, blockId: null }, detached, ...(isLost ? { lost: chapter } : {}) };
    }
    const asked: Quote | undefined = quote === undefined ? undefined : { quote, nth };
    const blockId = asked && chapterId !== null ? findQuote(leavesOf(chapterId), asked) : undefined;
    if (blockId !== undefined) return { anchor: { chapterId, blockId }, detached: undefined };
    const words = quote ?? "";
    return { anchor: { chapterId, blockId: null }, lost: words, detached: { quote: words, block } };
  };
}
