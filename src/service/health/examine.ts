import type { BlockId, BookId, ChapterId } from "../../ids.ts";
import { nodeOf, readLeaves } from "../../prose/document/leaves.ts";
import { sameNode } from "../../prose/document/same-node.ts";
import { shownLeaves, storedNode } from "../../prose/document/text.ts";
import type { DocNode } from "../../prose/document/types.ts";
import { joinMarkdown } from "../../prose/join-chapter.ts";
import { parseMarkdown } from "../../prose/parse.ts";
import { describeDamage, listDamagedRows } from "../../store/damage.ts";
import {
  listBrokenCounts,
  listBrokenHistory,
  listBrokenReferences,
  listLostAnchors,
  listStrayLeaves,
  listTwinRanks,
  PARAGRAPH_GONE,
} from "../../store/examine.ts";
import type { Store } from "../../store/file/store.ts";
import { type BlockRow, type DerivedBlock, listBlocks } from "../../store/rows/blocks.ts";
import { listBooks } from "../../store/rows/books.ts";
import { type ChapterRow, findChapter, listChapters } from "../../store/rows/chapters.ts";
import { asStored } from "../../store/rows/integrity.ts";
import { listChapterMentions } from "../../store/rows/mentions.ts";
import { append } from "../../text/extremes.ts";
import { type ProgressStep, share } from "../../text/progress.ts";
import { deriveBlock, deriveBlockAsBefore } from "../prose/stored-prose.ts";

/** What is looked at in a file's rows. */
export type Aspect = "content" | "references" | "prose" | "derived" | "anchors" | "order" | "history";

/** A line for every flaw by aspect, and what the prose holds; no lines if all is well. */
export interface Examination {
  flaws: Readonly<Record<Aspect, readonly string[]>>;
  /** Paragraphs with text, by book and chapter: what a search index must hold. */
  paragraphs: ReadonlyMap<BookId, ReadonlyMap<ChapterId, Paragraphs>>;
}

/** How many paragraphs with text a chapter had at a version of it. */
interface Paragraphs {
  version: number;
  count: number;
}

/**
 * Looks at every row of a file, its history too, and writes nothing. One million words take about four seconds. Others may
 * write meanwhile: each chapter is read of one moment, and `between` is called between two of them, while nothing is being
 * read, with how far it has come.
 */
export function examine(store: Store, between: ProgressStep = () => {}): Examination {
  return asStored(store, () => examineRows(store, between));
}

function examineRows(store: Store, between: ProgressStep): Examination {
  const prose: string[] = [];
  const derived = [...listStrayLeaves(store), ...listBrokenCounts(store)];
  const anchors = listLostAnchors(store);
  const paragraphs = new Map<BookId, Map<ChapterId, Paragraphs>>();
  const examineChapter = (id: ChapterId) => {
    const chapter = findChapter(store, id);
    if (chapter === undefined) return; // deleted meanwhile
    const read = listBlocks(store, id).map(readBlock);
    append(prose, proseFlaws(chapter, read));
    append(
      derived,
      read.filter(isDerivedWrong).map(({ row }) => `block ${row.id} of ${id}`),
    );
    append(anchors, mentionFlaws(store, chapter, read));
    const { bookId, version } = chapter;
    const known = paragraphs.get(bookId) ?? new Map<ChapterId, Paragraphs>();
    paragraphs.set(bookId, known.set(id, { version, count: countTexts(read) }));
  };
  const books = listBooks(store);
  for (const { id } of books) paragraphs.set(id, new Map());
  const chapters = books.flatMap(({ id }) => listChapters(store, id));
  for (const [index, { id }] of chapters.entries()) {
    share(between, 0, 40)(index, chapters.length);
    store.snapshot(() => examineChapter(id));
  }
  between(40, 100);
  const references = listBrokenReferences(store);
  const content = listDamagedRows(store, () => between(45, 100)).map(describeDamage);
  const order = listTwinRanks(store);
  const history = listBrokenHistory(store, share(between, 50, 100));
  return {
    flaws: { content, references, prose, derived, anchors: [...new Set(anchors)], order, history },
    paragraphs,
  };
}

const countTexts = (read: readonly ReadBlock[]) =>
  read.reduce((sum, { node }) => sum + (node === undefined ? 0 : countShown(node)), 0);

const countShown = (node: DocNode) => shownLeaves(node).filter(({ text }) => text !== "").length;

/** How many paragraphs with text a book has now; only what has changed since they were counted is read again. */
export function countParagraphs(
  store: Store,
  bookId: BookId,
  known: ReadonlyMap<ChapterId, Paragraphs> | undefined,
): number {
  let sum = 0;
  for (const { id, version } of listChapters(store, bookId)) {
    const before = known?.get(id);
    sum += before?.version === version ? before.count : countTexts(listBlocks(store, id).map(readBlock));
  }
  return sum;
}

/** A block with its node, or without one if the stored text is no node. */
interface ReadBlock {
  row: BlockRow;
  node: DocNode | undefined;
  leaves: { blockId: string | null; text: string }[];
}

function readBlock(row: BlockRow): ReadBlock {
  try {
    const node = nodeOf(row);
    return { row, node, leaves: readLeaves(node) };
  } catch {
    return { row, node: undefined, leaves: [] };
  }
}

/** Attributes that versions before 0.3 did not store. */
const YEARS: ReadonlySet<string> = new Set(["value"]);

/** The chapter's Markdown must read back as exactly its blocks: else an export and an import would change it. */
function proseFlaws(chapter: ChapterRow, read: readonly ReadBlock[]): string[] {
  try {
    const unread = read.findIndex(({ node }) => node === undefined);
    const rows = read.map(({ row }) => row);
    const at = unread < 0 ? firstMisread(chapter, rows) : unread;
    return at === undefined ? [] : [`${chapter.id} at block ${at + 1}`];
  } catch (error) {
    return [`${chapter.id}: ${(error as Error).message}`];
  }
}

/**
 * The place of the first block, from 0, that is not what the chapter's Markdown reads back as; undefined if all are. Throws what
 * parsing throws.
 */
export function firstMisread(
  { bom, eol, head }: Pick<ChapterRow, "bom" | "eol" | "head">,
  rows: readonly Pick<BlockRow, "node" | "source" | "gap">[],
): number | undefined {
  const blocks = rows.map((row) => ({ ...row, node: storedNode(row) }));
  const parsed = parseMarkdown(joinMarkdown({ bom: bom === 1, eol, head, blocks })).blocks;
  const at = blocks.findIndex(({ node }, index) => {
    const other = parsed[index]?.node;
    const isOlder = rows[index]?.node.includes('"value":') === false;
    return other === undefined || !sameNode(node, other, isOlder ? YEARS : undefined);
  });
  if (at >= 0) return at;
  return parsed.length === blocks.length ? undefined : blocks.length;
}

function isDerivedWrong({ row, node }: ReadBlock): boolean {
  if (node === undefined) return true;
  try {
    return !isDerived(row, deriveBlock(node)) && !isDerived(row, deriveBlockAsBefore(node));
  } catch {
    return true; // a node that no text can be read from
  }
}

function isDerived(row: BlockRow, { type, text, words, leaves }: DerivedBlock): boolean {
  const isSame =
    row.leaves.length === leaves.length && leaves.every((leaf, index) => leaf === row.leaves[index]);
  return isSame && row.type === type && row.text === text && row.words === words;
}

function mentionFlaws(store: Store, { id, mentionCount }: ChapterRow, read: readonly ReadBlock[]): string[] {
  const mentions = listChapterMentions(store, id);
  if (mentions.length === 0 && mentionCount === 0) return [];
  const texts = new Map<BlockId | null, string>(
    read.flatMap(({ leaves }) => leaves.map(({ blockId, text }) => [blockId, text] as const)),
  );
  return mentions.flatMap(({ id: mention, blockId, from, to, text }) => {
    const found = texts.get(blockId);
    if (found?.slice(from, to) === text) return [];
    return [
      `${mention}: ${found === undefined ? PARAGRAPH_GONE : "its paragraph says something else there"}`,
    ];
  });
}
