import { LIMITS } from "../../contract/limits.ts";
import type { ActId, ChapterId } from "../../ids.ts";
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
import type { Act } from "../../store/file/sql.ts";
import type { Store } from "../../store/file/store.ts";
import { actOfRevision } from "../../store/journal/history.ts";
import { type BlockRow, type ChapterSize, listBlocks, measureChapter } from "../../store/rows/blocks.ts";
import { type ChapterRow, findChapter, hasLongerChapter } from "../../store/rows/chapters.ts";
import type { BlockChanges } from "../../store/rows/write-blocks.ts";

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

/** A node and the comma behind it as JSON: `{"type":"hard_break"},` is the shortest. */
const LEAST_NODE_BYTES = 22;

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

/** Remembers how large an act leaves a chapter whose prose it changes. */
export function rememberSize(store: Store, act: Act, chapter: ChapterRow, size: KnownSize | undefined): void {
  if (size === undefined) return;
  sizesOf(store).set(chapter.id, { act: act.id, revision: chapter.revision + 1, size });
}

// Whoever writes paragraph after paragraph of a chapter has it measured once: an act's id is given but once, so a size
// is right for as long as the act that it is of has made the newest revision.
const sizes = new WeakMap<Store, Map<ChapterId, { act: ActId; revision: number; size: KnownSize }>>();
const MOST_SIZES = 1000;

function recallSize(store: Store, { id, revision }: ChapterRow): KnownSize | undefined {
  const known = sizes.get(store)?.get(id);
  if (known === undefined || known.revision !== revision) return undefined;
  return actOfRevision(store, id, revision) === known.act ? known.size : undefined;
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
