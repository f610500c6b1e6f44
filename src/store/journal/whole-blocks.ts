import type { ChapterId } from "../../ids.ts";
import type { Store } from "../file/store.ts";
import { chaptersOfLeaves, type DeriveBlock, type SealedBlock, standsElsewhere } from "../rows/blocks.ts";
import { type BlockWrites, prepareWrites, sealBlock, writeBlocks } from "../rows/write-blocks.ts";
import { journalled } from "../schema/tables.ts";
import type { RowImage, RowStep } from "./step.ts";

/** The blocks that an undo brings back whole, by their chapters, as they are to be stored. */
export interface WholeBlocks {
  chapters: ReadonlyMap<ChapterId, BlockWrites>;
  /** The ids of their rows. */
  rows: ReadonlySet<string>;
}

/** Prepares the blocks that an undo brings back whole; so much of it needs no lock. About 30 µs each. */
export function findWholeBlocks(steps: readonly RowStep[], derive: DeriveBlock): WholeBlocks {
  const chapters = new Map<ChapterId, SealedBlock[]>();
  const rows = new Set<string>();
  for (const { id, before, after, now } of steps) {
    if (after !== null || now !== null || !isComplete(before)) continue; // no other table has these columns
    const { chapter_id: chapterId, rank, node, source, gap } = before;
    const block = sealBlock(chapterId, { id, rank, node, source, gap, ...derive(node) });
    const blocks = chapters.get(chapterId);
    if (blocks === undefined) chapters.set(chapterId, [block]);
    else blocks.push(block);
    rows.add(id);
  }
  const prepared = [...chapters].map(([id, inserted]): [ChapterId, BlockWrites] => [
    id,
    prepareWrites({ removed: [], updated: [], inserted }),
  ]);
  return { chapters: new Map(prepared), rows };
}

type Complete = Pick<SealedBlock, "rank" | "node" | "source" | "gap"> & { chapter_id: ChapterId };

/** An act of an older version knows no later column. */
function isComplete(image: RowImage): image is RowImage & Complete {
  return image !== null && journalled("blocks").every((column) => typeof image[column] === "string");
}

/** Brings the blocks back, within the act that runs. Throws `Conflict` if a leaf of theirs stands elsewhere. */
export function insertWhole(store: Store, { chapters }: WholeBlocks): void {
  for (const [id, writes] of chapters) {
    const brought = writes.inserted.flatMap(({ leaves }) => leaves);
    const [leaf] = chaptersOfLeaves(store, brought).keys();
    if (leaf !== undefined) throw standsElsewhere(leaf);
    writeBlocks(store, id, writes);
  }
}
