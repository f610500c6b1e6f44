import type { Node } from "prosemirror-model";
import { type EditorState, Selection, type Transaction } from "prosemirror-state";
import { mergeEdits, type WordEdit } from "../../../../../prose/merge-words.ts";
import { fromServer } from "./ids.ts";
import { findLeaf, flatText, type PlacedLeaf, placedLeaves } from "./leaves.ts";
import { type Merge, mergeTops } from "./merge-blocks.ts";
import { wordRanges } from "./word-ranges.ts";

/**
 * Merges another's version of `base` into mine. Blocks are followed by their ids and words by a diff,
 * so that no steps are needed and what was typed on another day merges alike. Where only one side changed a word its change
 * counts, wherever the block is now; where both did, mine stays and theirs is a clash. Blocks that they added, moved and took
 * out follow. Nothing of it is undone by my undo.
 */
export function mergeTheirs(state: EditorState, base: Node, theirs: Node): Merge {
  const merge: Merge = { tr: fromServer(state.tr), clashes: [] };
  const sides = { base: byId(base), mine: byId(state.doc), theirs: byId(theirs) };
  for (const [id, was] of sides.base) {
    const [mine, their] = [sides.mine.get(id), sides.theirs.get(id)];
    if (their === undefined) continue;
    if (mine !== undefined) mergeLeaf(merge, id, { was: was.node, mine: mine.node, their: their.node });
    else if (!their.node.content.eq(was.node.content))
      merge.clashes.push({ blockId: id, theirs: their.node, isHere: false });
  }
  mergeTops(merge, state.doc, base, theirs);
  keepSelection(merge.tr, state);
  return merge;
}

function byId(doc: Node): Map<string, PlacedLeaf> {
  return new Map(placedLeaves(doc).flatMap((leaf) => (leaf.id === null ? [] : [[leaf.id, leaf]])));
}

/** One leaf on its three sides. */
interface Leaves {
  was: Node;
  mine: Node;
  their: Node;
}

function mergeLeaf({ tr, clashes }: Merge, id: string, leaves: Leaves): void {
  const { was, mine, their } = leaves;
  if (their.content.eq(was.content) || their.content.eq(mine.content)) return;
  const ours = mine.content.eq(was.content) ? [] : wordRanges(was, mine);
  const taken = mergeEdits(ours, wordRanges(was, their), {
    meets: (one, edit) => one.from <= edit.to && edit.from <= one.to,
    isOurs: (edit, met) => isInMine(edit, met, leaves),
  });
  if (taken === undefined) {
    clashes.push({ blockId: id, theirs: their, isHere: true });
    return;
  }
  const start = findLeaf(tr.doc, id)!.pos + 1; // it is in mine, and merging words moves no block
  for (const { from, to, start: first, end } of taken.reverse()) {
    const shift = ours.reduce(
      (sum, one) => (one.to <= from ? sum + one.end - one.start - one.to + one.from : sum),
      0,
    );
    tr.replace(start + from + shift, start + to + shift, their.slice(first, end));
  }
}

/** True if mine already says what they changed: the same, or the same and more, or they changed only marks. */
function isInMine(range: WordEdit, met: readonly WordEdit[], { was, mine, their }: Leaves): boolean {
  const theirText = flatText(their).slice(range.start, range.end);
  if (theirText === flatText(was).slice(range.from, range.to)) return true;
  const [one] = met;
  if (met.length > 1 || one === undefined || one.from !== range.from || one.to !== range.to) return false;
  return flatText(mine).slice(one.start, one.end).startsWith(theirText) && theirText !== "";
}

/** Where the block with the cursor was moved, the cursor goes with it. */
function keepSelection(tr: Transaction, state: EditorState): void {
  const { $head } = state.selection;
  const id = $head.depth > 0 ? $head.parent.attrs.blockId : null;
  if (typeof id !== "string" || !tr.mapping.mapResult($head.pos).deletedAcross) return;
  const leaf = findLeaf(tr.doc, id);
  if (leaf === undefined) return;
  const at = tr.doc.resolve(leaf.pos + 1 + Math.min($head.parentOffset, leaf.node.content.size));
  tr.setSelection(Selection.near(at));
}
