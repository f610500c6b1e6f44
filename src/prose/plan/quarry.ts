import { leavesOf } from "../document/leaves.ts";
import { sameNode } from "../document/same-node.ts";
import type { DocNode, SourceBlock } from "../document/types.ts";
import { type LeafSpelling, readSpellings } from "../markdown/leaf-spelling.ts";
import { readsAs } from "../parse.ts";
import { spliceInline } from "./splice-inline.ts";

/** A stored paragraph or heading, and its author's spelling. */
interface Stone {
  leaf: DocNode;
  spelling: LeafSpelling;
}

/** Returns a leaf's stored spelling, by `blockId` or by the leaf itself. Blocks are read on demand. */
export type Quarry = (leaf: DocNode) => Stone | undefined;

/** Returns a quarry of these blocks. Of two leaves with one id the later counts. */
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

/** Returns a function that writes a known leaf's Markdown from its spelling; undefined for other leaves. */
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
