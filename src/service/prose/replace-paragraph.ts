import type { BlockId, ChapterId } from "../../ids.ts";
import type { Heading } from "../../prose/document/heading.ts";
import { assertSize } from "../../prose/markdown/parse-chapter.ts";
import { blankParagraph } from "../../prose/markdown/parse-leaf.ts";
import type { ProsePlan } from "../../prose/plan/plan.ts";
import { planParagraph } from "../../prose/plan/plan-paragraph.ts";
import { NotFound } from "../../refusals.ts";
import type { Store } from "../../store/file/store.ts";
import {
  type BlockRow,
  findBlockOf,
  findFirst,
  findNeighbours,
  listBlocks,
  listDefining,
  type SealedBlock,
} from "../../store/rows/blocks.ts";
import type { ChapterRow } from "../../store/rows/chapters.ts";
import { listBlockMentions } from "../../store/rows/mentions.ts";
import type { BlockWrites } from "../../store/rows/write-blocks.ts";
import { isBlankMarkdown } from "../../text/clean-text.ts";
import { ahead, attempt } from "../ahead.ts";
import { assertUnchanged, theChapter } from "../guards.ts";
import { type Manuscript, type WriteOn, write } from "../manuscript.ts";
import { applyPlan, placeBlocks } from "./apply-plan.ts";
import { type KnownSize, rememberSize, weighParagraph } from "./chapter-size.ts";
import { followHeading, headingsOf } from "./follow-heading.ts";
import { droppedBy } from "./replace-prose.ts";
import { storedBlock } from "./stored-prose.ts";

interface Place {
  chapterId: ChapterId;
  blockId: BlockId;
}

/** A paragraph's new text, and all that its writing takes. */
interface PlannedParagraph {
  plan: ProsePlan;
  rows: ReadonlyMap<string, SealedBlock>;
  writes: BlockWrites;
  /** The chapter's headings before and after, where one of them is written. */
  headings: { before: readonly Heading[]; after: readonly Heading[] };
  /** How large the chapter is then; throws if that is too large. */
  size: () => KnownSize | undefined;
}

/** Replaces one paragraph. Source: llms.txt, Prose writes and what they cost. */
export const replaceParagraph: WriteOn<"replaceParagraph", Place> = (
  manuscript,
  { chapterId, blockId },
  { markdown, ifRevision },
  caller,
) => {
  const { store } = manuscript;
  if (isBlankMarkdown(markdown)) throw blankParagraph();
  assertSize(markdown);
  const make = () => planOne(manuscript, { chapterId, blockId }, markdown);
  return ahead(
    store,
    () => [chapterId],
    make,
    (recall) =>
      write(manuscript, "replaceParagraph", caller, (act) => {
        const chapter = theChapter(manuscript, chapterId);
        const { plan, headings, size, ...placed } = recall(chapterId);
        assertUnchanged(chapter, caller, { ifRevision, prose: true });
        rememberSize(store, act, chapter, size());
        applyPlan(store, act, chapter, { plan, ...placed });
        const titleChanged = followHeading(store, chapter, { ...headings, isNew: () => false });
        return () => {
          const { wordCount, revision, title } = theChapter(manuscript, chapterId);
          const { changed } = plan;
          const mentionsDropped = droppedBy(plan);
          return { wordCount, mentionsDropped, revision, blockId, changed, title, titleChanged };
        };
      }),
  );
};

/** Plans a paragraph's new text. Throws `NotFound`, and `BadRequest` for what is not one paragraph. */
function planOne(manuscript: Manuscript, { chapterId, blockId }: Place, markdown: string): PlannedParagraph {
  const { store } = manuscript;
  const chapter = theChapter(manuscript, chapterId);
  const row = findBlockOf(store, chapterId, blockId);
  if (row === undefined) throw new NotFound("paragraph in this chapter");
  const { rows, ...around } = blocksAround(store, chapter, row);
  const plan = planParagraph(
    { bom: chapter.bom === 1, eol: chapter.eol, head: chapter.head },
    {
      block: storedBlock(row),
      blockId,
      markdown,
      mentions: listBlockMentions(store, [blockId]),
      ...around,
    },
  );
  const writes = placeBlocks(store, chapterId, { plan, rows });
  const isHeading = row.type === "heading" || writes.updated.some(({ type }) => type === "heading");
  const headings =
    isHeading && plan.changed ? headingsAfter(store, chapter, writes) : { before: [], after: [] };
  const old = writes.updated.flatMap(({ id }) => rows.get(id) ?? []);
  const weigh = () => weighParagraph(store, chapter, { old, written: writes.updated });
  const size = attempt(() => (plan.changed ? weigh() : undefined));
  return { plan, rows, writes, headings, size };
}

/** Only where a heading is written is the chapter read for its title's sake. */
function headingsAfter(
  store: Store,
  chapter: ChapterRow,
  { updated }: BlockWrites,
): PlannedParagraph["headings"] {
  const rows = listBlocks(store, chapter.id);
  const written = new Map<string, BlockRow>(updated.map((row) => [row.id, row]));
  const after = rows.map((row) => written.get(row.id) ?? row);
  return { before: headingsOf(rows, chapter), after: headingsOf(after, chapter) };
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
    rows: new Map([...before, row, ...after].map((block) => [block.id, block])),
  };
}
