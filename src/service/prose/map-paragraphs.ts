import type { LocalAnswer } from "../../contract/local-answers.ts";
import type { BlockId, ChapterId } from "../../ids.ts";
import { type Leaf, readLeaves } from "../../prose/document/leaf.ts";
import { isLeaf } from "../../prose/document/leaves.ts";
import type { ChapterRoom } from "../../prose/document/room.ts";
import type { DocNode } from "../../prose/document/types.ts";
import { definitionsOf } from "../../prose/markdown/definitions.ts";
import { bareMarkdown } from "../../prose/markdown/join-chapter.ts";
import { ownMarkdown, readSpellings } from "../../prose/markdown/leaf-spelling.ts";
import { writeBlock } from "../../prose/markdown/write.ts";
import { editLeaves } from "../../prose/plan/rewrite-leaf.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import { ahead } from "../ahead.ts";
import { assertUnchanged, theChapter } from "../guards.ts";
import { type Caller, type Manuscript, write } from "../manuscript.ts";
import { roomFor } from "./chapter-size.ts";
import { compareNodes } from "./compare-revisions.ts";
import {
  describePlan,
  type ProseRequest,
  type Replaced,
  replaceIn,
  requestMarkdown,
  withBom,
  withPlan,
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
    const definitions = definitionsOf(prose);
    const passages = prose.blocks.flatMap((block) => {
      const spellings = isLeaf(block.node) ? [] : readSpellings(block.source);
      return readLeaves(block.node).flatMap((leaf, at) => {
        const markdown = isLeaf(block.node) ? block.source : ownMarkdown(spellings?.[at]);
        const passage = { chapterId, title, blockId: String(leaf.blockId) };
        return isText(leaf) ? [{ ...passage, markdown: markdown ?? writeBlock(leaf.node, definitions) }] : [];
      });
    });
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
  const make = (id: ChapterId) =>
    planPassages(manuscript, id, mapped.find(({ chapterId }) => chapterId === id)?.passages ?? []);
  const chapters = () => mapped.map(({ chapterId }) => chapterId);
  return ahead(manuscript.store, chapters, make, (recall) =>
    write(manuscript, "map", { ...caller, skipsEmpty: true }, (act, store) => {
      const done = mapped.map(({ chapterId, revision }) => {
        const chapter = theChapter(manuscript, chapterId);
        assertUnchanged(chapter, caller, { ifRevision: revision, prose: true });
        const { request, compared } = recall(chapterId);
        return { chapterId, plan: replaceIn(store, act, chapter, request), compared };
      });
      return () => ({
        chapters: done
          .filter(({ plan }) => plan.changed)
          .map(({ chapterId, plan, compared }) => describe(manuscript, chapterId, plan, compared)),
      });
    }),
  );
}

/** What a filter made of a chapter, planned, and compared with what it was. */
function planPassages(manuscript: Manuscript, chapterId: ChapterId, passages: readonly MapPassage[]) {
  const { store } = manuscript;
  const chapter = theChapter(manuscript, chapterId);
  const prose = storedProse(chapter, listBlocks(store, chapterId));
  const request = withPlan(store, chapter, requestOf(prose, passages, roomFor(store, chapterId)));
  return { request, compared: compareNodes(nodesOf(prose), nodesOf(request.planned.plan)) };
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
): ProseRequest {
  const [whole] = passages;
  if (whole?.blockId === null) return withBom(requestMarkdown(whole.markdown, "keep", room), prose.bom);
  const texts = new Map(
    passages.map(({ blockId, markdown }) => [String(blockId), { markdown, isExact: true }]),
  );
  return { kind: "markdown", prose: editLeaves(prose, texts), mentions: "keep" };
}
