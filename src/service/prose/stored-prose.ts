import type { ChapterId } from "../../ids.ts";
import { nodeOf } from "../../prose/document/node-of.ts";
import { joinMarkdown } from "../../prose/markdown/join-chapter.ts";
import type { StoredProse } from "../../prose/plan/plan.ts";
import { NotFound } from "../../refusals.ts";
import type { Store } from "../../store/file/store.ts";
import { readRevision } from "../../store/journal/history.ts";
import type { BlockRow } from "../../store/rows/blocks.ts";
import type { ChapterRow } from "../../store/rows/chapters.ts";

type ProseRow = Pick<BlockRow, "id" | "node" | "source" | "gap">;

/** A block's row as plans read it. */
export function storedBlock(row: ProseRow): StoredProse["blocks"][number] {
  return { row: row.id, node: nodeOf(row), source: row.source, gap: row.gap };
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
  if (old === undefined) throw new NotFound("revision of this chapter");
  return storedProse(old, old.blocks);
}
