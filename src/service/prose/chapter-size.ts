import { LIMITS } from "../../contract/limits.ts";
import type { ChapterId } from "../../ids.ts";
import { nodeOf } from "../../prose/document/node-of.ts";
import {
  ANY_ROOM,
  CHAPTER_ROOM,
  type ChapterRoom,
  tooLargeDocument,
  tooManyBlocks,
  tooManyNodes,
} from "../../prose/document/room.ts";
import type { DocNode } from "../../prose/document/types.ts";
import { PayloadTooLarge } from "../../refusals.ts";
import type { Store } from "../../store/file/store.ts";
import { type BlockRow, type ChapterSize, listBlocks, measureChapter } from "../../store/rows/blocks.ts";
import { type ChapterRow, findChapter, hasLongerChapter } from "../../store/rows/chapters.ts";
import type { BlockChanges, BlockCounts } from "../../store/rows/write-blocks.ts";

/** What a chapter's new prose may come to: as much as it holds already, if an older version let it grow beyond the limit. */
export function roomFor(store: Store, chapterId: ChapterId): ChapterRoom {
  const leaves = findChapter(store, chapterId)?.blockCount ?? 0;
  if (leaves <= CHAPTER_ROOM.leaves) return CHAPTER_ROOM;
  return { leaves, nodes: Infinity, characters: Infinity };
}

/** What a chapter of any file may come to, before it is known which it is: an older version let some grow beyond the limit. */
export function roomForAny(store: Store): ChapterRoom {
  return hasLongerChapter(store, CHAPTER_ROOM.leaves) ? ANY_ROOM : CHAPTER_ROOM;
}

/** How large a chapter is, and how large a plan leaves it. */
export interface SizeChange {
  before: ChapterSize;
  after: ChapterSize;
}

/** What writes make of a chapter that consists of these rows. */
export function changeOfSize(
  rows: readonly BlockRow[],
  { removed, updated, inserted }: BlockChanges,
): SizeChange {
  const before = sizeOf(rows);
  const gone = sizeOf([...removed, ...updated.map(({ old }) => old)]);
  const come = sizeOf([...updated, ...inserted]);
  const after = {
    documentBytes: before.documentBytes - gone.documentBytes + come.documentBytes,
    markdownBytes: before.markdownBytes - gone.markdownBytes + come.markdownBytes,
  };
  return { before, after };
}

/**
 * Throws `PayloadTooLarge` if a chapter will be larger than one may be, and than it was before: what an older version let
 * grow stays open to edits that add nothing. `leaves` is how many it is to have.
 */
export function assertWithinLimits(
  chapter: ChapterRow,
  next: { leaves: number; nodes: readonly DocNode[]; size: SizeChange },
): void {
  if (next.leaves > Math.max(LIMITS.chapterBlocks, chapter.blockCount)) throw tooManyBlocks();
  if (chapter.blockCount <= LIMITS.chapterBlocks && countNodes(next.nodes) > LIMITS.chapterNodes)
    throw tooManyNodes();
  assertSmaller(next.size.after, next.size.before);
}

/** Throws `PayloadTooLarge` if a chapter that is to be made of these rows would be larger than one may be. */
export function assertNewFits({
  inserted,
  counts,
}: {
  inserted: readonly BlockRow[];
  counts: BlockCounts;
}): void {
  if (counts.leaves > LIMITS.chapterBlocks) throw tooManyBlocks();
  let units = 0;
  for (const { node, source, gap } of inserted) units += node.length + 1 + source.length + gap.length;
  // A UTF-16 unit is three bytes at most: nearly no chapter has to be weighed.
  if (3 * units <= LEAST_LIMIT_BYTES) return;
  if (countNodes(inserted.map(nodeOf)) > LIMITS.chapterNodes) throw tooManyNodes();
  assertSmaller(sizeOf(inserted), { documentBytes: 0, markdownBytes: 0 });
}

/** A node and the comma behind it as JSON: `{"type":"hard_break"},` is the shortest. */
const LEAST_NODE_BYTES = 22;

/** Below this no limit of a chapter's size is reached. */
const LEAST_LIMIT_BYTES = Math.min(
  LIMITS.documentBytes,
  LIMITS.markdownBytes,
  LIMITS.chapterNodes * LEAST_NODE_BYTES,
);

/** How large a chapter is, and how many nodes it has if they were counted. */
export interface KnownSize extends ChapterSize {
  nodes: number | undefined;
}

type Weighed = readonly Pick<BlockRow, "node" | "source" | "gap">[];

/**
 * How large a chapter is once one paragraph's new text is written: these blocks for the old ones. Undefined if it only
 * shrinks and was not weighed before. Throws `PayloadTooLarge` if it is larger than one may be, and than it was before.
 */
export function weighParagraph(
  store: Store,
  chapter: ChapterRow,
  { old, written }: { old: Weighed; written: Weighed },
): KnownSize | undefined {
  const own = sizeOf(old);
  const next = sizeOf(written);
  const isSmaller = next.documentBytes <= own.documentBytes && next.markdownBytes <= own.markdownBytes;
  const known = recallSize(store, chapter);
  if (isSmaller && known === undefined) return undefined;
  const before = known ?? { ...measureChapter(store, chapter.id), nodes: undefined };
  const after = {
    documentBytes: before.documentBytes - own.documentBytes + next.documentBytes,
    markdownBytes: before.markdownBytes - own.markdownBytes + next.markdownBytes,
  };
  assertSmaller(after, before);
  const mayBeTooMany = after.documentBytes > LIMITS.chapterNodes * LEAST_NODE_BYTES;
  if (!mayBeTooMany) return { ...after, nodes: undefined };
  const count = (blocks: readonly { node: string }[]) => countNodes(blocks.map(nodeOf));
  const nodes = (before.nodes ?? count(listBlocks(store, chapter.id))) - count(old) + count(written);
  const mayHaveMore = isSmaller || chapter.blockCount > LIMITS.chapterBlocks;
  if (!mayHaveMore && nodes > LIMITS.chapterNodes) throw tooManyNodes();
  return { ...after, nodes };
}

/** Remembers how large a chapter is, as it is now. */
export function rememberSize(store: Store, { id, digest }: ChapterRow, size: KnownSize | undefined): void {
  if (size !== undefined) sizesOf(store).set(id, { digest, size });
}

// Whoever writes paragraph after paragraph of a chapter has it measured once: of one digest are the same blocks.
const sizes = new WeakMap<Store, Map<ChapterId, { digest: number; size: KnownSize }>>();
const MOST_SIZES = 1000;

function recallSize(store: Store, { id, digest }: ChapterRow): KnownSize | undefined {
  const known = sizes.get(store)?.get(id);
  return known?.digest === digest ? known.size : undefined;
}

function sizesOf(store: Store): NonNullable<ReturnType<typeof sizes.get>> {
  const known = sizes.get(store);
  if (known !== undefined && known.size < MOST_SIZES) return known;
  const none: NonNullable<typeof known> = new Map();
  sizes.set(store, none);
  return none;
}

/** As `measureChapter` counts it. */
function sizeOf(blocks: Weighed): ChapterSize {
  const total = (lengths: number[]) => lengths.reduce((sum, length) => sum + length, 0);
  return {
    documentBytes: total(blocks.map(({ node }) => Buffer.byteLength(node) + 1)),
    markdownBytes: total(blocks.map(({ source, gap }) => Buffer.byteLength(source) + Buffer.byteLength(gap))),
  };
}

function assertSmaller(after: ChapterSize, before: ChapterSize): void {
  if (after.documentBytes > Math.max(LIMITS.documentBytes, before.documentBytes)) throw tooLargeDocument();
  if (after.markdownBytes > Math.max(LIMITS.markdownBytes, before.markdownBytes)) {
    throw new PayloadTooLarge(
      `The chapter's Markdown would have ${after.markdownBytes} bytes; a chapter takes at most ${LIMITS.markdownBytes} (4 MiB). Split the chapter.`,
    );
  }
}

function countNodes(nodes: readonly DocNode[]): number {
  let count = 0;
  const open = [nodes];
  for (let list = open.pop(); list !== undefined; list = open.pop()) {
    count += list.length;
    for (const { content } of list) if (content !== undefined) open.push(content);
  }
  return count;
}
