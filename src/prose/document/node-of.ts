import type { DocNode } from "./types.ts";

/** The node of a stored block: nothing but what was checked on its way in is ever stored. */
export function nodeOf({ node }: { readonly node: string }): DocNode {
  return JSON.parse(node) as DocNode;
}
