import type { BlockId, ChapterId } from "../../ids.ts";
import type { Store } from "../../store/file/store.ts";
import { collapseSpace, foldText } from "../../text/fold.ts";
import { leavesOfChapter } from "../annotations/mentions.ts";

/** A leaf of a chapter, and its text with white space collapsed. */
export interface NoteLeaf {
  blockId: BlockId;
  text: string;
}

/** How a file names a paragraph: by its beginning, and where several begin so, by its place among them, from 1. */
export interface Quote {
  quote: string;
  nth?: number | undefined;
}

// Long enough for a reader to know the paragraph by; longer only where others begin alike.
const LENGTHS = [60, 120, 200];

/** A chapter's leaves in reading order. */
export function noteLeaves(store: Store, chapterId: ChapterId): NoteLeaf[] {
  return [...leavesOfChapter(store, chapterId)].map(([blockId, { text }]) => ({
    blockId,
    text: collapseSpace(text),
  }));
}

/** The words by which `findQuote` finds a leaf; undefined where it is not there. */
export function quoteOf(leaves: readonly NoteLeaf[], blockId: BlockId): Quote | undefined {
  const leaf = leaves.find((other) => other.blockId === blockId);
  if (leaf === undefined) return undefined;
  const quotes = LENGTHS.map((length) => beginning(leaf.text, length));
  const quote = quotes.find((text) => findQuote(leaves, { quote: text }) === blockId);
  if (quote !== undefined) return { quote };
  const longest = [...quotes.slice(-1), leaf.text].find((text) => likeOf(leaves, text).includes(leaf));
  const text = longest ?? leaf.text;
  return { quote: text, nth: likeOf(leaves, text).indexOf(leaf) + 1 };
}

/**
 * The leaf that a quote means: the only one of that text, else the only one that begins so, else the same but for case,
 * quotes and punctuation. Undefined where there is none, or several and no `nth`.
 */
export function findQuote(leaves: readonly NoteLeaf[], { quote, nth }: Quote): BlockId | undefined {
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

/** The beginning of a text, to the end of a word and never half a character. */
function beginning(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length + 1).replace(/\s+\S*$/, "");
  return cut.length <= length ? cut : text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}
