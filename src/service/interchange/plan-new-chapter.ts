import type { ChapterId } from "../../ids.ts";
import { withId } from "../../prose/document/leaf.ts";
import { mapLeaves } from "../../prose/document/leaves.ts";
import type { DocNode, SourceBlock } from "../../prose/document/types.ts";
import type { NewProse } from "../../prose/plan/plan.ts";
import type { Store } from "../../store/file/store.ts";
import { keepBlocks, type NewBlock, plainNode, takeBlocks, withNewBlocks } from "../../store/new-blocks.ts";
import { ranksBetween } from "../../store/rows/rank.ts";
import { countWords } from "../../text/count-words.ts";
import { unitsOf } from "../../text/units.ts";
import type { NewIds, PlannedNew } from "../prose/apply-plan.ts";
import { assertNewFits } from "../prose/chapter-size.ts";
import { deriveBlock } from "../prose/derive-block.ts";

/** Lets new chapters be planned while this runs, which is not within an act. */
export const withNewChapters: <Result>(store: Store, run: () => Result) => Result = withNewBlocks;

/**
 * Plans the prose of a chapter of an import that will be made, and keeps its blocks beside the file until then. Its leaves bring
 * no ids: there is nothing that they could continue, so nothing is reconciled. O(text). Throws `PayloadTooLarge`.
 */
export function planNewChapter(store: Store, { bom, eol, head, blocks }: NewProse, ids: NewIds): PlannedNew {
  const id: ChapterId = store.mint("chapter");
  const ranks = ranksBetween(undefined, undefined, blocks.length);
  const rows = blocks.map((block, index) => newBlock(block, ids, ranks[index]!)); // one a block
  const kept = keepBlocks(store, id, rows);
  const { counts } = kept;
  assertNewFits({ inserted: rows, counts });
  return { id, bom, eol, head, counts, write: () => takeBlocks(store, id, kept) };
}

function newBlock({ node, source, gap }: SourceBlock, ids: NewIds, rank: string): NewBlock {
  const id = ids.row();
  if (isPlain(node, source)) {
    const leaf = ids.block();
    const words = countWords(source, unitsOf(source));
    const own = plainNode(leaf, source);
    // Named one by one: of very many objects, spreading takes more than all the rest.
    const leaves = [leaf];
    return {
      id,
      rank,
      node: own,
      source,
      gap,
      type: "paragraph",
      text: source,
      words,
      leaves,
      isPlain: true,
    };
  }
  const named = mapLeaves(node, (leaf) => withId(leaf, ids.block()));
  const derived = deriveBlock(named);
  return { id, rank, node: JSON.stringify(named), source, gap, ...derived, isPlain: false };
}

/** Whether a node is a paragraph of nothing but this text. */
function isPlain({ type, content }: DocNode, text: string): boolean {
  const only = type === "paragraph" && content?.length === 1 ? content[0] : undefined;
  return only !== undefined && only.text === text && only.marks === undefined;
}
