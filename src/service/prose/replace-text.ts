import type { LocalAnswer } from "../../contract/local-answers.ts";
import type { BookId, ChapterId, FactId } from "../../ids.ts";
import { shownText, toShown } from "../../prose/document/shown-text.ts";
import { applyTextEdits } from "../../prose/document/text-edit.ts";
import { assertSize } from "../../prose/markdown/parse-chapter.ts";
import { type EditedLeaf, type FindEdits, replaceText } from "../../prose/plan/replace-text.ts";

import type { Act } from "../../store/file/sql.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import { type ChapterRow, listChapters } from "../../store/rows/chapters.ts";
import { ahead } from "../ahead.ts";
import { theBook, theChapter } from "../guards.ts";
import { type Caller, type Manuscript, write } from "../manuscript.ts";
import { type PatternRequest, readPattern } from "./find-pattern.ts";
import { droppedBy, type PlannedRequest, replaceIn, withPlan } from "./replace-prose.ts";
import { storedProse } from "./stored-prose.ts";

/** What replacing did to each chapter that held any of it, in reading order. */
export type ReplaceAnswer = LocalAnswer<"replace">;

/**
 * Replaces words, or what a regular expression finds, in all prose of a book, as one act. Paragraphs keep their ids and
 * marginalia; a mention is dropped only if its own text was replaced. Throws `NotFound`, `BadRequest`,
 * `PayloadTooLarge`; then nothing is changed.
 */
export function replaceInBook(
  manuscript: Manuscript,
  bookId: BookId,
  request: PatternRequest,
  { expressionMs, ...caller }: Caller & { expressionMs?: number },
): ReplaceAnswer {
  const find = readPattern(request, expressionMs);
  const make = (id: ChapterId) => planReplacing(manuscript, id, { find });
  return ahead(manuscript.store, chaptersAhead(manuscript, bookId), make, (recall) =>
    write(manuscript, "replaceText", { ...caller, skipsEmpty: true }, (act) => {
      const { title } = theBook(manuscript, bookId);
      const done = listChapters(manuscript.store, bookId).map((chapter) =>
        replaceInChapter(manuscript, act, chapter, recall(chapter.id)),
      );
      return () => ({ bookId, title, ...describeReplaced(manuscript, done) });
    }),
  );
}

/** So many blocks of a book are planned ahead: with their plans they take some 300 MB. */
const BLOCKS_AHEAD = 50_000;

/** The chapters of a book that are planned before others have to wait: all but those of a very long one. */
export function chaptersAhead({ store }: Manuscript, bookId: BookId): () => ChapterId[] {
  return () => {
    let blocks = 0;
    const early = listChapters(store, bookId).filter((chapter) => {
      blocks += chapter.blockCount;
      return blocks <= BLOCKS_AHEAD;
    });
    return early.map(({ id }) => id);
  };
}

/** What was replaced in the chapters of a book, once the act's counts are final. */
export function describeReplaced(
  manuscript: Manuscript,
  done: readonly ReplacedChapter[],
): Pick<ReplaceAnswer, "replaced" | "skipped" | "chapters"> {
  const changed = done.filter(({ paragraphs }) => paragraphs.length > 0);
  return {
    replaced: total(changed.flatMap(({ paragraphs }) => paragraphs.map(({ edits }) => edits.length))),
    skipped: total(done.map(({ skipped }) => skipped)),
    chapters: changed.map(({ id, titleChanged, paragraphs, mentionsDropped }) => {
      const chapter = theChapter(manuscript, id);
      const { wordCount, revision } = chapter;
      return { id, title: chapter.title, titleChanged, wordCount, revision, paragraphs, mentionsDropped };
    }),
  };
}

/** What was replaced in a chapter. */
export type ReplacedChapter = Pick<
  ReplaceAnswer["chapters"][number],
  "id" | "titleChanged" | "paragraphs" | "mentionsDropped"
> & {
  skipped: number;
};

/** What is to be replaced in a chapter, with its plan; without a request nothing is. */
export interface PlannedReplacing {
  paragraphs: ReplacedChapter["paragraphs"];
  skipped: number;
  request: PlannedRequest | undefined;
}

/**
 * Plans to replace in a chapter what `find` finds; the mentions of the fact that is `renamed` change with their text. Throws
 * `NotFound`, `BadRequest`, `PayloadTooLarge`.
 */
export function planReplacing(
  manuscript: Manuscript,
  id: ChapterId,
  { find, renamed }: { find: FindEdits; renamed?: FactId },
): PlannedReplacing {
  const { store } = manuscript;
  const chapter = theChapter(manuscript, id);
  const { leaves, skipped, prose } = replaceText(storedProse(chapter, listBlocks(store, id)), find);
  if (prose === undefined) return { paragraphs: [], skipped, request: undefined };
  assertSize(prose.blocks.map(({ source, gap }) => source + gap).join(""));
  const edits = new Map(leaves.map((leaf) => [leaf.blockId, leaf.edits]));
  const request = { kind: "markdown", prose, mentions: "keep", edits, renamed } as const;
  return { paragraphs: leaves.map(describe), skipped, request: withPlan(store, chapter, request) };
}

/** Replaces in a chapter what was planned, within an act. Throws `PayloadTooLarge`. */
export function replaceInChapter(
  { store }: Manuscript,
  act: Act,
  chapter: ChapterRow,
  { paragraphs, skipped, request }: PlannedReplacing,
): ReplacedChapter {
  const { id } = chapter;
  if (request === undefined) return { id, titleChanged: false, paragraphs: [], mentionsDropped: [], skipped };
  const plan = replaceIn(store, act, chapter, request);
  const { titleChanged } = plan;
  return { id, titleChanged, paragraphs, mentionsDropped: droppedBy(plan), skipped };
}

/** The paragraph with its line breaks, which are no part of the text that was searched. */
function describe({ blockId, type, node, edits: own }: EditedLeaf): ReplacedChapter["paragraphs"][number] {
  const { text: before, added } = shownText(node);
  const edits = own.map((edit) => toShown(edit, added));
  return { blockId, type, before, after: applyTextEdits(before, edits), edits };
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
