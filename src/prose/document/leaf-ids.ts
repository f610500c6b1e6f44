import { leavesOf, mapLeaves } from "./leaves.ts";
import type { DocNode } from "./types.ts";

/** The id of each leaf in document order; null for none. */
export function leafIds(blocks: readonly { node: DocNode }[]): (string | null)[] {
  return blocks
    .flatMap(({ node }) => leavesOf(node))
    .map(({ attrs }) => (typeof attrs?.blockId === "string" ? attrs.blockId : null));
}

/** The blocks with these ids on their leaves, in document order; a leaf without an entry has none. */
export function withLeafIds<Block extends { node: DocNode }>(
  blocks: readonly Block[],
  ids: readonly (string | null)[],
): Block[] {
  let at = 0;
  return blocks.map((block) => ({
    ...block,
    node: mapLeaves(block.node, (leaf) => {
      const blockId = ids[at++] ?? null;
      return (leaf.attrs?.blockId ?? null) === blockId
        ? leaf
        : { ...leaf, attrs: { ...leaf.attrs, blockId } };
    }),
  }));
}
