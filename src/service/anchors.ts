import { readLeaves } from "../prose/identity.ts";
import type { DocNode } from "../prose/types.ts";
import { listTouched } from "../store/acts.ts";
import { findRows } from "../store/blocks.ts";
import { listBlockMentions } from "../store/mentions.ts";
import type { Store } from "../store/store.ts";
import { conflict } from "../store/undo.ts";

/**
 * Throws `Conflict` where a paragraph that the act put back carries a mention that does not fit its text: one that was
 * anchored later, in the text that the undo takes away.
 */
export function assertAnchors(store: Store, seq: number): void {
  const rows = findRows(
    store,
    listTouched(store, seq - 1, ["blocks"]).map(({ id }) => id),
  );
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
