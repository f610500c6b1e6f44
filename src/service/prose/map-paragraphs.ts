import type { LocalAnswer } from "../../contract/local-answers.ts";
import type { BlockId, ChapterId } from "../../ids.ts";
import type { Leaf } from "../../prose/document/leaves.ts";
import type { ChapterRoom } from "../../prose/document/room.ts";
import type { DocNode } from "../../prose/document/types.ts";
import { bareMarkdown } from "../../prose/join-chapter.ts";
import type { NewProse } from "../../prose/plan.ts";
import { editLeaves } from "../../prose/rewrite-leaf.ts";
import { readLeafTexts } from "../../prose/write.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import { findChapter } from "../../store/rows/chapters.ts";
import { assertUnchanged, theChapter } from "../guards.ts";
import { type Caller, type Manuscript, write, writeOptimistically } from "../manuscript.ts";
import { carry } from "./anchored.ts";
import { roomFor } from "./chapter-size.ts";
import { compareNodes } from "./compare-revisions.ts";
import { tellMoves, type WithMoves, withMoves } from "./map-moves.ts";
import {
  describePlan,
  type MarkdownRequest,
  planProse,
  type Replaced,
  requestMarkdown,
  withBom,
  writePlanned,
} from "./replace-prose.ts";
import { storedProse } from "./stored-prose.ts";

/** A filter's input: one paragraph's Markdown, or a whole chapter's if `blockId` is null. */
export interface MapPassage {
  chapterId: ChapterId;
  title: string;
  blockId: BlockId | null;
  markdown: string;
}

/** Passages of one chapter, and the revision that they are of. */
export interface ChapterPassages {
  chapterId: ChapterId;
  revision: number;
  passages: MapPassage[];
}

/** What a map changed, chapter by chapter; chapters that stay as they are are not there. */
export type MapAnswer = LocalAnswer<"map">;

/** A chapter's paragraphs and headings that hold text, each as its Markdown, or the chapter as one. Throws `NotFound`. */
export function listPassages(
  manuscript: Manuscript,
  chapterId: ChapterId,
  by: "paragraph" | "chapter",
): ChapterPassages {
  return manuscript.store.snapshot(() => {
    const chapter = theChapter(manuscript, chapterId);
    const { title, revision } = chapter;
    const prose = storedProse(chapter, listBlocks(manuscript.store, chapterId));
    if (by === "chapter") {
      return {
        chapterId,
        revision,
        passages: [{ chapterId, title, blockId: null, markdown: bareMarkdown(prose) }],
      };
    }
    const passages = readLeafTexts(prose).flatMap(({ leaf, markdown }) =>
      isText(leaf) ? [{ chapterId, title, blockId: String(leaf.blockId), markdown }] : [],
    );
    return { chapterId, revision, passages };
  });
}

function isText({ node: { type, content = [] } }: Leaf): boolean {
  return (type === "paragraph" || type === "heading") && content.length > 0;
}

/**
 * Writes the passages that a filter changed: all chapters in one act, each by the plan of a PUT that keeps mentions. Throws
 * `RevisionConflict` if a chapter has changed since it was listed, `BadRequest` if a text is not one paragraph.
 */
export function writePassages(
  manuscript: Manuscript,
  mapped: readonly ChapterPassages[],
  caller: Caller,
): MapAnswer {
  const plan = () => mapped.map((one) => planPassages(manuscript, one));
  const bookOf = () => mapped.map(({ chapterId }) => findChapter(manuscript.store, chapterId)?.bookId)[0];
  return writeOptimistically(manuscript.store, bookOf, plan, (made) =>
    write(manuscript, "map", { ...caller, skipsEmpty: true }, (act, store) => {
      for (const { chapterId, revision } of mapped)
        assertUnchanged(theChapter(manuscript, chapterId), caller, { ifRevision: revision, prose: true });
      const planned = made();
      const { moves, requests } = movesAmong(planned);
      const told = planned.map(({ chapter, prose, compared }) => {
        const other = moves.length === 0 ? undefined : requests.get(chapter.id);
        return { chapter, compared, prose: other === undefined ? prose : planProse(store, chapter, other) };
      });
      const bring = carry(store, moves);
      const done = told.map(({ chapter, prose, compared }) => ({
        chapterId: chapter.id,
        plan: writePlanned(store, act, chapter, prose),
        compared,
      }));
      bring();
      return () => ({
        chapters: done
          .filter(({ plan }) => plan.changed)
          .map(({ chapterId, plan, compared }) => describe(manuscript, chapterId, plan, compared)),
        moved: tellMoves(
          manuscript,
          moves.map(({ from, to }) => ({ from, to: to() })),
        ),
      });
    }),
  );
}

/** A chapter as a filter left it. Throws `NotFound`, `RevisionConflict` if it has changed since, `BadRequest`. */
export function mappedProse(
  manuscript: Manuscript,
  { chapterId, revision, passages }: ChapterPassages,
): NewProse {
  const { store } = manuscript;
  const chapter = theChapter(manuscript, chapterId);
  assertUnchanged(chapter, {}, { ifRevision: revision, prose: true });
  const prose = storedProse(chapter, listBlocks(store, chapterId));
  return requestOf(prose, passages, roomFor(store, chapterId)).prose;
}

/** The paragraphs that a filter of whole chapters has taken out of one and put into another. */
function movesAmong(planned: readonly ReturnType<typeof planPassages>[]): WithMoves {
  const whole = planned.flatMap(({ chapter, request, was, isWhole }) =>
    isWhole ? [{ chapterId: chapter.id, was, request }] : [],
  );
  return withMoves(whole.length > 1 ? whole : []);
}

/** What a filter made of a chapter, planned, and compared with what it was. */
function planPassages(manuscript: Manuscript, { chapterId, passages }: ChapterPassages) {
  const { store } = manuscript;
  const chapter = theChapter(manuscript, chapterId);
  const old = storedProse(chapter, listBlocks(store, chapterId));
  const request = requestOf(old, passages, roomFor(store, chapterId));
  const prose = planProse(store, chapter, request);
  const compared = compareNodes(nodesOf(old), nodesOf(prose.plan));
  return { chapter, request, prose, compared, was: old.blocks, isWhole: passages[0]?.blockId === null };
}

function nodesOf({ blocks }: { blocks: readonly { node: DocNode }[] }): DocNode[] {
  return blocks.map(({ node }) => node);
}

function describe(
  manuscript: Manuscript,
  chapterId: ChapterId,
  plan: Replaced,
  compared: ReturnType<typeof compareNodes>,
): MapAnswer["chapters"][number] {
  const chapter = theChapter(manuscript, chapterId);
  const { revision, titleChanged, mentionsDropped, snippetsDetached, snippetsMoved } = describePlan(
    plan,
    chapter,
  );
  return {
    chapterId,
    title: chapter.title,
    ...compared,
    revision,
    titleChanged,
    mentionsDropped,
    snippetsDetached,
    snippetsMoved,
  };
}

function requestOf(
  prose: Parameters<typeof editLeaves>[0],
  passages: readonly MapPassage[],
  room: ChapterRoom,
): MarkdownRequest {
  const [whole] = passages;
  if (whole?.blockId === null) return withBom(requestMarkdown(whole.markdown, "keep", room), prose.bom);
  const texts = new Map(
    passages.map(({ blockId, markdown }) => [String(blockId), { markdown, isExact: true }]),
  );
  return { kind: "markdown", prose: editLeaves(prose, texts), mentions: "keep" };
}
