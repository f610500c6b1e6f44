import type { ChapterId } from "../../../ids.ts";
import { nodeOf, readLeaves } from "../../../prose/document/leaves.ts";
import { storedNode } from "../../../prose/document/text.ts";
import type { DocNode } from "../../../prose/document/types.ts";
import { joinBlocks, type Stretch } from "../../../prose/join-blocks.ts";
import { BadRequest } from "../../../refusals.ts";
import { chaptersWithNewProse } from "../../../store/file/act.ts";
import type { Act } from "../../../store/file/sql.ts";
import type { Store } from "../../../store/file/store.ts";
import { listBroughtBack, listTouched } from "../../../store/journal/acts.ts";
import { undoConflict } from "../../../store/journal/undo.ts";
import { type BlockRow, findRows, listBlocks, rowsOfLeaves } from "../../../store/rows/blocks.ts";
import { findChapter, updateChapter } from "../../../store/rows/chapters.ts";
import { listBlockMentions, listMarkedRows, listMentionBlocks } from "../../../store/rows/mentions.ts";
import { changedBlock, prepareWrites, writeBlocks } from "../../../store/rows/write-blocks.ts";
import { deriveBlock } from "../../prose/stored-prose.ts";

/** The chapters whose prose an undo put back in part: one that came back as a whole reads as it did. */
export function listUnmended(store: Store, { seq }: Act): ChapterId[] {
  const asTheyWere = listBroughtBack(store, seq);
  return chaptersWithNewProse(store, seq).filter((id) => !asTheyWere.has(id));
}

/**
 * Writes chapters whose prose was put back in part so that their Markdown reads as their blocks again: a paragraph that
 * came back may be between others now, or use a link whose definition is missing. Throws `Conflict` if Markdown cannot say
 * what the undo would leave. O(text of those chapters).
 */
export function mendProse(store: Store, act: Act, chapters: Iterable<ChapterId>): void {
  for (const id of chapters) {
    const chapter = findChapter(store, id);
    if (chapter === undefined) continue;
    const blocks = listBlocks(store, id);
    const stored = new Map(blocks.map((row) => [row.id, row]));
    const rows = blocks.map((row) => ({ ...row, node: storedNode(row) }));
    const mended = mendOrNot({ head: chapter.head, blocks: rows });
    if (mended === undefined) throw undoConflict(store, act, [{ table: "chapters", id, reason: "changed" }]);
    if (mended.head !== chapter.head) updateChapter(store, id, { head: mended.head });
    const changed = mended.blocks.filter((row, index) => {
      const old = rows[index]!; // mending neither adds nor removes
      return row.source !== old.source || row.gap !== old.gap || row.node !== old.node;
    });
    const updated = changed.map((row) => {
      const old = stored.get(row.id)!; // mended from these
      return changedBlock(id, old, { ...row, node: JSON.stringify(row.node), ...deriveBlock(row.node) });
    });
    writeBlocks(store, id, prepareWrites({ removed: [], updated, inserted: [] }));
  }
}

type ReadRow = Omit<BlockRow, "node"> & { node: DocNode };

function mendOrNot(stretch: Stretch<ReadRow>): Stretch<ReadRow> | undefined {
  try {
    return joinBlocks(stretch);
  } catch (error) {
    if (error instanceof BadRequest) return undefined;
    throw error;
  }
}

/**
 * Throws `Conflict` if the undos from `first` to `act` leave a mention that does not fit its paragraph's text: the paragraph
 * was put back under a mention that was anchored later, or the mention was put back onto a text that has changed since.
 */
export function assertAnchors(store: Store, act: Act, first: number): void {
  const touched = (table: "blocks" | "mentions") =>
    listTouched(store, first - 1, [table]).map(({ id }) => id);
  const marked = rowsOfLeaves(store, listMentionBlocks(store, touched("mentions")));
  const rows = findRows(store, [...new Set([...listMarkedRows(store, touched("blocks")), ...marked])]);
  const texts = new Map(
    rows.flatMap((row) => readLeaves(nodeOf(row))).map(({ blockId, text }) => [blockId, text]),
  );
  const loose = listBlockMentions(store, [...texts.keys()].map(String)).filter(
    ({ blockId, from, to, text }) => texts.get(blockId)?.slice(from, to) !== text,
  );
  if (loose.length > 0)
    throw undoConflict(
      store,
      act,
      loose.map(({ id }) => ({ table: "mentions", id, reason: "in_use" })),
    );
}
