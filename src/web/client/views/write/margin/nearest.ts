import { findLeaf, placedLeaves } from "../text/leaves.ts";
import type { Clash } from "../text/merge-blocks.ts";
import type { Writer } from "../writer.ts";

/** The paragraph that a clash is shown beside: its own, or where that is gone the one before on their side. */
export function nearest({ view, saver }: Writer, { blockId }: Clash): string | null {
  const { doc } = view.state;
  if (findLeaf(doc, blockId) !== undefined) return blockId;
  const theirs = placedLeaves(saver.saved).map(({ id }) => id);
  const here = new Set(placedLeaves(doc).map(({ id }) => id));
  const before = theirs.slice(0, theirs.indexOf(blockId)).findLast((id) => id !== null && here.has(id));
  return before ?? placedLeaves(doc).find(({ id }) => id !== null)?.id ?? null;
}
