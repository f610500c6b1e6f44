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
 * Runs a write of a chapter's prose; throws `PayloadTooLarge` if the chapter is larger than one may be, and than it was
 * before: what an older version let grow stays open to edits that add nothing. `leaves` is how many it is to have.
 */
export function withinLimits<Result>(
  store: Store,
  chapter: ChapterRow,
  next: { leaves: number; nodes: readonly DocNode[] },
  apply: () => Result,
): Result {
  if (next.leaves > Math.max(LIMITS.chapterBlocks, chapter.blockCount)) throw tooManyBlocks();
  if (chapter.blockCount <= LIMITS.chapterBlocks && countNodes(next.nodes) > LIMITS.chapterNodes)
    throw tooManyNodes();
  const before = measureChapter(store, chapter.id);
  const result = apply();
  assertSmaller(measureChapter(store, chapter.id), before);
  return result;
}

/** A node and the comma behind it as JSON: `{"type":"hard_break"},` is the shortest. */
const LEAST_NODE_BYTES = 22;

/** The same for the blocks that one paragraph's new text writes, of which one was `old`: weighed only if they are larger. */
export function withinLimitsOfOne(
  store: Store,
  chapter: ChapterRow,
  { old, written }: { old: BlockRow; written: readonly { node: DocNode; source: string; gap: string }[] },
  apply: () => void,
): void {
  const next = sizeOf(written.map((block) => ({ ...block, node: JSON.stringify(block.node) })));
  const own = sizeOf([old]);
  apply();
  if (next.documentBytes <= own.documentBytes && next.markdownBytes <= own.markdownBytes) return;
  const after = measureChapter(store, chapter.id);
  assertSmaller(after, {
    documentBytes: after.documentBytes - next.documentBytes + own.documentBytes,
    markdownBytes: after.markdownBytes - next.markdownBytes + own.markdownBytes,
  });
  const mayBeTooMany = after.documentBytes > LIMITS.chapterNodes * LEAST_NODE_BYTES;
  if (!mayBeTooMany || chapter.blockCount > LIMITS.chapterBlocks) return;
  if (countNodes(listBlocks(store, chapter.id).map(nodeOf)) > LIMITS.chapterNodes) throw tooManyNodes();
}

/** As `measureChapter` counts it. */
function sizeOf(blocks: readonly { node: string; source: string; gap: string }[]): ChapterSize {
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
