import type { NoteAnchor } from "../../book/book.ts";
import type { BlockId, BookId, ChapterId } from "../../ids.ts";
import type { Store } from "../../store/file/store.ts";
import { chaptersOfLeaves } from "../../store/rows/blocks.ts";
import { findChapter, listChapters } from "../../store/rows/chapters.ts";
import { collapseSpace, foldText } from "../../text/fold.ts";
import { leavesOfChapter } from "../annotations/mentions.ts";

/** Place of a note as a file gives it. */
export interface SaidAnchor {
  /** File, id or title of the chapter. */
  chapter?: string;
  block?: string;
  quote?: string;
  nth?: number;
  /** Paragraph that the note was next to when it was detached. */
  detached?: { quote: string; block?: string };
}

/** Maps names to the chapters of a book after an import: file, id, and the title if it is unique. */
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

/** Result of looking up a place. */
export interface FoundPlace {
  anchor: NoteAnchor;
  /** Quote that was not found. */
  lost?: string;
  /** Former paragraph of a detached note. */
  detached: { quote: string; block?: string | undefined } | undefined;
}

/**
 * Returns a function that finds places in the chapters as they are now: a leaf by its id if the chapter has it, else
 * by its quote. Reads a chapter's leaves once.
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
    const blockId = asked && chapterId !== null ? findQuotedLeaf(leavesOf(chapterId), asked) : undefined;
    if (blockId !== undefined) return { anchor: { chapterId, blockId }, detached: undefined };
    const words = quote ?? "";
    return { anchor: { chapterId, blockId: null }, lost: words, detached: { quote: words, block } };
  };
}

/** A leaf of a chapter, and its text with white space collapsed. */
export interface NoteLeaf {
  blockId: BlockId;
  text: string;
}

/** Name of a paragraph in a file: its beginning, and if several begin alike, its number among them, from 1. */
export interface Quote {
  quote: string;
  nth?: number | undefined;
}

// Lengths of quotes: enough for a reader to recognize the paragraph, longer only if others begin alike.
const LENGTHS = [60, 120, 200];

/** Returns a chapter's leaves in reading order. */
export function noteLeaves(store: Store, chapterId: ChapterId): NoteLeaf[] {
  return [...leavesOfChapter(store, chapterId)].map(([blockId, { text }]) => ({
    blockId,
    text: collapseSpace(text),
  }));
}

/** Returns the quote by which `findQuotedLeaf` finds a leaf; undefined if it is not there. */
export function quoteOf(leaves: readonly NoteLeaf[], blockId: BlockId): Quote | undefined {
  const leaf = leaves.find((other) => other.blockId === blockId);
  if (leaf === undefined) return undefined;
  const quotes = LENGTHS.map((length) => beginning(leaf.text, length));
  const quote = quotes.find((text) => findQuotedLeaf(leaves, { quote: text }) === blockId);
  if (quote !== undefined) return { quote };
  const longest = [...quotes.slice(-1), leaf.text].find((text) => likeOf(leaves, text).includes(leaf));
  const text = longest ?? leaf.text;
  return { quote: text, nth: likeOf(leaves, text).indexOf(leaf) + 1 };
}

/**
 * Finds the leaf of a quote: the only one of that text, else the only one that begins so, else the only one apart
 * from case, quotes and punctuation. Undefined if there is none, or several and no `nth`.
 */
export function findQuotedLeaf(leaves: readonly NoteLeaf[], { quote, nth }: Quote): BlockId | undefined {
  const like = likeOf(leaves, quote);
  return (nth === undefined && like.length > 1 ? undefined : like[(nth ?? 1) - 1])?.blockId;
}

function likeOf(leaves: readonly NoteLeaf[], quote: string): NoteLeaf[] {
  const text = collapseSpace(quote);
  const cut = text.replace(/\s*(?:…|\.\.\.)$/, "");
  const folded = foldText(cut);
  const ways: ((leaf: NoteLeaf) => boolean)[] = [
    (leaf) => leaf.text === text,
    ...(text === "" ? [] : [(leaf: NoteLeaf) => leaf.text.startsWith(text)]),
    ...(cut === text || cut === "" ? [] : [(leaf: NoteLeaf) => leaf.text.startsWith(cut)]),
    ...(folded === "" ? [] : [(leaf: NoteLeaf) => foldText(leaf.text).startsWith(folded)]),
  ];
  for (const way of ways) {
    const like = leaves.filter(way);
    if (like.length > 0) return like;
  }
  return [];
}

/** Returns the beginning of a text, up to the end of a word, never half a character. */
function beginning(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length + 1).replace(/\s+\S*$/, "");
  return cut.length <= length ? cut : text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}
