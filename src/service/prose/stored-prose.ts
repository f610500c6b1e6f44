import { nodeOf } from "../../prose/document/node-of.ts";
import type { StoredProse } from "../../prose/plan/plan.ts";
import type { BlockRow } from "../../store/rows/blocks.ts";
import type { ChapterRow } from "../../store/rows/chapters.ts";

/** A block's row as plans read it. */
export function storedBlock(row: BlockRow): StoredProse["blocks"][number] {
  return { row: row.id, node: nodeOf(row), source: row.source, gap: row.gap };
}

/** A chapter's prose as plans read it. */
export function storedProse(
  { bom, eol, head }: Pick<ChapterRow, "bom" | "eol" | "head">,
  rows: readonly BlockRow[],
): StoredProse {
  return { bom: bom === 1, eol, head, blocks: rows.map(storedBlock) };
}
