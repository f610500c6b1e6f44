import type { ChapterId } from "../../ids.ts";
import { leavesOf, nodeOf } from "../../prose/document/leaves.ts";
import { readingText, storedNode } from "../../prose/document/text.ts";
import type { DocNode } from "../../prose/document/types.ts";
import { countBlockWords, countWordsAsBefore } from "../../prose/document/words.ts";
import { joinMarkdown } from "../../prose/join-chapter.ts";
import type { StoredProse } from "../../prose/plan.ts";
import type { Store } from "../../store/file/store.ts";
import { noRevision, readRevision } from "../../store/journal/history.ts";
import type { BlockRow, DerivedBlock } from "../../store/rows/blocks.ts";
import type { ChapterRow } from "../../store/rows/chapters.ts";

type ProseRow = Pick<BlockRow, "id" | "node" | "source" | "gap">;

/** A block's row as plans read it. */
export function storedBlock(row: ProseRow): StoredProse["blocks"][number] {
  return { row: row.id, node: storedNode(row), source: row.source, gap: row.gap };
}

/** The Markdown of a chapter that has no prose, as it is read; undefined for one that has some, or is not there. */
export function blankOf(chapter: ChapterRow | undefined): string | undefined {
  if (chapter?.blockCount !== 0) return undefined;
  const { eol, head, bom, frontMatter } = chapter;
  return joinMarkdown({ eol, head, bom: bom === 1 && frontMatter === "", blocks: [] });
}

/** A chapter's prose as plans read it. */
export function storedProse(
  { bom, eol, head }: Pick<ChapterRow, "bom" | "eol" | "head">,
  rows: readonly ProseRow[],
): StoredProse {
  return { bom: bom === 1, eol, head, blocks: rows.map(storedBlock) };
}

/** The prose of a chapter at one of its revisions. Throws `NotFound`. */
export function proseAtRevision(store: Store, chapterId: ChapterId, revision: number): StoredProse {
  const old = readRevision(store, chapterId, revision);
  if (old === undefined) throw noRevision(store, chapterId, revision);
  return storedProse(old, old.blocks);
}

/** Computes the columns that the file stores with a block's node, so that reads need not parse it. */
export function deriveBlock(node: DocNode): DerivedBlock {
  return {
    type: node.type,
    text: readingText(node),
    words: countBlockWords(node),
    leaves: leavesOf(node).map((leaf) => String(leaf.attrs?.blockId)),
  };
}

/** Computes them as versions before 0.3 did: what they stored stays until it is written again. */
export function deriveBlockAsBefore(node: DocNode): DerivedBlock {
  return { ...deriveBlock(node), text: readingText(node, true), words: countWordsAsBefore(node) };
}

/** Same as `deriveBlock`, for a node as stored. */
export function deriveStoredBlock(node: string): DerivedBlock {
  return deriveBlock(nodeOf({ node }));
}
