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
import type { BlockWrites } from "../../store/rows/write-blocks.ts";

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

/**
 * Throws `PayloadTooLarge` if these writes would make a chapter larger than one may be, and than it is. A new chapter has
 * no blocks yet.
 */
export function assertChapterFits(
  store: Store,
  chapter: Pick<ChapterRow, "id" | "blockCount">,
  { removed, updated, inserted, counts }: BlockWrites,
): void {
  const leaves = chapter.blockCount + counts.leaves;
  if (leaves > Math.max(LIMITS.chapterBlocks, chapter.blockCount)) throw tooManyBlocks();
  const [old, written] = [
    [...removed, ...updated.map((block) => block.old)],
    [...updated, ...inserted],
  ];
  const [less, more] = [sizeOf(old), sizeOf(written)];
  if (more.documentBytes <= less.documentBytes && more.markdownBytes <= less.markdownBytes) return;
  const before = measureChapter(store, chapter.id);
  const documentBytes = before.documentBytes - less.documentBytes + more.documentBytes;
  const markdownBytes = before.markdownBytes - less.markdownBytes + more.markdownBytes;
  if (documentBytes > Math.max(LIMITS.documentBytes, before.documentBytes)) throw tooLargeDocument();
  if (markdownBytes > Math.max(LIMITS.markdownBytes, before.markdownBytes))
    throw new PayloadTooLarge(
      `The chapter's Markdown would have ${markdownBytes} bytes; a chapter takes at most ${LIMITS.markdownBytes} (4 MiB). Split the chapter.`,
    );
  const mayHaveTooMany = documentBytes > LIMITS.chapterNodes * LEAST_NODE_BYTES;
  if (!mayHaveTooMany || chapter.blockCount > LIMITS.chapterBlocks) return;
  const count = (blocks: readonly { node: string }[]) => countNodes(blocks.map(nodeOf));
  const nodes = count(listBlocks(store, chapter.id)) - count(old) + count(written);
  if (nodes > LIMITS.chapterNodes) throw tooManyNodes();
}

/** A node and the comma behind it as JSON: `{"type":"hard_break"},` is the shortest. */
const LEAST_NODE_BYTES = 22;

/** As `measureChapter` counts it. */
function sizeOf(blocks: readonly Pick<BlockRow, "node" | "source" | "gap">[]): ChapterSize {
  const size = { documentBytes: 0, markdownBytes: 0 };
  for (const { node, source, gap } of blocks) {
    size.documentBytes += Buffer.byteLength(node) + 1;
    size.markdownBytes += Buffer.byteLength(source) + Buffer.byteLength(gap);
  }
  return size;
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
