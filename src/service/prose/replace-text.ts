import type { LocalAnswer } from "../../contract/local-answers.ts";
import type { BookId, FactId } from "../../ids.ts";
import { assertSize } from "../../prose/markdown/parse-chapter.ts";
import { type FindEdits, replaceText } from "../../prose/plan/replace-text.ts";

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
  return write(manuscript, "replaceText", { ...caller, skipsEmpty: true }, (act) => {
    const { title } = theBook(manuscript, bookId);
    const done = listChapters(manuscript.store, bookId).map((chapter) =>
      replaceInChapter(manuscript, act, chapter, { find }),
    );
    return () => ({ bookId, title, ...describeReplaced(manuscript, done) });
  });
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
  if (prose === undefined) return { id, titleChanged: false, paragraphs: [], mentionsDropped: [], skipped };
  assertSize(prose.blocks.map(({ source, gap }) => source + gap).join(""));
  const edits = new Map(leaves.map((leaf) => [leaf.blockId, leaf.edits]));
  const request = { kind: "markdown", prose, mentions: "keep", edits, renamed } as const;
  const plan = replaceIn(store, act, chapter, request);
  const { titleChanged } = plan;
  return { id, titleChanged, paragraphs: [...leaves], mentionsDropped: droppedBy(plan), skipped };
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
