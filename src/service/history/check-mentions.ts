import { readLeaves } from "../../prose/document/leaf.ts";
import type { DocNode } from "../../prose/document/types.ts";
import { listTouched } from "../../store/acts.ts";
import { findRows, rowsOfLeaves } from "../../store/blocks.ts";
import { listBlockMentions, listMentionBlocks } from "../../store/mentions.ts";
import type { Store } from "../../store/store.ts";
import { conflict } from "../../store/undo.ts";

/**
 * Throws `Conflict` where an act leaves a mention that does not fit its paragraph's text: the paragraph was put back
 * under a mention that was anchored later, or the mention was put back onto a text that has changed since.
 */
export function assertAnchors(store: Store, seq: number): void {
  const touched = (table: "blocks" | "mentions") => listTouched(store, seq - 1, [table]).map(({ id }) => id);
  const marked = rowsOfLeaves(store, listMentionBlocks(store, touched("mentions")));
  const rows = findRows(store, [...touched("blocks"), ...marked]);
  const texts = new Map(
    rows
      .flatMap(({ node }) => readLeaves(JSON.parse(node) as DocNode))
      .map(({ blockId, text }) => [blockId, text]),
  );
  const loose = listBlockMentions(store, [...texts.keys()].map(String)).filter(
    ({ blockId, from, to, text }) => texts.get(blockId)?.slice(from, to) !== text,
  );
  if (loose.length > 0) throw conflict(loose.map(({ id }) => ({ table: "mentions", id, reason: "in_use" })));
}
