import { type ChapterId, mintAscending } from "../../ids.ts";
import { mapLeaves, withId } from "../../prose/document/leaves.ts";
import { holdsMarkup } from "../../prose/document/text.ts";
import type { DocNode, SourceBlock } from "../../prose/document/types.ts";
import type { NewProse } from "../../prose/plan.ts";
import type { Store } from "../../store/file/store.ts";
import type { BlockRow } from "../../store/rows/blocks.ts";
import { ranksBetween } from "../../store/rows/rank.ts";
import { prepareWrites, sealBlock } from "../../store/rows/write-blocks.ts";
import { countWords } from "../../text/count-words.ts";
import { unitsOf } from "../../text/units.ts";
import type { PlannedNew } from "../prose/apply-plan.ts";
import { deriveBlock } from "../prose/stored-prose.ts";

/** The ids of new blocks and their leaves, in ascending order. */
export type NewIds = Record<"row" | "block", () => string>;

/** Makes ids for the blocks of any number of chapters. */
export function newIds(mint: Store["mint"]): NewIds {
  return { row: mintAscending(mint, "row"), block: mintAscending(mint, "block") };
}

/**
 * Plans the prose of a chapter that will be made. Its leaves bring no ids: there is nothing that they could continue, so nothing is
 * reconciled. O(text).
 */
export function planNew(
  store: Store,
  { bom, eol, head, blocks }: NewProse,
  ids = newIds(store.mint),
): PlannedNew {
  const id: ChapterId = store.mint("chapter");
  const inserted = newRows(blocks, ids).map((row) => sealBlock(id, row));
  return { id, bom, eol, head, writes: prepareWrites({ removed: [], updated: [], inserted }) };
}

function newRows(blocks: readonly SourceBlock[], ids: NewIds): BlockRow[] {
  const ranks = ranksBetween(undefined, undefined, blocks.length);
  return blocks.map((block, index) => newBlock(block, ids, ranks[index]!)); // one a block
}

function newBlock({ node, source, gap }: SourceBlock, ids: NewIds, rank: string): BlockRow {
  const id = ids.row();
  if (isPlain(node, source)) {
    const leaf = ids.block();
    const words = countWords(source, unitsOf(source));
    // As `JSON.stringify` writes the node; of very many objects, making and spreading them takes more than all the rest.
    const own = `{"type":"paragraph","attrs":{"blockId":"${leaf}"},"content":[{"type":"text","text":${JSON.stringify(source)}}]}`;
    return { id, rank, node: own, source, gap, type: "paragraph", text: source, words, leaves: [leaf] };
  }
  const named = mapLeaves(node, (leaf) => withId(leaf, ids.block()));
  const derived = deriveBlock(named);
  return { id, rank, node: JSON.stringify(named), source, gap, ...derived };
}

/** Whether a node is a paragraph of nothing but this text, all of which is read. */
function isPlain({ type, content }: DocNode, text: string): boolean {
  const only = type === "paragraph" && content?.length === 1 ? content[0] : undefined;
  return only !== undefined && only.text === text && only.marks === undefined && !holdsMarkup(text);
}
