import { LIMITS } from "../../contract/limits.ts";
import type { ChapterId } from "../../ids.ts";
import {
  CHAPTER_ROOM,
  type ChapterRoom,
  tooLargeDocument,
  tooManyBlocks,
  tooManyNodes,
} from "../../prose/document/room.ts";
import type { DocNode } from "../../prose/document/types.ts";
import { PayloadTooLarge } from "../../refusals.ts";
import type { Store } from "../../store/file/store.ts";
import { type ChapterSize, measureChapter } from "../../store/rows/blocks.ts";
import { type ChapterRow, findChapter } from "../../store/rows/chapters.ts";

/** What a chapter's new prose may come to: as much as it holds already, if an older version let it grow beyond the limit. */
export function roomFor(store: Store, chapterId: ChapterId): ChapterRoom {
  const leaves = findChapter(store, chapterId)?.blockCount ?? 0;
  if (leaves <= CHAPTER_ROOM.leaves) return CHAPTER_ROOM;
  return { leaves, nodes: Infinity, characters: Infinity };
}

/** A leaf's new text with its JSON below this changes a chapter's size by too little to weigh all of it. */
const LITTLE = 4096;

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

/** The same for the blocks that one paragraph's new text rewrites. */
export function withinLimitsOfOne(
  store: Store,
  chapter: ChapterRow,
  written: readonly { source: string }[],
  apply: () => void,
): void {
  const length = written.reduce((sum, { source }) => sum + source.length, 0);
  const before = length > LITTLE ? measureChapter(store, chapter.id) : undefined;
  apply();
  if (before !== undefined) assertSmaller(measureChapter(store, chapter.id), before);
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
