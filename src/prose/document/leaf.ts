import { leavesOf } from "./leaves.ts";
import { leafText } from "./text.ts";
import type { DocNode } from "./types.ts";

/** A leaf block with its text, read once. */
export interface Leaf {
  node: DocNode;
  blockId: string | null;
  text: string;
  /** Offsets in the text where another inline node stands, such as a hard break: nothing may span one. */
  breaks: readonly number[];
}

/** A block's leaves with their texts. */
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

function idOf(leaf: DocNode): string | null {
  return typeof leaf.attrs?.blockId === "string" ? leaf.attrs.blockId : null;
}
