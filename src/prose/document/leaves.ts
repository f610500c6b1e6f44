import type { DocNode } from "./types.ts";

/** Types of leaf blocks. */
export const LEAF_TYPES = ["paragraph", "heading", "code_block", "raw_block", "scene_break"] as const;
const LEAVES: ReadonlySet<string> = new Set(LEAF_TYPES);

/** True if the node is a leaf block: it carries `blockId` and holds no other block. */
export function isLeaf(node: DocNode): boolean {
  return LEAVES.has(node.type);
}

/** True if the block is a bullet list or an ordered list. */
export function isList(block: DocNode): boolean {
  return block.type === "bullet_list" || block.type === "ordered_list";
}

/** Returns the leaf blocks in document order, at any depth; for a top-level leaf itself. O(blocks). */
export function leavesOf(block: DocNode): DocNode[] {
  if (isLeaf(block)) return [block];
  const leaves: DocNode[] = [];
  collect(block, leaves);
  return leaves;
}

function collect(block: DocNode, leaves: DocNode[]): void {
  for (const child of block.content ?? []) {
    if (isLeaf(child)) leaves.push(child);
    else collect(child, leaves);
  }
}

/**
 * Returns the block with each leaf replaced by the result of `change`; `index` counts leaves in document order.
 * Containers without changes are shared, not copied.
 */
export function mapLeaves(block: DocNode, change: (leaf: DocNode, index: number) => DocNode): DocNode {
  let index = 0;
  const visit = (node: DocNode): DocNode => {
    if (isLeaf(node)) return change(node, index++);
    if (!node.content) return node;
    let content: DocNode[] | undefined;
    for (const [position, child] of node.content.entries()) {
      const changed = visit(child);
      if (changed !== child) content ??= node.content.slice();
      if (content) content[position] = changed;
    }
    return content ? { ...node, content } : node;
  };
  return visit(block);
}
