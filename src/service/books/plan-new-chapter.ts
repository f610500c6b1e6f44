import { type ChapterId, mintAscending } from "../../ids.ts";
import { withId } from "../../prose/document/leaf.ts";
import { mapLeaves } from "../../prose/document/leaves.ts";
import { holdsMarkup } from "../../prose/document/markup.ts";
import type { DocNode, SourceBlock } from "../../prose/document/types.ts";
import type { NewProse } from "../../prose/plan/plan.ts";
import type { Store } from "../../store/file/store.ts";
import { keepBlocks, type NewBlock, plainNode, takeBlocks, withNewBlocks } from "../../store/new-blocks.ts";
import { ranksBetween } from "../../store/rows/rank.ts";
import { type BlockWrites, prepareWrites, sealBlock, writeBlocks } from "../../store/rows/write-blocks.ts";
import { countWords } from "../../text/count-words.ts";
import { unitsOf } from "../../text/units.ts";
import type { PlannedNew } from "../prose/apply-plan.ts";
import { assertNewFits } from "../prose/chapter-size.ts";
import { deriveBlock } from "../prose/derive-block.ts";

/** Lets new chapters be planned while this runs, which is not within an act. */
export const withNewChapters: <Result>(store: Store, run: () => Result) => Result = withNewBlocks;

/** The ids of new blocks and their leaves, in ascending order. */
export type NewIds = Record<"row" | "block", () => string>;

/** Makes ids for the blocks of any number of chapters. */
export function newIds(mint: Store["mint"]): NewIds {
  return { row: mintAscending(mint, "row"), block: mintAscending(mint, "block") };
}

/**
 * Plans the prose of a chapter that will be made, before others have to wait for it; `writes` are its blocks. Its leaves bring no
 * ids: there is nothing that they could continue, so nothing is reconciled. O(text).
 */
export function planNew(
  store: Store,
  { bom, eol, head, blocks }: NewProse,
): PlannedNew & { writes: BlockWrites } {
  const id: ChapterId = store.mint("chapter");
  const inserted = newRows(blocks, newIds(store.mint)).map((row) => sealBlock(id, row));
  const writes = prepareWrites({ removed: [], updated: [], inserted });
  const write = () => {
    assertNewFits(writes);
    writeBlocks(store, id, writes);
  };
  return { id, bom, eol, head, counts: writes.counts, write, writes };
}

/** The same of one of an import's many chapters: its blocks are kept beside the file until then. Throws `PayloadTooLarge`. */
export function planBeside(store: Store, { bom, eol, head, blocks }: NewProse, ids: NewIds): PlannedNew {
  const id: ChapterId = store.mint("chapter");
  const rows = newRows(blocks, ids);
  const kept = keepBlocks(store, id, rows);
  const { counts } = kept;
  assertNewFits({ inserted: rows, counts });
  return { id, bom, eol, head, counts, write: () => takeBlocks(store, id, kept) };
}

function newRows(blocks: readonly SourceBlock[], ids: NewIds): NewBlock[] {
  const ranks = ranksBetween(undefined, undefined, blocks.length);
  return blocks.map((block, index) => newBlock(block, ids, ranks[index]!)); // one a block
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

/** Whether a node is a paragraph of nothing but this text, all of which is read. */
function isPlain({ type, content }: DocNode, text: string): boolean {
  const only = type === "paragraph" && content?.length === 1 ? content[0] : undefined;
  return only !== undefined && only.text === text && only.marks === undefined && !holdsMarkup(text);
}
