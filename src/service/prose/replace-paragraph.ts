import type { BodyOf } from "../../contract/index.ts";
import type { BlockId, ChapterId } from "../../ids.ts";
import { withId } from "../../prose/document/leaf.ts";
import { isLeaf, leavesOf, mapLeaves } from "../../prose/document/leaves.ts";
import { liftMentions } from "../../prose/document/mentions.ts";
import { isFrontMatter, readLeafNode, strayFrontMatter } from "../../prose/document/read-document.ts";
import type { DocNode, MentionSpan } from "../../prose/document/types.ts";
import { assertSize } from "../../prose/markdown/parse-chapter.ts";
import { blankParagraph } from "../../prose/markdown/parse-leaf.ts";
import type { ProsePlan } from "../../prose/plan/plan.ts";
import { planNode, planParagraph } from "../../prose/plan/plan-paragraph.ts";
import { BadRequest, NotFound } from "../../refusals.ts";
import type { Act } from "../../store/file/sql.ts";
import type { Store } from "../../store/file/store.ts";
import {
  type BlockRow,
  findBlockOf,
  findFirst,
  findNeighbours,
  listBlocks,
  listDefining,
} from "../../store/rows/blocks.ts";
import type { ChapterRow } from "../../store/rows/chapters.ts";
import { listBlockMentions, listChapterMentions } from "../../store/rows/mentions.ts";
import { isBlankMarkdown } from "../../text/clean-text.ts";
import { groupBy } from "../../text/group-by.ts";
import { assertUnchanged, theChapter } from "../guards.ts";
import { type WriteOn, write } from "../manuscript.ts";
import { applyPlan, type PlacedPlan } from "./apply-plan.ts";
import { roomFor, withinLimitsOfOne } from "./chapter-size.ts";
import { followHeading, headingsOf } from "./follow-heading.ts";
import { droppedBy, marksOf, replaceIn } from "./replace-prose.ts";
import { storedBlock, storedProse } from "./stored-prose.ts";

/** A paragraph in the document's form, its mention marks lifted out, or its Markdown. */
type Asked = { markdown: string } | SentLeaf;

interface SentLeaf {
  node: DocNode;
  spans: readonly MentionSpan[];
  mentions: "keep" | "drop";
}

/** Replaces one paragraph. Source: llms.txt, Prose writes and what they cost. */
export const replaceParagraph: WriteOn<"replaceParagraph", { chapterId: ChapterId; blockId: BlockId }> = (
  manuscript,
  { chapterId, blockId },
  body,
  caller,
) => {
  const { store } = manuscript;
  const asked = "node" in body ? readSent(store, chapterId, { ...body, blockId }) : body;
  if ("markdown" in asked) {
    if (isBlankMarkdown(asked.markdown)) throw blankParagraph();
    assertSize(asked.markdown);
  }
  return write(manuscript, "replaceParagraph", caller, (act) => {
    const chapter = theChapter(manuscript, chapterId);
    const row = findBlockOf(store, chapterId, blockId);
    if (row === undefined) throw new NotFound("paragraph in this chapter");
    const placed = planOne(store, chapter, { row, blockId, asked });
    assertUnchanged(chapter, caller, { ifRevision: body.ifRevision, prose: true });
    const { plan, titleChanged } =
      placed === undefined
        ? replaceAmong(store, act, chapter, asked as SentLeaf) // Markdown has a plan or is refused
        : { ...placed, titleChanged: applyToParagraph(store, act, chapter, { row, ...placed }) };
    return () => {
      const { wordCount, revision, title } = theChapter(manuscript, chapterId);
      const { changed, warnings } = plan;
      const mentionsDropped = droppedBy(plan);
      return {
        wordCount,
        mentionsDropped,
        revision,
        blockId,
        changed,
        warnings: [...warnings],
        title,
        titleChanged,
      };
    };
  });
};

/** Checks the native node of a write, gives it the paragraph's id and lifts out its mention marks. */
function readSent(
  store: Store,
  chapterId: ChapterId,
  {
    node,
    mentions = "drop",
    blockId,
  }: Extract<BodyOf<"replaceParagraph">, { node: unknown }> & { blockId: BlockId },
): SentLeaf {
  const read = readLeafNode(node, roomFor(store, chapterId));
  const own = read.attrs?.blockId ?? blockId;
  if (own !== blockId) {
    throw new BadRequest("The node has another blockId than the path; leave it out, or send the path's.", [
      { path: "/node/attrs/blockId", message: "is not the path's blockId" },
    ]);
  }
  const lifted = liftMentions(withId(read, blockId));
  return { node: lifted.node, spans: lifted.spans[0] ?? [], mentions };
}

/** The plan for the paragraph alone; undefined if a node can only stand there when others are written afresh. */
function planOne(
  store: Store,
  chapter: ChapterRow,
  { row, blockId, asked }: { row: BlockRow; blockId: BlockId; asked: Asked },
): PlacedPlan | undefined {
  const { rows, ...around } = blocksAround(store, chapter, row);
  const whole = { bom: chapter.bom === 1, eol: chapter.eol, head: chapter.head };
  const block = storedBlock(row);
  const place = { block, blockId, mentions: listBlockMentions(store, [blockId]), ...around };
  if ("markdown" in asked)
    return { plan: planParagraph(whole, { ...place, markdown: asked.markdown }), rows };
  const isFirst = around.isStart && around.before.length === 0 && isLeaf(block.node);
  if (isFrontMatter(asked.node) && !isFirst) throw strayFrontMatter("/node");
  const marks = marksOf(store, chapter, { ...asked, spans: [asked.spans] });
  const plan = planNode(whole, { ...place, node: asked.node, marks });
  return plan && { plan, rows };
}

/** Writes the paragraph as a part of its whole chapter's document. */
function replaceAmong(
  store: Store,
  act: Act,
  chapter: ChapterRow,
  { node, spans, mentions }: SentLeaf,
): { plan: ProsePlan; titleChanged: boolean } {
  const { blocks } = storedProse(chapter, listBlocks(store, chapter.id));
  const isIt = (leaf: DocNode) => leaf.attrs?.blockId === node.attrs?.blockId;
  const stored = groupBy(listChapterMentions(store, chapter.id), ({ blockId }) => blockId);
  const spansOf = (leaf: DocNode): readonly MentionSpan[] =>
    isIt(leaf)
      ? spans
      : (stored.get(String(leaf.attrs?.blockId)) ?? []).map(({ id, ...span }) => ({
          ...span,
          mentionId: id,
        }));
  const nodes = blocks.map((block) => mapLeaves(block.node, (leaf) => (isIt(leaf) ? node : leaf)));
  const request = { kind: "document", prose: { nodes }, mentions } as const;
  const plan = replaceIn(store, act, chapter, { ...request, spans: nodes.flatMap(leavesOf).map(spansOf) });
  return { plan, titleChanged: plan.titleChanged };
}

/** Applies the plan of a paragraph; only where that was or is a heading is the chapter read for its title's sake. */
function applyToParagraph(
  store: Store,
  act: Act,
  chapter: ChapterRow,
  { row, ...placed }: PlacedPlan & { row: BlockRow },
): boolean {
  const { plan } = placed;
  const isHeading = row.type === "heading" || plan.blocks.some(({ node }) => node.type === "heading");
  const before = isHeading && plan.changed ? headingsOf(listBlocks(store, chapter.id), chapter) : [];
  const apply = () => applyPlan(store, act, chapter, placed);
  withinLimitsOfOne(store, act, chapter, { old: row, written: plan.blocks, apply });
  if (before.length === 0) return false;
  const after = headingsOf(listBlocks(store, chapter.id), chapter);
  return followHeading(store, chapter, { before, after, isNew: () => false });
}

/** What a paragraph's new text could run into, with the ranks of all rows that a plan may write. */
function blocksAround(store: Store, chapter: ChapterRow, row: BlockRow) {
  const first = findFirst(store, chapter.id);
  // Two scene breaks with something like YAML between them would be front matter: then everything before it counts.
  const mayBeFrontMatter = chapter.head === "" && first?.type === "scene_break";
  const near = findNeighbours(store, chapter.id, row);
  const one = (block: BlockRow | undefined) => (block === undefined ? [] : [block]);
  const before = mayBeFrontMatter
    ? listBlocks(store, chapter.id).filter(({ rank }) => rank < row.rank)
    : one(near.before);
  const after = one(near.after);
  const defining = listDefining(store, chapter.id);
  const from = (before[0] ?? row).rank;
  const to = (after[0] ?? row).rank;
  return {
    before: before.map(storedBlock),
    after: after.map(storedBlock),
    definingBefore: defining.filter(({ rank }) => rank < from).map(storedBlock),
    definingAfter: defining.filter(({ rank }) => rank > to).map(storedBlock),
    isStart: before.length === 0 || before[0]?.id === first?.id,
    rows: new Map([...before, row, ...after].map((one) => [one.id, one])),
  };
}
