import type { Node } from "prosemirror-model";

/** A block that carries an id and holds no other block, and where it begins. */
export interface PlacedLeaf {
  id: string | null;
  pos: number;
  node: Node;
}

/** True if the node is a leaf block. */
export function isLeafBlock(node: Node): boolean {
  return "blockId" in node.attrs;
}

/** The leaf blocks between two positions, in document order; of the whole document without them. O(blocks in between). */
export function placedLeaves(doc: Node, from = 0, to = doc.content.size): PlacedLeaf[] {
  const found: PlacedLeaf[] = [];
  doc.nodesBetween(from, to, (node, pos) => {
    if (!isLeafBlock(node)) return true;
    found.push({ id: node.attrs.blockId, pos, node });
    return false;
  });
  return found;
}

/** The leaf block with this id. O(blocks). */
export function findLeaf(doc: Node, id: string): PlacedLeaf | undefined {
  let found: PlacedLeaf | undefined;
  doc.descendants((node, pos) => {
    if (found !== undefined) return false;
    if (!isLeafBlock(node)) return true;
    if (node.attrs.blockId === id) found = { id, pos, node };
    return false;
  });
  return found;
}

/** The leaf block that a position is in. */
export function leafAt(doc: Node, pos: number): PlacedLeaf | undefined {
  const $pos = doc.resolve(Math.max(0, Math.min(pos, doc.content.size)));
  for (let depth = $pos.depth; depth > 0; depth--) {
    const node = $pos.node(depth);
    if (isLeafBlock(node)) return { id: node.attrs.blockId, pos: $pos.before(depth), node };
  }
  const after = $pos.nodeAfter;
  return after !== null && isLeafBlock(after)
    ? { id: after.attrs.blockId, pos: $pos.pos, node: after }
    : undefined;
}

/** Where the body of a document ends: before the footnotes below it. */
export function bodyEnd(doc: Node): number {
  let end = doc.content.size;
  for (let index = doc.childCount - 1; doc.child(index).type.name === "footnote" && index > 0; index--)
    end -= doc.child(index).nodeSize;
  return end;
}

/** A leaf's text where each unit stands at its own position: a line end is `\n`, any other inline one sign. */
export function flatText(leaf: Node): string {
  return leaf.textBetween(0, leaf.content.size, "", ({ type }) =>
    type.name === "soft_break" || type.name === "hard_break" ? "\n" : "\ufffc",
  );
}

/** The top-level blocks that two documents do not share: `old` from `pos` to `oldEnd` became what is there up to `nowEnd`. */
export interface ChangedBlocks {
  pos: number;
  oldEnd: number;
  nowEnd: number;
}

/** Where two documents differ, by whole top-level blocks; undefined where they do not. O(top-level blocks), by identity. */
export function changedBlocks(old: Node, now: Node): ChangedBlocks | undefined {
  const most = Math.min(old.childCount, now.childCount);
  let first = 0;
  let pos = 0;
  while (first < most && old.child(first) === now.child(first)) pos += old.child(first++).nodeSize;
  if (first === old.childCount && first === now.childCount) return undefined;
  let last = 0;
  let tail = 0;
  while (last < most - first) {
    const child = old.child(old.childCount - 1 - last);
    if (child !== now.child(now.childCount - 1 - last)) break;
    tail += child.nodeSize;
    last++;
  }
  return { pos, oldEnd: old.content.size - tail, nowEnd: now.content.size - tail };
}

/** The one block that differs between two documents, if it is one and kept kind and attributes: only its words changed. */
export function changedWords(old: Node, now: Node, changed: ChangedBlocks): Node | undefined {
  const [was, is] = [old.nodeAt(changed.pos), now.nodeAt(changed.pos)];
  const isOne =
    was?.nodeSize === changed.oldEnd - changed.pos && is?.nodeSize === changed.nowEnd - changed.pos;
  return isOne && was.isTextblock && was.hasMarkup(is.type, is.attrs) ? is : undefined;
}
