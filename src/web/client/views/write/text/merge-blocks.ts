import { Fragment, type Node } from "prosemirror-model";
import type { Transaction } from "prosemirror-state";
import { longestIncreasing } from "../../../../../text/increasing-run.ts";
import { findLeaf, isLeafBlock, placedLeaves } from "./leaves.ts";
import type { Clash } from "./merge.ts";

/** A top-level block; its key is the id of its first leaf. */
interface Top {
  key: string | null;
  node: Node;
  pos: number;
}

/** The three documents, by their top-level blocks and their leaves. */
interface Sides {
  tr: Transaction;
  clashes: Clash[];
  base: Map<string, Top>;
  mine: Map<string, Top>;
  theirs: readonly Top[];
  baseLeaves: Map<string, Node>;
  mineLeaves: Map<string, Node>;
  theirLeaves: Map<string, Node>;
}

/** Blocks that they changed in kind, took out, added and moved, taken into the transaction, whose words are merged already. */
export function mergeBlocks(
  { tr, clashes }: { tr: Transaction; clashes: Clash[] },
  mine: Node,
  base: Node,
  theirs: Node,
): void {
  const theirTops = listTops(theirs);
  const sides: Sides = {
    tr,
    clashes,
    base: keyed(listTops(base)),
    mine: keyed(listTops(mine)),
    theirs: theirTops,
    baseLeaves: leafMap(base),
    mineLeaves: leafMap(mine),
    theirLeaves: leafMap(theirs),
  };
  const theirKeys = keyed(theirTops);
  for (const [key, was] of sides.base) {
    const their = theirKeys.get(key);
    if (their === undefined) takeOut(sides, was);
    else mergeKind(sides, key, was.node, their.node);
  }
  addTheirs(sides);
  dropDoubles(sides, mine);
  moveTheirs(sides, mine);
}

function listTops(doc: Node): Top[] {
  const tops: Top[] = [];
  doc.forEach((node, pos) => {
    tops.push({ key: firstId(node), node, pos });
  });
  return tops;
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

/** They took it out: it goes, unless I changed it. */
function takeOut({ tr, clashes, mine, mineLeaves, baseLeaves, theirLeaves }: Sides, was: Top): void {
  const ids = leafIds(was.node);
  if (ids.some((id) => theirLeaves.has(id))) return; // it stands within another now
  const my = mine.get(was.key ?? "");
  const isMine = ids.some((id) => mineLeaves.get(id)?.eq(baseLeaves.get(id) as Node) === false);
  if (isMine || (my !== undefined && shapeOf(my.node) !== shapeOf(was.node))) {
    if (my !== undefined) clashes.push({ blockId: was.key ?? "", theirs: null, isHere: true });
    return;
  }
  const there = my && topOf(tr.doc, was.key);
  if (there) tr.delete(there.pos, there.pos + there.node.nodeSize);
}

/** They changed what kind of block it is, or what is in a list or quotation. */
function mergeKind(sides: Sides, key: string, was: Node, their: Node): void {
  const { tr, clashes, mine, mineLeaves, baseLeaves } = sides;
  const my = mine.get(key)?.node;
  if (my === undefined) {
    // I took it out, or put it within another; what they added to it is there for me to see.
    const isNew = (id: string) => !baseLeaves.has(id) && !mineLeaves.has(id);
    if (leafIds(their).some(isNew)) clashes.push({ blockId: key, theirs: their, isHere: false });
    return;
  }
  const [wasShape, theirShape, myShape] = [shapeOf(was), shapeOf(their), shapeOf(my)];
  if (theirShape === wasShape || theirShape === myShape) return;
  const there = topOf(tr.doc, key);
  if (there === undefined) return;
  if (myShape !== wasShape || !canRebuild(sides, was, my, their)) {
    // In place of a clash of its first leaf's words: the whole holds those, and what they added.
    const other = clashes.findIndex(({ blockId }) => blockId === key);
    clashes.splice(other < 0 ? clashes.length : other, 1, { blockId: key, theirs: their, isHere: true });
  } else if (their.isTextblock && there.node.isTextblock)
    tr.setNodeMarkup(there.pos, their.type, their.attrs);
  else tr.replaceWith(there.pos, there.pos + there.node.nodeSize, rebuilt(tr.doc, their));
}

/** Whether nothing of mine would be lost in their form: no words in a leaf that they took out, none where they allow none. */
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

/** What they wrote anew stands behind what stands before it on their side, and behind what I wrote there. */
function addTheirs({ tr, clashes, base, mine, mineLeaves, baseLeaves, theirs }: Sides): void {
  const before: string[] = [];
  for (const { key, node } of theirs) {
    const isKnown = key !== null && base.has(key);
    const my = key === null ? undefined : mine.get(key)?.node;
    if (!isKnown && my !== undefined && !my.eq(node) && !baseLeaves.has(key ?? ""))
      clashes.push({ blockId: key ?? "", theirs: node, isHere: true });
    const isElsewhere = key !== null && my === undefined && mineLeaves.has(key) && !baseLeaves.has(key);
    if (!isKnown && my === undefined && !isElsewhere)
      tr.insert(placeBehind(tr.doc, before), rebuilt(tr.doc, node));
    if (key !== null) before.push(key);
  }
}

/** Where a block goes behind the nearest of these that is there, and behind what has no id yet and follows it. */
function placeBehind(doc: Node, before: readonly string[]): number {
  const tops = listTops(doc);
  const places = new Map(tops.map(({ key }, index) => [key, index]));
  const near = before.findLast((key) => places.has(key));
  if (near === undefined) return 0;
  let index = places.get(near) as number; // it was just found there
  while (tops[index + 1]?.key === null) index++;
  const { pos, node } = tops[index] as Top;
  return pos + node.nodeSize;
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

/** What they moved is moved, unless I moved something, too. */
function moveTheirs({ tr, base, theirs }: Sides, mine: Node): void {
  const here = keyed(listTops(tr.doc));
  const wasMine = keyed(listTops(mine));
  const isCommon = (key: string | null): key is string => key !== null && here.has(key) && base.has(key);
  const was = [...base.keys()].filter((key) => isCommon(key) && wasMine.has(key));
  const my = [...wasMine.keys()].filter(isCommon);
  const goal = theirs.map(({ key }) => key).filter(isCommon);
  if (was.join() !== my.join() || was.join() === goal.join()) return;
  const all = theirs.map(({ key }) => key).filter((key): key is string => key !== null && here.has(key));
  const ranks = new Map(all.map((key, rank) => [key, rank]));
  const order = listTops(tr.doc).map(({ key }) => ranks.get(key ?? "") ?? -1);
  const staying = new Set(longestIncreasing(order, -1).map((index) => all[order[index] as number]));
  for (const [rank, key] of all.entries()) {
    if (staying.has(key)) continue;
    const { pos, node } = topOf(tr.doc, key) as Top; // `all` are keys of what is here
    tr.delete(pos, pos + node.nodeSize);
    tr.insert(placeBehind(tr.doc, all.slice(0, rank)), node);
  }
}

function topOf(doc: Node, key: string | null): Top | undefined {
  return listTops(doc).find((top) => top.key === key);
}
