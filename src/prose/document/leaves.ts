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

/** A leaf with the lists, entries and quotes around it, outermost first. */
export interface HeldLeaf {
  leaf: DocNode;
  holders: readonly DocNode[];
}

/** Returns the leaves of a list or quote with what is around each. */
export function heldLeaves(block: DocNode, holders: readonly DocNode[] = []): HeldLeaf[] {
  if (isLeaf(block)) return [{ leaf: block, holders }];
  const inner = [...holders, block];
  return (block.content ?? []).flatMap((child) => heldLeaves(child, inner));
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

/**
 * Returns the text of a leaf, to which all offsets (UTF-16) refer: only its text nodes. A soft break is `\n`; hard
 * breaks, images, footnote references and raw tags count 0. Source: llms.txt, Requests and answers.
 */
export function leafText(leaf: DocNode): string {
  let text = "";
  for (const child of leaf.content ?? []) if (child.text !== undefined) text += child.text;
  return text;
}

/** Returns the node of a stored block. Only checked nodes are ever stored. */
export function nodeOf({ node }: { readonly node: string }): DocNode {
  return JSON.parse(node) as DocNode;
}
