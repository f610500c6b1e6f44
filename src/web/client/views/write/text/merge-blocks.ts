import { Fragment, type Node } from "prosemirror-model";
import type { Transaction } from "prosemirror-state";
import { mergeBlocks } from "../../../../../prose/merge-blocks.ts";
import { longestIncreasing } from "../../../../../text/increasing-run.ts";
import { findLeaf, isLeafBlock, placedLeaves } from "./leaves.ts";

/** Words that both sides changed: mine are in the text, theirs are here. */
export interface Clash {
  blockId: string;
  /** The block as they have it; null where they took it out. */
  theirs: Node | null;
  /** False where I took it out. */
  isHere: boolean;
}

/** A merge as a transaction that can be applied, and what it could not decide. */
export interface Merge {
  tr: Transaction;
  clashes: Clash[];
}

/** A top-level block; its key is the id of its first leaf, its index the one that it has here. */
interface Top {
  key: string | null;
  node: Node;
  index?: number;
}

/** The three documents, by their top-level blocks and their leaves. */
interface Sides extends Merge {
  base: Map<string, Top>;
  mine: Map<string, Top>;
  theirs: readonly Top[];
  baseLeaves: Map<string, Node>;
  mineLeaves: Map<string, Node>;
  theirLeaves: Map<string, Node>;
}

/** Blocks that they changed in kind, took out, added and moved, taken into the transaction, whose words are merged already. */
export function mergeTops({ tr, clashes }: Merge, mine: Node, base: Node, theirs: Node): void {
  const sides: Sides = {
    tr,
    clashes,
    base: keyed(listTops(base)),
    mine: keyed(listTops(mine)),
    theirs: listTops(theirs),
    baseLeaves: leafMap(base),
    mineLeaves: leafMap(mine),
    theirLeaves: leafMap(theirs),
  };
  const tops = mergeBlocks<Top>(
    { base: listTops(base), ours: listTops(tr.doc), theirs: theirTops(sides) },
    {
      keyOf: ({ key }) => key,
      decide: ({ base: was, ours: my, theirs: their }) => {
        if (their === undefined) return takeOut(sides, was, my);
        return my === undefined ? seeAdded(sides, their) : mergeKind(sides, { was, my, their });
      },
      isTwin: () => false, // what they wrote has its ids; what I wrote gets its own when it is saved
      first: "ours",
    },
  );
  arrange(tr, tops);
  dropDoubles(sides, mine);
}

function listTops(doc: Node): Top[] {
  return doc.children.map((node, index) => ({ key: firstId(node), node, index }));
}

function firstId(node: Node): string | null {
  let first: Node | null = node;
  while (first !== null && !isLeafBlock(first)) first = first.firstChild;
  return first?.attrs.blockId ?? null;
}

function keyed(tops: readonly Top[]): Map<string, Top> {
  return new Map(tops.flatMap((top) => (top.key === null ? [] : [[top.key, top]])));
}

function leafMap(doc: Node): Map<string, Node> {
  return new Map(placedLeaves(doc).flatMap(({ id, node }) => (id === null ? [] : [[id, node]])));
}

function leafIds(node: Node): string[] {
  if (isLeafBlock(node)) return node.attrs.blockId === null ? [] : [node.attrs.blockId];
  return placedLeaves(node).flatMap(({ id }) => (id === null ? [] : [id]));
}

/** A block without its words: kinds, attributes and ids. */
function shapeOf(node: Node): string {
  const own = `${node.type.name}${JSON.stringify(node.attrs)}`;
  return isLeafBlock(node) ? own : `${own}(${node.children.map(shapeOf).join()})`;
}

/** They took it out: it goes, unless I changed it or it stands within another block there. */
function takeOut(sides: Sides, was: Top, my: Top | undefined): Top | undefined {
  const { clashes, mineLeaves, baseLeaves, theirLeaves } = sides;
  const ids = leafIds(was.node);
  if (my === undefined || ids.some((id) => theirLeaves.has(id))) return my;
  const isMine = ids.some((id) => mineLeaves.get(id)?.eq(baseLeaves.get(id) as Node) === false);
  if (!isMine && shapeOf(my.node) === shapeOf(was.node)) return undefined;
  clashes.push({ blockId: was.key ?? "", theirs: null, isHere: true });
  return my;
}

/** I took it out, or put it within another; what they added to it is there for me to see. */
function seeAdded({ clashes, baseLeaves, mineLeaves }: Sides, { key, node }: Top): undefined {
  const isNew = (id: string) => !baseLeaves.has(id) && !mineLeaves.has(id);
  if (leafIds(node).some(isNew)) clashes.push({ blockId: key ?? "", theirs: node, isHere: false });
}

/** They changed what kind of block it is, or what is in a list or quotation. */
function mergeKind(sides: Sides, { was, my, their }: Record<"was" | "my" | "their", Top>): Top {
  const { tr, clashes } = sides;
  const [wasShape, theirShape, myShape] = [was, their, my].map(({ node }) => shapeOf(node));
  if (theirShape === wasShape || theirShape === myShape) return my;
  if (myShape === wasShape && canRebuild(sides, was.node, my.node, their.node)) {
    const isText = their.node.isTextblock && my.node.isTextblock;
    return { ...my, node: isText ? their.node.copy(my.node.content) : rebuilt(tr.doc, their.node) };
  }
  // In place of a clash of its first leaf's words: the whole holds those, and what they added.
  const blockId = was.key ?? "";
  const other = clashes.findIndex((clash) => clash.blockId === blockId);
  clashes.splice(other < 0 ? clashes.length : other, 1, { blockId, theirs: their.node, isHere: true });
  return my;
}

/** True if their form loses nothing of mine: no words in a leaf that they removed, none where they allow none. */
function canRebuild(
  { baseLeaves, theirLeaves, mineLeaves }: Sides,
  was: Node,
  my: Node,
  their: Node,
): boolean {
  if (their.isTextblock && my.isTextblock) return their.type.validContent(my.content);
  return leafIds(was).every((id) => {
    const [base, mine, their] = [baseLeaves.get(id), mineLeaves.get(id), theirLeaves.get(id)];
    if (mine === undefined || base === undefined || mine.content.eq(base.content)) return true;
    return their?.type.validContent(mine.content) === true;
  });
}

/** Their block with the words that its leaves have here. */
function rebuilt(doc: Node, their: Node): Node {
  if (!isLeafBlock(their))
    return their.copy(Fragment.from(their.children.map((child) => rebuilt(doc, child))));
  const here = their.attrs.blockId === null ? undefined : findLeaf(doc, their.attrs.blockId)?.node;
  return here !== undefined && their.type.validContent(here.content) ? their.copy(here.content) : their;
}

/** Their blocks, new ones with the words that their leaves have here; without those that I have put within another block. */
function theirTops({ tr, clashes, base, mine, mineLeaves, baseLeaves, theirs }: Sides): Top[] {
  return theirs.flatMap(({ key, node }) => {
    const top = { key, node };
    if (key === null || base.has(key)) return [top];
    const my = mine.get(key)?.node;
    if (my === undefined)
      return mineLeaves.has(key) && !baseLeaves.has(key) ? [] : [{ key, node: rebuilt(tr.doc, node) }];
    if (!my.eq(node) && !baseLeaves.has(key)) clashes.push({ blockId: key, theirs: node, isHere: true });
    return [top];
  });
}

/** Makes these the top-level blocks of the document; what keeps its order is left alone, so the cursor stays there. */
function arrange(tr: Transaction, tops: readonly Top[]): void {
  const staying = longestIncreasing(
    tops.map(({ index = -1 }) => index),
    -1,
  ).map((at) => tops[at] as Top); // places in `tops`
  const nodes = new Map(staying.map(({ index, node }) => [index, node]));
  let pos = tr.doc.content.size;
  for (let index = tr.doc.childCount - 1; index >= 0; index--) {
    const old = tr.doc.child(index);
    const node = nodes.get(index);
    pos -= old.nodeSize;
    if (node === old) continue;
    if (node === undefined) tr.delete(pos, pos + old.nodeSize);
    else if (node.isTextblock && node.content.eq(old.content)) tr.setNodeMarkup(pos, node.type, node.attrs);
    else tr.replaceWith(pos, pos + old.nodeSize, node);
  }
  const stay = new Set(staying);
  pos = 0;
  for (const top of tops) {
    if (!stay.has(top)) tr.insert(pos, top.node);
    pos += top.node.nodeSize;
  }
}

/** A leaf that they put within another block stands there alone. */
function dropDoubles({ tr, theirs, theirLeaves, baseLeaves }: Sides, mine: Node): void {
  const seen = new Set<string>();
  const doubles = new Set<string>();
  for (const { id } of placedLeaves(tr.doc)) {
    if (id === null) continue;
    if (seen.has(id)) doubles.add(id);
    seen.add(id);
  }
  if (doubles.size === 0) return;
  const homes = new Map(theirs.flatMap(({ key, node }) => leafIds(node).map((id) => [id, key])));
  for (const id of doubles) {
    if (!theirLeaves.has(id) || !(baseLeaves.has(id) || findLeaf(mine, id))) continue;
    const places = placedLeaves(tr.doc).filter((leaf) => leaf.id === id);
    const home = places.find(
      ({ pos }) => firstId(tr.doc.resolve(pos).node(1) ?? tr.doc.nodeAt(pos)) === homes.get(id),
    );
    for (const place of places.reverse())
      if (place !== (home ?? places[0])) tr.deleteRange(place.pos, place.pos + place.node.nodeSize);
  }
}
