import { readLeaves } from "../../prose/document/leaf.ts";
import { nodeOf } from "../../prose/document/node-of.ts";
import type { Store } from "../../store/file/store.ts";
import { listTouched } from "../../store/journal/acts.ts";
import { undoConflict } from "../../store/journal/undo.ts";
import { findRows, rowsOfLeaves } from "../../store/rows/blocks.ts";
import { listBlockMentions, listMentionBlocks } from "../../store/rows/mentions.ts";

/**
 * Throws `Conflict` if an act leaves a mention that does not fit its paragraph's text: the paragraph was put back
 * under a mention that was anchored later, or the mention was put back onto a text that has changed since.
 */
export function assertAnchors(store: Store, seq: number): void {
  const touched = (table: "blocks" | "mentions") => listTouched(store, seq - 1, [table]).map(({ id }) => id);
  const marked = rowsOfLeaves(store, listMentionBlocks(store, touched("mentions")));
  const rows = findRows(store, [...touched("blocks"), ...marked]);
  const texts = new Map(
    rows.flatMap((row) => readLeaves(nodeOf(row))).map(({ blockId, text }) => [blockId, text]),
  );
  const loose = listBlockMentions(store, [...texts.keys()].map(String)).filter(
    ({ blockId, from, to, text }) => texts.get(blockId)?.slice(from, to) !== text,
  );
  if (loose.length > 0)
    throw undoConflict(loose.map(({ id }) => ({ table: "mentions", id, reason: "in_use" })));
}
