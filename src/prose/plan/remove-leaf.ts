import { leafIds } from "../document/leaf.ts";
import { isLeaf } from "../document/leaves.ts";
import type { DocNode } from "../document/types.ts";
import { assembleProse } from "./assemble.ts";
import type { NewProse, StoredProse } from "./plan.ts";

/** The same as `removeLeaves` for one leaf. */
export function removeLeaf(old: StoredProse, blockId: string): NewProse {
  return removeLeaves(old, new Set([blockId]));
}

/**
 * A chapter's prose without some leaves, and without the list entries and quotes that would be left empty; all other leaves
 * keep their ids and their bytes, and no link definition goes. Throws `BadRequest` if Markdown cannot
 * say what is left. O(text).
 */
export function removeLeaves(old: StoredProse, blockIds: Pick<ReadonlySet<string>, "has">): NewProse {
  return assembleProse(
    old,
    old.blocks.flatMap((stored) => {
      const isHit = leafIds([stored]).some((id) => id !== null && blockIds.has(id));
      const node = isHit ? withoutLeaves(stored.node, blockIds) : stored.node;
      return node === undefined ? [] : [{ node, stored }];
    }),
  );
}

/** The block without the leaves; undefined if nothing is left of it. */
function withoutLeaves(block: DocNode, blockIds: Pick<ReadonlySet<string>, "has">): DocNode | undefined {
  if (isLeaf(block)) return blockIds.has(String(block.attrs?.blockId)) ? undefined : block;
  const content = (block.content ?? []).flatMap((child) => withoutLeaves(child, blockIds) ?? []);
  return content.length === 0 ? undefined : { ...block, content };
}
