import type { LocalAnswer } from "../../contract/local-answers.ts";
import type { BookId, ChapterId, FactId } from "../../ids.ts";
import { shownText, toShown } from "../../prose/document/shown-text.ts";
import { applyTextEdits } from "../../prose/document/text-edit.ts";
import { assertSize } from "../../prose/markdown/parse-chapter.ts";
import {
  type EditedLeaf,
  type FindEdits,
  replaceText,
  searchedTexts,
} from "../../prose/plan/replace-text.ts";

import type { Act } from "../../store/file/sql.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import { type ChapterRow, listChapters } from "../../store/rows/chapters.ts";
import { theBook, theChapter } from "../guards.ts";
import { type Caller, type Manuscript, write } from "../manuscript.ts";
import { type PatternRequest, readPattern } from "./find-pattern.ts";
import { droppedBy, replaceIn } from "./replace-prose.ts";
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
  const found = findBefore(manuscript, bookId, find);
  return write(manuscript, "replaceText", { ...caller, skipsEmpty: true }, (act) => {
    const { title } = theBook(manuscript, bookId);
    const done = listChapters(manuscript.store, bookId).map((chapter) => {
      const before = found.get(chapter.id);
      if (before?.revision !== chapter.revision) return replaceInChapter(manuscript, act, chapter, { find });
      if (before.edits.length === 0) return nothingIn(chapter);
      return replaceInChapter(manuscript, act, chapter, { find: () => before.edits });
    });
    return () => ({ bookId, title, ...describeReplaced(manuscript, done) });
  });
}

/** What is found in a chapter at a revision; no edits at all if there is nothing. */
interface FoundBefore {
  revision: number;
  edits: ReturnType<FindEdits>;
}

/** Searches all chapters before anything is locked: searching takes the most time, and others may write meanwhile. */
function findBefore({ store }: Manuscript, bookId: BookId, find: FindEdits): Map<ChapterId, FoundBefore> {
  const read = (chapter: ChapterRow): FoundBefore => {
    const { texts, spots } = searchedTexts(storedProse(chapter, listBlocks(store, chapter.id)));
    const edits = find(texts, spots);
    const isNothing = edits.every(({ length }) => length === 0);
    return { revision: chapter.revision, edits: isNothing ? [] : edits };
  };
  return store.snapshot(
    () => new Map(listChapters(store, bookId).map((chapter) => [chapter.id, read(chapter)])),
  );
}

function nothingIn({ id }: ChapterRow): ReplacedChapter {
  return { id, titleChanged: false, paragraphs: [], mentionsDropped: [], skipped: 0 };
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

/**
 * Replaces in a chapter what `find` finds, within an act; the mentions of the fact that is `renamed` change with their
 * text. Throws `BadRequest`, `PayloadTooLarge`.
 */
export function replaceInChapter(
  { store }: Manuscript,
  act: Act,
  chapter: ChapterRow,
  { find, renamed }: { find: FindEdits; renamed?: FactId },
): ReplacedChapter {
  const { leaves, skipped, prose } = replaceText(storedProse(chapter, listBlocks(store, chapter.id)), find);
  const { id } = chapter;
  if (prose === undefined) return { ...nothingIn(chapter), skipped };
  assertSize(prose.blocks.map(({ source, gap }) => source + gap).join(""));
  const edits = new Map(leaves.map((leaf) => [leaf.blockId, leaf.edits]));
  const request = { kind: "markdown", prose, mentions: "keep", edits, renamed } as const;
  const plan = replaceIn(store, act, chapter, request);
  const { titleChanged } = plan;
  return { id, titleChanged, paragraphs: leaves.map(describe), mentionsDropped: droppedBy(plan), skipped };
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
