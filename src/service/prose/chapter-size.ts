import { LIMITS } from "../../contract/limits.ts";
import type { ChapterId } from "../../ids.ts";
import { nodeOf } from "../../prose/document/leaves.ts";
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
  // A UTF-16 unit is three bytes at most: nearly no chapter has to be measured.
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

type Measured = readonly Pick<BlockRow, "node" | "source" | "gap">[];

/**
 * Throws `PayloadTooLarge` if a chapter that gets one paragraph's new text, these blocks for the old ones, grows beyond what one
 * may be.
 */
export function assertParagraphFits(
  store: Store,
  chapter: ChapterRow,
  { old, written }: { old: Measured; written: Measured },
): void {
  const [own, next] = [sizeOf(old), sizeOf(written)];
  if (next.documentBytes <= own.documentBytes && next.markdownBytes <= own.markdownBytes) return;
  const before = measureChapter(store, chapter.id);
  const after = {
    documentBytes: before.documentBytes - own.documentBytes + next.documentBytes,
    markdownBytes: before.markdownBytes - own.markdownBytes + next.markdownBytes,
  };
  assertSmaller(after, before);
  const mayBeTooMany = after.documentBytes > LIMITS.chapterNodes * LEAST_NODE_BYTES;
  if (!mayBeTooMany || chapter.blockCount > LIMITS.chapterBlocks) return;
  const count = (blocks: readonly { node: string }[]) => countNodes(blocks.map(nodeOf));
  const nodes = count(listBlocks(store, chapter.id)) - count(old) + count(written);
  if (nodes > LIMITS.chapterNodes) throw tooManyNodes();
}

/** As `measureChapter` counts it. */
function sizeOf(blocks: Measured): ChapterSize {
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
