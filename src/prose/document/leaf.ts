import { leavesOf, mapLeaves } from "./leaves.ts";
import { leafText } from "./text.ts";
import type { DocNode } from "./types.ts";

/** A leaf block with its text, read once. */
export interface Leaf {
  node: DocNode;
  blockId: string | null;
  text: string;
  /** Offsets in the text of other inline nodes, such as a hard break: nothing may span one. */
  breaks: readonly number[];
}

/** Returns a block's leaves with their texts. */
export function readLeaves(block: DocNode): Leaf[] {
  return leavesOf(block).map((node) => ({
    node,
    blockId: idOf(node),
    text: leafText(node),
    breaks: breaksOf(node),
  }));
}

function breaksOf({ content = [] }: DocNode): number[] {
  const breaks: number[] = [];
  let offset = 0;
  for (const { text } of content) {
    if (text === undefined) breaks.push(offset);
    else offset += text.length;
  }
  return breaks;
}

function idOf({ attrs }: DocNode): string | null {
  return typeof attrs?.blockId === "string" ? attrs.blockId : null;
}

/** Returns the id of each leaf in document order; null for none. */
export function leafIds(blocks: readonly { node: DocNode }[]): (string | null)[] {
  return blocks.flatMap(({ node }) => leavesOf(node)).map(idOf);
}

/** Returns the blocks with these ids on their leaves, in document order. A leaf without an entry gets none. */
export function withLeafIds<Block extends { node: DocNode }>(
  blocks: readonly Block[],
  ids: readonly (string | null)[],
): Block[] {
  let at = 0;
  return blocks.map((block) => ({
    ...block,
    node: mapLeaves(block.node, (leaf) => withId(leaf, ids[at++] ?? null)),
  }));
}

/** Returns the leaf with this id; the same object if it has it already. */
export function withId(leaf: DocNode, blockId: string | null): DocNode {
  if ((leaf.attrs?.blockId ?? null) === blockId) return leaf;
  return { ...leaf, attrs: { ...leaf.attrs, blockId } };
}
