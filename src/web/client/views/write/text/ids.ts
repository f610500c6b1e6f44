import type { Node } from "prosemirror-model";
import { type EditorState, Plugin, PluginKey, type Transaction } from "prosemirror-state";
import {
  changedBlocks,
  changedWords,
  findLeaf,
  isLeafBlock,
  type PlacedLeaf,
  placedLeaves,
} from "./leaves.ts";

/** Blocks that were removed lately: the id by the text. */
type Gone = ReadonlyMap<string, string>;

const MOST_GONE = 200;
const key = new PluginKey<Gone>("ids");

/** Marks a transaction that carries what came from the server: its ids are right as they are, and it cannot be undone. */
export function fromServer(tr: Transaction): Transaction {
  return tr.setMeta("fromServer", true).setMeta("addToHistory", false);
}

/** True if a transaction carries changes from the server. */
export function isFromServer(tr: Transaction): boolean {
  return tr.getMeta("fromServer") === true;
}

/**
 * An id goes where the text went that had it: to the first half of a split, to the second where Enter was pressed at the very
 * start, to the first of two that are joined, to the original and not its copy, along with what is moved. What was cut is
 * remembered by its text, so that a paste brings its id back, and its marginalia with it. A block that is left without
 * one gets it from the server when it is saved. O(blocks) where blocks come or go, O(top-level blocks) for a key.
 */
export const ids: Plugin<Gone> = new Plugin<Gone>({
  key,
  state: {
    init: () => new Map(),
    apply: (tr, gone, old, now) => (tr.docChanged ? remember(gone, old.doc, now.doc) : gone),
  },
  appendTransaction(trs, old, now) {
    const changes = trs.filter((tr) => tr.docChanged);
    if (changes.length === 0 || changes.every(isFromServer)) return null;
    const changed = changedBlocks(old.doc, now.doc);
    if (changed === undefined || changedWords(old.doc, now.doc, changed)?.attrs.blockId) return null;
    const before = placedLeaves(old.doc, changed.pos, changed.oldEnd);
    const fresh = placedLeaves(now.doc, changed.pos, changed.nowEnd);
    const owners = findOwners(trs, now.doc, before, fresh);
    return settle(now, fresh, owners);
  },
});

function remember(gone: Gone, old: Node, now: Node): Gone {
  const changed = changedBlocks(old, now);
  if (changed === undefined) return gone;
  const held = new Set<string | null>();
  for (const { id, node } of placedLeaves(now, changed.pos, changed.nowEnd))
    if (node.content.size > 0 || !node.isTextblock) held.add(id);
  const lost = placedLeaves(old, changed.pos, changed.oldEnd).filter(
    ({ id, node }) => id !== null && !held.has(id) && node.textContent.trim() !== "",
  );
  if (lost.length === 0) return gone;
  const all = [...gone, ...lost.map(({ id, node }) => [node.textContent, id as string] as const)];
  return new Map(all.slice(-MOST_GONE));
}

/** Which old id each new block goes on with. Every old block claims the block that the first of its text is in now. */
function findOwners(
  trs: readonly Transaction[],
  now: Node,
  before: readonly PlacedLeaf[],
  fresh: readonly PlacedLeaf[],
): Map<number, string> {
  const places = new Map(fresh.map((leaf) => [leaf.pos, leaf]));
  const owners = new Map<number, string>();
  const claimed = new Set<string>();
  const map = (pos: number, side: 1 | -1) => trs.reduce((at, tr) => tr.mapping.map(at, side), pos);
  const claim = (pos: number | undefined, id: string) => {
    if (pos === undefined || !places.has(pos) || owners.has(pos) || claimed.has(id)) return;
    owners.set(pos, id);
    claimed.add(id);
  };
  for (const { id, pos, node } of before) {
    if (id === null) continue;
    if (!node.isTextblock) {
      const at = map(pos, 1);
      if (places.get(at)?.node.type === node.type) claim(at, id);
      continue;
    }
    const from = map(pos + 1, 1);
    const to = map(pos + 1 + node.content.size, -1);
    if (node.content.size > 0 && from < to) claim(blockAround(now, from), id);
  }
  // What was emptied, or typed over as a whole: the block where it stood.
  for (const { id, pos, node } of before)
    if (id !== null && node.isTextblock) claim(blockAround(now, map(pos + 1, -1)), id);
  return owners;
}

function blockAround(doc: Node, pos: number): number | undefined {
  const $pos = doc.resolve(pos);
  return $pos.depth > 0 && isLeafBlock($pos.parent) ? $pos.before() : undefined;
}

function settle(
  state: EditorState,
  fresh: readonly PlacedLeaf[],
  owners: ReadonlyMap<number, string>,
): Transaction | null {
  const { tr } = state;
  const here = new Set(fresh.map(({ pos }) => pos));
  const used = new Set<string>(owners.values());
  for (const { id, pos } of placedLeaves(state.doc)) if (id !== null && !here.has(pos)) used.add(id);
  const gone = key.getState(state) as Gone; // it is this plugin's own
  for (const { id, pos, node } of fresh) {
    let own = owners.get(pos) ?? null;
    if (own === null && id !== null && !used.has(id)) own = id;
    own ??= node.isTextblock ? comeBack(tr, gone.get(node.textContent), used) : null;
    if (own !== null) used.add(own);
    if (own !== id) tr.setNodeAttribute(pos, "blockId", own);
  }
  return tr.docChanged ? tr : null;
}

/** The id that a pasted text had before it was cut; an empty block that still holds it gives it up. */
function comeBack(tr: Transaction, id: string | undefined, used: ReadonlySet<string>): string | null {
  if (id === undefined) return null;
  if (!used.has(id)) return id;
  const holder = findLeaf(tr.doc, id);
  if (holder === undefined || holder.node.content.size > 0) return null;
  tr.setNodeAttribute(holder.pos, "blockId", null);
  return id;
}

/** Gives the blocks of a document that the server has named since their ids, wherever they are now. */
export function nameBlocks(
  state: EditorState,
  named: readonly { pos: number; id: string }[],
  map: (pos: number) => { pos: number; deleted: boolean },
): Transaction {
  const tr = fromServer(state.tr);
  for (const { pos, id } of named) {
    const at = map(pos);
    const node = at.deleted ? null : state.doc.nodeAt(at.pos);
    if (node !== null && isLeafBlock(node) && node.attrs.blockId === null && !findLeaf(tr.doc, id))
      tr.setNodeAttribute(at.pos, "blockId", id);
  }
  return tr;
}
