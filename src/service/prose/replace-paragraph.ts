import type { BodyOf } from "../../contract/index.ts";
import type { BlockId, ChapterId } from "../../ids.ts";
import type { Heading } from "../../prose/document/heading.ts";
import { isLeaf, leavesOf, mapLeaves, withId } from "../../prose/document/leaves.ts";
import { liftMentions } from "../../prose/document/marks.ts";
import { isFrontMatter, readLeafNode, strayFrontMatter } from "../../prose/document/read-document.ts";
import type { DocNode, MentionSpan } from "../../prose/document/types.ts";
import { assertSize, blankParagraph } from "../../prose/parse.ts";
import type { ProsePlan } from "../../prose/plan.ts";
import { planNode, planParagraph } from "../../prose/plan-paragraph.ts";
import { BadRequest, NotFound } from "../../refusals.ts";
import type { Act } from "../../store/file/sql.ts";
import type { Store } from "../../store/file/store.ts";
import {
  findBlockOf,
  findFirst,
  findNeighbours,
  listBlocks,
  listDefining,
  type SealedBlock,
} from "../../store/rows/blocks.ts";
import { type ChapterRow, readChapterVersion } from "../../store/rows/chapters.ts";
import { listBlockMentions, listChapterMentions } from "../../store/rows/mentions.ts";
import type { BlockWrites } from "../../store/rows/write-blocks.ts";
import { isBlankMarkdown } from "../../text/clean-text.ts";
import { groupBy } from "../../text/group-by.ts";
import { assertUnchanged, bookOfChapter, found, theChapter } from "../guards.ts";
import { type Manuscript, type WriteOn, write, writeOptimistically } from "../manuscript.ts";
import { applyPlan, droppedBy, placeBlocks } from "./apply-plan.ts";
import { assertChapterFits, roomFor } from "./chapter-size.ts";
import {
  followHeading,
  headingsOf,
  marksOf,
  type PlannedProse,
  planProse,
  type Replaced,
  writePlanned,
} from "./replace-prose.ts";
import { storedBlock, storedProse } from "./stored-prose.ts";

/** A paragraph in the document's form, its mention marks lifted out, or its Markdown. */
type Asked = { markdown: string } | SentLeaf;

interface SentLeaf {
  node: DocNode;
  spans: readonly MentionSpan[];
  mentions: "keep" | "drop";
}

interface Place {
  chapterId: ChapterId;
  blockId: BlockId;
}

/** A paragraph's new text, and all that its writing takes. */
interface PlannedParagraph {
  plan: ProsePlan;
  rows: ReadonlyMap<string, SealedBlock>;
  writes: BlockWrites;
  /** The chapter's headings before and after, if one of them is written. */
  headings: { before: readonly Heading[]; after: readonly Heading[] } | undefined;
}

/** Replaces one paragraph. Source: llms.txt, Prose writes and what they cost. */
export const replaceParagraph: WriteOn<"replaceParagraph", Place> = (
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
  const plan = () => planOne(manuscript, { chapterId, blockId }, asked);
  return writeOptimistically(store, bookOfChapter(manuscript, chapterId), plan, (made) =>
    write(manuscript, "replaceParagraph", caller, (act) => {
      const chapter = theChapter(manuscript, chapterId);
      const planned = made();
      assertUnchanged(chapter, caller, { ifRevision: body.ifRevision, prose: true });
      const done =
        "headings" in planned
          ? applyOne(store, act, chapter, planned)
          : writePlanned(store, act, chapter, planned);
      return () => {
        const { wordCount, revision, title } = found(readChapterVersion(store, chapterId), "chapter");
        const { changed, titleChanged } = done;
        const warnings = [...done.warnings];
        const mentionsDropped = droppedBy(done);
        return { wordCount, mentionsDropped, revision, blockId, changed, warnings, title, titleChanged };
      };
    }),
  );
};

function applyOne(
  store: Store,
  act: Act,
  chapter: ChapterRow,
  { headings, ...placed }: PlannedParagraph,
): Replaced {
  applyPlan(store, act, chapter, placed);
  const titleChanged =
    headings !== undefined && followHeading(store, chapter, { ...headings, isNew: () => false });
  return { ...placed.plan, titleChanged };
}

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

/**
 * Plans a paragraph's new text, alone or, where a node can only stand there when others are written afresh, as a part of its
 * whole chapter's document. Throws `NotFound`, and `BadRequest` for what is not one paragraph.
 */
function planOne(
  manuscript: Manuscript,
  { chapterId, blockId }: Place,
  asked: Asked,
): PlannedParagraph | PlannedProse {
  const { store } = manuscript;
  const chapter = theChapter(manuscript, chapterId);
  const row = findBlockOf(store, chapterId, blockId);
  if (row === undefined) throw new NotFound("paragraph in this chapter");
  const { rows, ...around } = blocksAround(store, chapter, row);
  const plan = planAlone(store, chapter, { row, blockId, asked, around });
  // Markdown has a plan or is refused.
  if (plan === undefined) return planAmong(store, chapter, asked as SentLeaf);
  const writes = placeBlocks(store, chapterId, { plan, rows });
  const isHeading = row.type === "heading" || writes.updated.some(({ type }) => type === "heading");
  const headings = isHeading && plan.changed ? headingsAfter(store, chapter, writes) : undefined;
  if (plan.changed) assertChapterFits(store, chapter, writes);
  return { plan, rows, writes, headings };
}

/** The plan for the paragraph alone; undefined if a node can only stand there when others are written afresh. */
function planAlone(
  store: Store,
  chapter: ChapterRow,
  given: {
    row: SealedBlock;
    blockId: BlockId;
    asked: Asked;
    around: Omit<ReturnType<typeof blocksAround>, "rows">;
  },
): ProsePlan | undefined {
  const { row, blockId, asked, around } = given;
  const whole = { bom: chapter.bom === 1, eol: chapter.eol, head: chapter.head };
  const block = storedBlock(row);
  const mentions = chapter.mentionCount === 0 ? [] : listBlockMentions(store, [blockId]);
  const place = { block, blockId, mentions, ...around };
  if ("markdown" in asked) return planParagraph(whole, { ...place, markdown: asked.markdown });
  const isFirst = around.isStart && around.before.length === 0 && isLeaf(block.node);
  if (isFrontMatter(asked.node) && !isFirst) throw strayFrontMatter("/node");
  const marks = marksOf(store, chapter, { ...asked, spans: [asked.spans] });
  return planNode(whole, { ...place, node: asked.node, marks });
}

/** Only where a heading is written is the chapter read for its title's sake. */
function headingsAfter(
  store: Store,
  chapter: ChapterRow,
  { updated }: BlockWrites,
): PlannedParagraph["headings"] {
  const rows = listBlocks(store, chapter.id);
  const written = new Map<string, SealedBlock>(updated.map((row) => [row.id, row]));
  const after = rows.map((row) => written.get(row.id) ?? row);
  return { before: headingsOf(rows, chapter), after: headingsOf(after, chapter) };
}

/** The paragraph as a part of its whole chapter's document. */
function planAmong(store: Store, chapter: ChapterRow, { node, spans, mentions }: SentLeaf): PlannedProse {
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
  return planProse(store, chapter, { ...request, spans: nodes.flatMap(leavesOf).map(spansOf) });
}

/** What a paragraph's new text could run into, with the ranks of all rows that a plan may write. */
function blocksAround(store: Store, chapter: ChapterRow, row: SealedBlock) {
  const first = findFirst(store, chapter.id);
  // Two scene breaks with something like YAML between them would be front matter: then everything before it counts.
  const mayBeFrontMatter = chapter.head === "" && first?.type === "scene_break";
  const near = findNeighbours(store, chapter.id, row);
  const one = (block: SealedBlock | undefined) => (block === undefined ? [] : [block]);
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
