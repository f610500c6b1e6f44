import { leafIds } from "../document/leaf.ts";
import { isLeaf } from "../document/leaves.ts";
import type { DocNode } from "../document/types.ts";
import { assembleProse } from "./assemble.ts";
import type { NewProse, StoredProse } from "./plan.ts";

/**
 * A chapter's prose without one leaf, and without the list entries and quotes that would be left empty; all other leaves
 * keep their ids and their bytes, and no link definition goes. The leaf is there. Throws `BadRequest` if Markdown cannot
 * say what is left. O(text).
 */
export function removeLeaf(old: StoredProse, blockId: string): NewProse {
  return assembleProse(
    old,
    old.blocks.flatMap((stored) => {
      const node = leafIds([stored]).includes(blockId) ? withoutLeaf(stored.node, blockId) : stored.node;
      return node === undefined ? [] : [{ node, stored }];
    }),
  );
}

/** The block without the leaf; undefined if nothing is left of it. */
function withoutLeaf(block: DocNode, blockId: string): DocNode | undefined {
  if (isLeaf(block)) return block.attrs?.blockId === blockId ? undefined : block;
  const content = (block.content ?? []).flatMap((child) => withoutLeaf(child, blockId) ?? []);
  return content.length === 0 ? undefined : { ...block, content };
}
