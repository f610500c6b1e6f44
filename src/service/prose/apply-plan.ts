import type { ChapterId } from "../../ids.ts";
import type { NewProse, ProsePlan } from "../../prose/plan.ts";
import type { Act } from "../../store/file/sql.ts";
import type { Store } from "../../store/file/store.ts";
import { countProgress } from "../../store/journal/acts.ts";
import type { SealedBlock } from "../../store/rows/blocks.ts";
import { type ChapterRow, insertChapter, type NewChapter, updateChapter } from "../../store/rows/chapters.ts";
import { deleteMentions, insertMentions, updateMention } from "../../store/rows/mentions.ts";
import { placeRanks } from "../../store/rows/rank.ts";
import { anchorSnippets } from "../../store/rows/snippets.ts";
import {
  type BlockWrites,
  type ChangedBlock,
  changedBlock,
  prepareWrites,
  sealBlock,
  writeBlocks,
} from "../../store/rows/write-blocks.ts";
import { localDay } from "../manuscript.ts";
import { type MentionDropped, toDropped } from "../present.ts";
import { assertChapterFits } from "./chapter-size.ts";
import { deriveBlock } from "./stored-prose.ts";

/** A plan, and the rows that it names as they are. */
export interface PlacedPlan {
  plan: ProsePlan;
  rows: ReadonlyMap<string, SealedBlock>;
}

/**
 * Writes exactly what a plan says into its chapter. Rows that stay are not touched. Imported and restored words are not
 * counted as written. Source: docs/architecture.md, The way of a write.
 */
export function applyPlan(
  store: Store,
  act: Act,
  chapter: ChapterRow,
  { writes, ...placed }: PlacedPlan & { writes?: BlockWrites },
): void {
  const { plan } = placed;
  if (!plan.changed) return;
  act.revised.add(chapter.id);
  updateChapter(store, chapter.id, {
    ...(plan.head === chapter.head ? {} : { head: plan.head }),
    ...(plan.eol === chapter.eol ? {} : { eol: plan.eol }),
    ...(plan.bom === (chapter.bom === 1) ? {} : { bom: Number(plan.bom) }),
  });
  deleteMentions(store, plan.mentionsDropped);
  writeBlocks(store, chapter.id, writes ?? placeBlocks(store, chapter.id, placed));
  const mentions = plan.mentionsWritten.map((mention) => ({ ...mention, chapterId: chapter.id }));
  insertMentions(
    store,
    mentions.filter(({ isNew }) => isNew),
  );
  for (const mention of mentions) if (!mention.isNew) updateMention(store, mention);
  moveSnippets(store, chapter, plan);
  noteWords(store, act, chapter, plan.words);
}

/** The blocks that a plan writes, as they are to be stored; so much of it needs no lock. */
export function placeBlocks(store: Store, chapterId: ChapterId, { plan, rows }: PlacedPlan): BlockWrites {
  const ranks = plan.blocks.map(({ row }) => (row === null ? undefined : rows.get(row)?.rank));
  const isInOrder = ranks.every((rank, at) => rank !== undefined && (ranks[at - 1] ?? "") < rank);
  const placed = isInOrder ? ranks : placeRanks(ranks.map((rank) => ({ rank })));
  const writes = {
    removed: plan.removedRows.map((id) => rows.get(id)!), // the plan was made of these
    updated: [] as ChangedBlock[],
    inserted: [] as SealedBlock[],
  };
  // In ascending order the indexes of rows are written front to back.
  const isNew = plan.blocks.filter(({ row }) => row === null);
  const ids = isNew
    .map(() => store.mint("row"))
    .sort()
    .reverse();
  for (const [index, block] of plan.blocks.entries()) {
    const rank = placed[index]!; // one rank a block
    const old = block.row === null ? undefined : rows.get(block.row)!; // the plan was made of these
    if (!block.written && old?.rank === rank) continue;
    const row = {
      id: block.row ?? ids.pop()!, // one for each
      rank,
      node: JSON.stringify(block.node),
      source: block.source,
      gap: block.gap,
      ...deriveBlock(block.node),
    };
    if (old === undefined) writes.inserted.push(sealBlock(chapterId, row));
    else writes.updated.push(changedBlock(chapterId, old, row));
  }
  return prepareWrites(writes);
}

function moveSnippets(store: Store, { id: chapterId, revision }: ChapterRow, plan: ProsePlan): void {
  anchorSnippets(store, [
    ...plan.snippetsDetached.map(({ id, blockId, quote }) => {
      return { id, chapterId, blockId: null, detached: { blockId, quote, revision } };
    }),
    ...plan.snippetsMoved.map(({ id, to }) => ({ id, chapterId, blockId: to, detached: null })),
    ...plan.snippetsAttached.map(({ id, blockId }) => ({ id, chapterId, blockId, detached: null })),
  ]);
}

/** Counts what a write added to a chapter and took from it, for its revision and for the day. */
function noteWords(
  store: Store,
  act: Act,
  chapter: Pick<ChapterRow, "id" | "bookId">,
  words: ProsePlan["words"],
): void {
  act.words.set(chapter.id, words);
  const book = { bookId: chapter.bookId, date: localDay(act.at) };
  if (act.source === "import") countProgress(store, act, { ...book, imported: words.added });
  else if (act.source !== "restore") countProgress(store, act, { ...book, ...words });
}

/** The mentions that a plan could not keep, as answers list them. */
export function droppedBy({ mentionsDropped }: ProsePlan): MentionDropped[] {
  return mentionsDropped.map((mention) => toDropped(mention, mention.reason));
}

/** The prose of a chapter that is not yet there; `id` is to be the chapter's. */
export interface PlannedNew extends Pick<NewProse, "bom" | "eol" | "head"> {
  id: ChapterId;
  writes: BlockWrites;
}

/** Makes a chapter of its plan within an act. Throws `PayloadTooLarge`. */
export function insertNew(
  store: Store,
  act: Act,
  chapter: Omit<NewChapter, "id" | "bom" | "eol" | "head">,
  { id, bom, eol, head, writes }: PlannedNew,
): void {
  assertChapterFits(store, { id, blockCount: 0 }, writes);
  insertChapter(store, { ...chapter, id, bom: Number(bom), eol, head });
  const { counts } = writes;
  // Every block has a leaf.
  if (counts.leaves === 0 && !bom && eol === "lf" && head === "") return;
  act.revised.add(id);
  writeBlocks(store, id, writes);
  noteWords(store, act, { id, bookId: chapter.bookId }, { added: counts.words, removed: 0 });
}
