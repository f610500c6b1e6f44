import { blockIdOf, type DocNode } from "./nodes.ts";

/** The paragraphs of a document and whatever else has an id, in order. */
export function leavesOf(node: DocNode): [blockId: string, leaf: DocNode][] {
  const blockId = blockIdOf(node);
  return blockId === undefined ? (node.content ?? []).flatMap(leavesOf) : [[blockId, node]];
}
