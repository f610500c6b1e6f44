import { leavesOf } from "../../prose/document/leaves.ts";
import { nodeOf } from "../../prose/document/node-of.ts";
import { readingText } from "../../prose/document/text.ts";
import type { DocNode } from "../../prose/document/types.ts";
import { countBlockWords } from "../../prose/document/words.ts";
import type { StoredProse } from "../../prose/plan/plan.ts";
import type { BlockRow, DerivedBlock } from "../../store/rows/blocks.ts";
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

/** Computes the columns that the file stores with a block's node, so that reads need not parse it. */
export function deriveBlock(node: DocNode): DerivedBlock {
  return {
    type: node.type,
    text: readingText(node),
    words: countBlockWords(node),
    leaves: leavesOf(node).map((leaf) => String(leaf.attrs?.blockId)),
  };
}

/** Same as `deriveBlock`, for a node as stored. */
export function deriveStoredBlock(node: string): DerivedBlock {
  return deriveBlock(nodeOf({ node }));
}
