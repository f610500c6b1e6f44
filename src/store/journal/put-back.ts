import type { Store } from "../file/store.ts";
import type { TableName } from "../file/tables.ts";
import { type DeriveBlock, refreshBlocks } from "../rows/blocks.ts";
import { deleteChapter } from "../rows/chapters.ts";
import type { RowImage } from "./images.ts";
import type { BookImage, Image } from "./past.ts";
import { applyStep } from "./undo.ts";
import { findWholeBlocks, putBackWhole, type RowStep, type WholeBlocks } from "./whole-blocks.ts";

/**
 * Writes a book's rows as they were, within the act that runs: those that were not there go, those that are gone come back
 * under their ids. Mentions and notes are the caller's: none may be left on a paragraph that goes. Only a chapter's file name
 * stays as it is, for the folder that it names is of today. Cost: a few statements a row that differs.
 */
export function putBackBook(
  store: Store,
  { now, past }: Record<"now" | "past", BookImage>,
  { blocks, derive }: { blocks: WholeBlocks; derive: DeriveBlock },
): void {
  for (const id of now.chapters.keys()) if (!past.chapters.has(id)) deleteChapter(store, id);
  const isGone = ({ chapter_id }: Image) =>
    chapter_id !== undefined && !past.chapters.has(String(chapter_id));
  for (const table of ["books", "goals", "parts", "chapters", "blocks"] as const) {
    for (const [id, current] of now[table])
      if (!past[table].has(id) && table !== "chapters" && !isGone(current))
        remove(store, { table, id, current });
    for (const [id, image] of past[table]) {
      const current = now[table].get(id);
      if (current === image || blocks.rows.has(id)) continue;
      const isThere = current !== undefined && !isGone(current);
      write(store, { table, id, current: isThere ? current : undefined }, image);
    }
  }
  const single = [...past.blocks].filter(
    ([id, image]) => now.blocks.get(id) !== image && !blocks.rows.has(id),
  );
  refreshBlocks(
    store,
    single.map(([id]) => id),
    derive,
  );
  putBackWhole(store, blocks);
}

/** The blocks of a book that come back whole, or in their place, prepared before others have to wait for it. */
export function findBlocksBack(
  store: Store,
  { now, past }: Record<"now" | "past", BookImage>,
  derive: DeriveBlock,
): WholeBlocks {
  const steps = [...past.blocks].flatMap(([id, before]): RowStep[] => {
    const current = now.blocks.get(id) ?? null;
    return current === before ? [] : [{ table: "blocks", id, before, after: current, now: current }];
  });
  return findWholeBlocks(store, steps, derive);
}

interface Row {
  table: TableName;
  id: string;
  current: Image | undefined;
}

function remove(
  store: Store,
  { table, id, current = null }: { table: TableName; id: string; current: RowImage },
): void {
  applyStep(store, { table, id, before: null, after: current, now: current });
}

function write(store: Store, { table, id, current }: Row, image: Image): void {
  // Its leaves carry the block's chapter, so that one which changes it goes and comes.
  const isMoved = table === "blocks" && current !== undefined && current.chapter_id !== image.chapter_id;
  if (isMoved) remove(store, { table, id, current });
  const now = isMoved ? null : (current ?? null);
  const kept: Image = now === null || table !== "chapters" ? {} : { file: now.file ?? null };
  // An act of an older version knows no later column: that one stays as it is.
  applyStep(store, { table, id, before: { ...now, ...image, ...kept }, after: now, now });
}
