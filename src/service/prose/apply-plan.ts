import type { ProsePlan } from "../../prose/plan/plan.ts";
import type { Act } from "../../store/file/sql.ts";
import type { Store } from "../../store/file/store.ts";
import { countProgress } from "../../store/journal/acts.ts";
import { type BlockRow, deleteBlocks, insertBlock, updateBlocks } from "../../store/rows/blocks.ts";
import { type ChapterRow, updateChapter } from "../../store/rows/chapters.ts";
import { deleteMentions, insertMention, updateMention } from "../../store/rows/mentions.ts";
import { placeRanks } from "../../store/rows/rank.ts";
import { type Detached, findSnippet, updateSnippet } from "../../store/rows/snippets.ts";
import { localDay } from "../manuscript.ts";
import { deriveBlock } from "./derive-block.ts";

/** A plan, and the current ranks of the rows that it names. */
export interface PlacedPlan {
  plan: ProsePlan;
  ranks: ReadonlyMap<string, string>;
}

/**
 * Writes exactly what a plan says into its chapter. Rows that stay are not touched. Imported and restored words are not
 * counted as written. Source: docs/architecture.md, The way of a write.
 */
export function applyPlan(store: Store, act: Act, chapter: ChapterRow, { plan, ranks }: PlacedPlan): void {
  if (!plan.changed) return;
  act.revised.add(chapter.id);
  updateChapter(store, chapter.id, {
    ...(plan.head === chapter.head ? {} : { head: plan.head }),
    ...(plan.eol === chapter.eol ? {} : { eol: plan.eol }),
    ...(plan.bom === (chapter.bom === 1) ? {} : { bom: Number(plan.bom) }),
  });
  deleteMentions(store, plan.mentionsDropped);
  writeBlocks(store, chapter, { plan, ranks });
  for (const { isNew, ...mention } of plan.mentionsWritten) {
    if (isNew) insertMention(store, { ...mention, chapterId: chapter.id });
    else updateMention(store, { ...mention, chapterId: chapter.id });
  }
  moveSnippets(store, chapter, plan);
  countWords(store, act, chapter, plan);
}

function writeBlocks(store: Store, chapter: ChapterRow, { plan, ranks }: PlacedPlan): void {
  const placed = placeRanks(
    plan.blocks.map(({ row }) => ({ rank: row === null ? undefined : ranks.get(row) })),
  );
  const rows = plan.blocks.map((block, index): (BlockRow & { isNew: boolean }) | undefined => {
    const rank = placed[index]!; // one rank a block
    if (!block.written && block.row !== null && ranks.get(block.row) === rank) return undefined;
    return {
      id: block.row ?? store.mint("row"),
      isNew: block.row === null,
      rank,
      node: JSON.stringify(block.node),
      source: block.source,
      gap: block.gap,
      ...deriveBlock(block.node),
    };
  });
  const written = rows.filter((row) => row !== undefined);
  deleteBlocks(store, plan.removedRows);
  updateBlocks(
    store,
    chapter.id,
    written.filter(({ isNew }) => !isNew),
  );
  for (const row of written) if (row.isNew) insertBlock(store, chapter.id, row);
}

function moveSnippets(store: Store, chapter: ChapterRow, plan: ProsePlan): void {
  const anchor = (id: string, blockId: string | null, detached: Detached | null) => {
    const snippet = findSnippet(store, id)!; // the plan was made from this chapter's snippets
    updateSnippet(store, { ...snippet, blockId, detached });
  };
  for (const { id, blockId, quote } of plan.snippetsDetached) {
    anchor(id, null, { blockId, quote, revision: chapter.revision });
  }
  for (const { id, to } of plan.snippetsMoved) anchor(id, to, null);
  for (const { id, blockId } of plan.snippetsAttached) anchor(id, blockId, null);
}

function countWords(store: Store, act: Act, chapter: ChapterRow, { words }: ProsePlan): void {
  act.words.set(chapter.id, words);
  const book = { bookId: chapter.bookId, date: localDay(act.at) };
  if (act.source === "import") countProgress(store, act, { ...book, imported: words.added });
  else if (act.source !== "restore") countProgress(store, act, { ...book, ...words });
}
