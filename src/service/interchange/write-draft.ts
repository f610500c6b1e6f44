import type { ChapterId } from "../../ids.ts";
import { readingText } from "../../prose/document/text.ts";
import type { DocNode } from "../../prose/document/types.ts";
import { bareMarkdown } from "../../prose/join-chapter.ts";
import { mergeProse } from "../../prose/merge.ts";
import type { NewProse, StoredProse } from "../../prose/plan.ts";
import { BadRequest, Conflict, WouldLose } from "../../refusals.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import type { ChapterRow } from "../../store/rows/chapters.ts";
import { counted, grouped } from "../../text/columns.ts";
import type { Side } from "../../three-way.ts";
import { bookOfChapter, theChapter } from "../guards.ts";
import { type Caller, type Manuscript, write, writeOptimistically } from "../manuscript.ts";
import { roomFor } from "../prose/chapter-size.ts";
import { type Comparison, compareNodes } from "../prose/compare-revisions.ts";
import {
  describePlan,
  type MarkdownRequest,
  type ProseWrite,
  planProse,
  requestMarkdown,
  withBom,
  writePlanned,
} from "../prose/replace-prose.ts";
import { storedProse } from "../prose/stored-prose.ts";
import { assertUpToDate } from "./import/lost-update.ts";
import { readStored } from "./merge-base.ts";

/** A chapter's whole text, edited elsewhere. */
export interface ChapterDraft {
  markdown: string;
  /**
   * Base of the text. If the chapter has changed since, both are merged. Without a base, a text older than the
   * chapter is refused.
   */
  base?: (Pick<DraftBase, "revision"> & Partial<DraftBase>) | undefined;
  /** Side that wins a conflict, or if the text is older. Without it both are refused. */
  force?: Side | undefined;
  /** True if more than half of the words may go. */
  mayShrink?: boolean;
}

/** A chapter at a revision. The text, if given, shows that it is the same manuscript's. */
export interface DraftBase {
  revision: number;
  markdown: string;
}

/** Result for a chapter, with every changed paragraph; `merged` if another writer's changes were kept. */
export type DraftWrite = ProseWrite &
  Omit<Comparison, "from" | "to"> & {
    merged: boolean;
    /** How many blocks had emphasis or links, if the new text has none at all; else 0. */
    unmarked: number;
  };

/** Returns a chapter's Markdown without a byte order mark, and its revision. Throws `NotFound`. */
export function readDraftBase(manuscript: Manuscript, chapterId: ChapterId): DraftBase {
  return manuscript.store.snapshot(() => {
    const chapter = theChapter(manuscript, chapterId);
    const prose = storedProse(chapter, listBlocks(manuscript.store, chapterId));
    return { revision: chapter.revision, markdown: bareMarkdown(prose) };
  });
}

/**
 * Writes a chapter's whole text by the plan of an import. Mentions stay on unchanged text. Throws `WouldLose` if more
 * than half of the words would go or the text is older than the chapter, `Conflict` with both sides in `conflicts` if
 * the same place was changed since the base, `BadRequest` for a blank text and an unknown base.
 */
export function writeDraft(
  manuscript: Manuscript,
  chapterId: ChapterId,
  draft: ChapterDraft,
  caller: Caller,
): DraftWrite {
  const request = requestMarkdown(draft.markdown, "keep", roomFor(manuscript.store, chapterId));
  const make = () => planDraft(manuscript, chapterId, { draft, request });
  return writeOptimistically(manuscript.store, bookOfChapter(manuscript, chapterId), make, (planned) =>
    write(manuscript, "replaceProse", { skipsEmpty: true, ...caller }, (act, store) => {
      const chapter = theChapter(manuscript, chapterId);
      const { prose, compared, merged, unmarked } = planned();
      const plan = writePlanned(store, act, chapter, prose);
      return () => {
        const written = theChapter(manuscript, chapterId);
        assertNotShrunk(chapter, written, draft);
        return { chapterId, ...compared, ...describePlan(plan, written), merged, unmarked };
      };
    }),
  );
}

/** Returns the prose that `writeDraft` would write, for a proposal. Throws the same, except for lost words. */
export function planDraftProse(manuscript: Manuscript, chapterId: ChapterId, draft: ChapterDraft): NewProse {
  const request = requestMarkdown(draft.markdown, "keep", roomFor(manuscript.store, chapterId));
  return planDraft(manuscript, chapterId, { draft, request }).written.prose;
}

interface RequestedDraft {
  draft: ChapterDraft;
  request: MarkdownRequest;
}

/** Merges a draft with later changes. Returns its plan and its changes. */
function planDraft(manuscript: Manuscript, chapterId: ChapterId, { draft, request }: RequestedDraft) {
  const { store } = manuscript;
  const chapter = theChapter(manuscript, chapterId);
  if (draft.markdown.trim() === "" && chapter.blockCount > 0)
    throw new BadRequest("The text is blank; nothing was written.");
  const current = storedProse(chapter, listBlocks(store, chapterId));
  const merged = mergedWith(manuscript, chapter, current, { draft, request });
  const written = withBom(merged, current.bom);
  const prose = planProse(store, chapter, written);
  if (draft.base === undefined && draft.force === undefined) assertUpToDate(store, chapter, prose.plan);
  const before = current.blocks.map(({ node }) => node);
  const after = prose.plan.blocks.map(({ node }) => node);
  const marked = before.filter(isMarked).length;
  const unmarked = after.some(isMarked) ? 0 : marked;
  if (unmarked > 0 && draft.base === undefined && draft.force === undefined)
    assertNotPlain(chapter, draft, before);
  return { written, prose, compared: compareNodes(before, after), merged: merged !== request, unmarked };
}

/** True if a block has emphasis, a link or the like anywhere in it. */
function isMarked({ marks = [], content = [] }: DocNode): boolean {
  return marks.length > 0 || content.some(isMarked);
}

/** Throws `WouldLose` if a draft is a chapter's plain text, as `show` prints it. */
function assertNotPlain(chapter: ChapterRow, { markdown }: ChapterDraft, nodes: readonly DocNode[]): void {
  const plain = nodes.map((node) => readingText(node)).join("\n\n");
  if (plain.trim() !== markdown.replace(/\r\n?/g, "\n").trim()) return;
  throw new WouldLose(
    `The text is that of “${chapter.title}” without its emphasis and links.`,
    `Nothing was written; "manuscript show ${chapter.id} -f markdown" prints it with them.`,
  );
}

/** Returns the request merged with changes since the draft's base, or unchanged if there are none. */
function mergedWith(
  { store }: Manuscript,
  chapter: ChapterRow,
  current: StoredProse,
  { draft: { base, force }, request }: RequestedDraft,
): MarkdownRequest {
  if (base === undefined) return request;
  const isCurrent =
    base.markdown === undefined
      ? base.revision === chapter.revision
      : base.markdown === bareMarkdown(current);
  if (isCurrent) return request;
  const old = base.revision <= chapter.revision ? readStored(store, chapter.id, base.revision) : undefined;
  if (old === undefined && base.markdown === undefined)
    throw new BadRequest(
      `There is no revision ${base.revision} of “${chapter.title}”: it is at revision ${chapter.revision}. Nothing was written.`,
    );
  if (old === undefined || (base.markdown !== undefined && bareMarkdown(old) !== base.markdown))
    throw new Conflict(
      `The text was begun at revision ${base.revision}, which has another text in this chapter: this is another manuscript, or an older copy. Nothing was written.`,
    );
  const merged = mergeProse(old, request.prose, current, { force });
  if ("prose" in merged) {
    const isSame = bareMarkdown(merged.prose) === bareMarkdown(request.prose);
    return isSame ? request : { ...request, prose: merged.prose };
  }
  const places = counted(merged.conflicts.length, "place");
  throw new Conflict(
    `You and somebody else changed the same place since revision ${base.revision}, in ${places}. Nothing was written.`,
    {
      conflicts: merged.conflicts.map(({ incoming, stored }) => ({
        mine: incoming ?? null,
        theirs: stored ?? null,
      })),
      currentRevision: chapter.revision,
    },
  );
}

function assertNotShrunk(before: ChapterRow, after: ChapterRow, { mayShrink = false }: ChapterDraft): void {
  if (mayShrink || after.wordCount * 2 >= before.wordCount) return;
  throw new WouldLose(
    `More than half would go of “${after.title}”: ${grouped(before.wordCount)} words to ${grouped(after.wordCount)}.`,
    "Nothing was written; look at the text, and add --yes if that is what you want.",
  );
}
