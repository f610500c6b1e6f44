import { leavesOf } from "../document/leaves.ts";
import { sameNode } from "../document/same-node.ts";
import type { DocNode, SourceBlock } from "../document/types.ts";
import { type LeafSpelling, readSpellings } from "../markdown/leaf-spelling.ts";
import { readsAs } from "../markdown/reads-as.ts";
import { spliceInline } from "./splice-inline.ts";

/** A paragraph or heading as it is stored, and how its author has spelt it. */
interface Stone {
  leaf: DocNode;
  spelling: LeafSpelling;
}

/** How leaves are spelt, by `blockId`, or the very leaf; a block is read when one of its leaves is asked for. */
export type Quarry = (leaf: DocNode) => Stone | undefined;

/** A quarry of these blocks; of two leaves with one id the later counts. */
export function openQuarry(blocks: readonly SourceBlock[]): Quarry {
  let places: Places | undefined;
  const read = new Map<SourceBlock, LeafSpelling[] | undefined>();
  return (leaf) => {
    places ??= placesOf(blocks);
    const place = places.get(leaf) ?? places.get(leaf.attrs?.blockId ?? undefined);
    if (place === undefined) return undefined;
    const { block, at } = place;
    if (!read.has(block)) read.set(block, readSpellings(block.source));
    const spelling = read.get(block)?.[at];
    return spelling === undefined ? undefined : { leaf: place.leaf, spelling };
  };
}

type Places = ReadonlyMap<unknown, { block: SourceBlock; at: number; leaf: DocNode }>;

function placesOf(blocks: readonly SourceBlock[]): Places {
  const places = new Map<unknown, { block: SourceBlock; at: number; leaf: DocNode }>();
  for (const block of blocks) {
    for (const [at, leaf] of leavesOf(block.node).entries()) {
      for (const key of [leaf, leaf.attrs?.blockId ?? leaf]) places.set(key, { block, at, leaf });
    }
  }
  return places;
}

/** The Markdown of a leaf that the quarry knows, made from how it is spelt; undefined for others. */
export function speltIn(quarry: Quarry, definitions: string): (leaf: DocNode) => string | undefined {
  return (leaf) => {
    const stone = quarry(leaf);
    if (stone?.spelling.inline === undefined || stone.leaf.type !== leaf.type) return undefined;
    const { open, inline, close } = stone.spelling;
    if (sameNode(stone.leaf, leaf)) return open + inline + close;
    for (const markdown of spliceInline(inline, { old: stone.leaf, next: leaf }, definitions)) {
      if (readsAs(open + markdown + close, leaf, definitions)) return open + markdown + close;
    }
    return undefined;
  };
}
