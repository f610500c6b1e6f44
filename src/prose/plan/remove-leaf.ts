import { isLeaf, leafIds } from "../document/leaves.ts";
import type { DocNode } from "../document/types.ts";
import { assembleProse } from "./assemble.ts";
import type { NewProse, StoredProse } from "./plan.ts";

/** Removes one leaf, as `removeLeaves` does. */
export function removeLeaf(old: StoredProse, blockId: string): NewProse {
  return removeLeaves(old, new Set([blockId]));
}

/**
 * Removes leaves from a chapter's prose, and the list entries and quotes that would be empty. All other leaves keep
 * their ids and their bytes, and no link definition goes. Throws `BadRequest` if Markdown cannot say the rest.
 * O(text).
 */
export function removeLeaves(old: StoredProse, blockIds: Pick<ReadonlySet<string>, "has">): NewProse {
  return assembleProse(
    old,
    old.blocks.flatMap((stored) => {
      const isHit = leafIds([stored]).some((id) => id !== null && blockIds.has(id));
      const node = isHit ? withoutLeavesOf(stored.node, blockIds) : stored.node;
      return node === undefined ? [] : [{ node, stored }];
    }),
  );
}

/** Returns the block without the leaves; undefined if nothing is left of it. */
export function withoutLeavesOf(
  block: DocNode,
  blockIds: Pick<ReadonlySet<string>, "has">,
): DocNode | undefined {
  if (isLeaf(block)) return blockIds.has(String(block.attrs?.blockId)) ? undefined : block;
  const content = (block.content ?? []).flatMap((child) => withoutLeavesOf(child, blockIds) ?? []);
  return content.length === 0 ? undefined : { ...block, content };
}
