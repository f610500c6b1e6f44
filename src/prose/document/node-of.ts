import type { DocNode } from "./types.ts";

/** Returns the node of a stored block. Only checked nodes are ever stored. */
export function nodeOf({ node }: { readonly node: string }): DocNode {
  return JSON.parse(node) as DocNode;
}
