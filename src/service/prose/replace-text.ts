import type { AnswerOf, BodyOf } from "../../contract/index.ts";
import type { BookId, ChapterId, FactId } from "../../ids.ts";
import { shownText, toShown } from "../../prose/document/text.ts";
import { applyTextEdits, type TextEdit } from "../../prose/document/text-edit.ts";
import type { DocNode } from "../../prose/document/types.ts";
import { assertSize } from "../../prose/parse.ts";
import type { NewProse } from "../../prose/plan.ts";
import { type EditedLeaf, type FindEdits, replaceText } from "../../prose/replace-text.ts";
import { BadRequest, Conflict, NotFound } from "../../refusals.ts";
import type { Act } from "../../store/file/sql.ts";
import type { Store } from "../../store/file/store.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import { type ChapterRow, listChapters } from "../../store/rows/chapters.ts";
import { bookTag } from "../entity-tags.ts";
import { assertSeen, theBook, theChapter } from "../guards.ts";
import { type Caller, type Manuscript, write, writeOptimistically } from "../manuscript.ts";
import { droppedBy } from "./apply-plan.ts";
import { type PatternRequest, readPattern } from "./find/find-pattern.ts";
import { type PlannedProse, planProse, writePlanned } from "./replace-prose.ts";
import { storedProse } from "./stored-prose.ts";

/** What replacing did to each chapter that held any of it, in reading order. */
export type ReplaceAnswer = AnswerOf<"replaceInBook">;

/** What to replace, and where: everywhere, or in chosen chapters or places. */
export type ReplaceRequest = PatternRequest & Pick<BodyOf<"replaceInBook">, "only">;

/**
 * Replaces words, or what a regular expression finds, in all prose of a book or where it is meant to, as one act.
 * Paragraphs keep their ids and marginalia; a mention is dropped only if its own text was replaced. Throws `NotFound`,
 * `BadRequest`, `PayloadTooLarge`, and `Conflict` for a chosen place that no longer holds it; then nothing is changed.
 */
export function replaceInBook(
  manuscript: Manuscript,
  bookId: BookId,
  request: ReplaceRequest,
  { expressionMs, ...caller }: Caller & { expressionMs?: number },
): ReplaceAnswer {
  const { store } = manuscript;
  const find = readPattern(request, expressionMs);
  const choice = readChoice(request.only);
  const chosen = () => chosenOf(store, bookId, choice);
  const plan = () =>
    chosen().map(({ id }) => planReplacing(manuscript, id, { find, wanted: choice?.get(id) }));
  // What is kept for a repeated request names its act.
  const skipsEmpty = caller.once === undefined;
  return writeOptimistically(
    store,
    () => bookId,
    plan,
    (planned) =>
      write(manuscript, "replaceText", { ...caller, skipsEmpty }, (act) => {
        const { title } = theBook(manuscript, bookId);
        assertSeen(caller, "book", () => [bookTag(store, bookId)]);
        const done = planned().map((chapter) => replaceInChapter(manuscript, act, chapter));
        assertAllFound(choice, done);
        return () => ({ bookId, title, ...describeReplaced(manuscript, done) });
      }),
  );
}

/**
 * The chapters of a book in which words would be replaced, each as it would be then, and how many finds are left alone. Throws
 * `NotFound`, `BadRequest`.
 */
export function replacedProse(
  manuscript: Manuscript,
  bookId: BookId,
  request: ReplaceRequest,
): { chapters: { chapterId: ChapterId; prose: NewProse }[]; skipped: number } {
  const { store } = manuscript;
  const [find, choice] = [readPattern(request), readChoice(request.only)];
  theBook(manuscript, bookId);
  const done = chosenOf(store, bookId, choice).map((chapter) => {
    const prose = storedProse(chapter, listBlocks(store, chapter.id));
    return { chapterId: chapter.id, ...replaceText(prose, find, wantedIn(choice?.get(chapter.id))) };
  });
  return {
    chapters: done.flatMap(({ chapterId, prose }) => (prose === undefined ? [] : [{ chapterId, prose }])),
    skipped: total(done.map(({ skipped }) => skipped)),
  };
}

/** The places of a chapter in which to replace, as `BLOCK FROM`; undefined for all of them. */
type Places = ReadonlySet<string> | undefined;
/** The chapters in which to replace; undefined for all of them. */
type Choice = ReadonlyMap<ChapterId, Places> | undefined;

const placeOf = (blockId: string, { from }: { from: number }): string => `${blockId} ${from}`;

const wantedIn = (places: Places) => (leaf: DocNode, edit: TextEdit) =>
  places?.has(placeOf(String(leaf.attrs?.blockId), toShown(edit, shownText(leaf).added))) ?? true;

function readChoice(only: ReplaceRequest["only"]): Choice {
  if (only === undefined) return undefined;
  const choice = new Map<ChapterId, Places>();
  for (const { chapterId, places } of only) {
    if (choice.has(chapterId)) throw new BadRequest(`only names chapter ${chapterId} twice; name it once.`);
    choice.set(chapterId, places && new Set(places.map((place) => placeOf(place.blockId, place))));
  }
  return choice;
}

function chosenOf(store: Store, bookId: BookId, choice: Choice): ChapterRow[] {
  const chapters = listChapters(store, bookId).filter(({ id }) => choice === undefined || choice.has(id));
  if (choice !== undefined && chapters.length < choice.size) throw new NotFound("chapter in this book");
  return chapters;
}

function assertAllFound(choice: Choice, done: readonly ReplacedChapter[]): void {
  const taken = new Set(
    done.flatMap(({ paragraphs }) =>
      paragraphs.flatMap(({ blockId, edits }) => edits.map((edit) => placeOf(blockId, edit))),
    ),
  );
  const places = [...(choice?.values() ?? [])].flatMap((wanted) => [...(wanted ?? [])]);
  const missing = places.filter((place) => !taken.has(place));
  if (missing.length === 0) return;
  const standing = missing.map((place) => place.split(" ")[0]);
  throw new Conflict(
    `${missing.length} of ${places.length} places no longer hold what is searched for. Nothing was replaced; try it with dryRun=1 again and choose anew.`,
    { standing: [...new Set(standing)] },
  );
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

/** What is to be replaced in a chapter; without prose nothing is. */
export interface PlannedReplacing {
  id: ChapterId;
  paragraphs: ReplacedChapter["paragraphs"];
  skipped: number;
  prose: PlannedProse | undefined;
}

/**
 * Plans to replace in a chapter what `find` finds; the mentions of the fact that is `renamed` change with their text. Throws
 * `NotFound`, `BadRequest`, `PayloadTooLarge`.
 */
export function planReplacing(
  manuscript: Manuscript,
  id: ChapterId,
  { find, renamed, wanted }: { find: FindEdits; renamed?: FactId; wanted?: Places },
): PlannedReplacing {
  const { store } = manuscript;
  const chapter = theChapter(manuscript, id);
  const old = storedProse(chapter, listBlocks(store, id));
  const { leaves, skipped, prose } = replaceText(old, find, wantedIn(wanted));
  if (prose === undefined) return { id, paragraphs: [], skipped, prose };
  assertSize(prose.blocks.map(({ source, gap }) => source + gap).join(""));
  const edits = new Map(leaves.map((leaf) => [leaf.blockId, leaf.edits]));
  const request = { kind: "markdown", prose, mentions: "keep", edits, renamed } as const;
  return { id, paragraphs: leaves.map(describeLeaf), skipped, prose: planProse(store, chapter, request) };
}

/** Replaces in a chapter what was planned, within an act. */
export function replaceInChapter(
  manuscript: Manuscript,
  act: Act,
  { id, paragraphs, skipped, prose }: PlannedReplacing,
): ReplacedChapter {
  if (prose === undefined) return { id, titleChanged: false, paragraphs, mentionsDropped: [], skipped };
  const plan = writePlanned(manuscript.store, act, theChapter(manuscript, id), prose);
  return { id, titleChanged: plan.titleChanged, paragraphs, mentionsDropped: droppedBy(plan), skipped };
}

/** The paragraph with its line breaks, which are no part of the text that was searched. */
function describeLeaf({
  blockId,
  type,
  node,
  edits: own,
}: EditedLeaf): ReplacedChapter["paragraphs"][number] {
  const { text: before, added } = shownText(node);
  const edits = own.map((edit) => toShown(edit, added));
  return { blockId, type, before, after: applyTextEdits(before, edits), edits };
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
