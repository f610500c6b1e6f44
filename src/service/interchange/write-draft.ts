import type { ChapterId } from "../../ids.ts";
import { bareMarkdown } from "../../prose/markdown/join-chapter.ts";
import { mergeProse } from "../../prose/merge/merge.ts";
import type { NewProse, StoredProse } from "../../prose/plan/plan.ts";
import { BadRequest, Conflict, WouldLose } from "../../refusals.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import type { ChapterRow } from "../../store/rows/chapters.ts";
import { counted, grouped } from "../../text/counted.ts";
import type { Side } from "../../three-way.ts";
import { bookOfChapter, theChapter } from "../guards.ts";
import { type Caller, type Manuscript, write } from "../manuscript.ts";
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
import { writeOptimistically } from "../write-optimistically.ts";
import { assertUpToDate } from "./lost-update.ts";
import { readStored } from "./merge-base.ts";

/** A chapter's whole text as somebody made it outside the file. */
export interface ChapterDraft {
  markdown: string;
  /**
   * What it was made from; a chapter that has moved on since is merged with it, three-way. Without one, a text that is older
   * than the chapter is refused.
   */
  base?: (Pick<DraftBase, "revision"> & Partial<DraftBase>) | undefined;
  /** Whose word counts where both changed the same, or the text is older; without it that is refused. */
  force?: Side | undefined;
  /** Whether more than half of the words may go. */
  mayShrink?: boolean;
}

/** A chapter at a revision; the text, where it is known, tells whether it is the same file's. */
export interface DraftBase {
  revision: number;
  markdown: string;
}

/** What became of a chapter, with every paragraph that changed; `merged` if another hand's changes stayed. */
export type DraftWrite = ProseWrite & Omit<Comparison, "from" | "to"> & { merged: boolean };

/** A chapter's Markdown, without a byte order mark, and the revision that it is of. Throws `NotFound`. */
export function readDraftBase(manuscript: Manuscript, chapterId: ChapterId): DraftBase {
  return manuscript.store.snapshot(() => {
    const chapter = theChapter(manuscript, chapterId);
    const prose = storedProse(chapter, listBlocks(manuscript.store, chapterId));
    return { revision: chapter.revision, markdown: bareMarkdown(prose) };
  });
}

/**
 * Writes a chapter's whole text by the plan of an import: mentions stay where the text does. Throws `WouldLose` if more than
 * half of the words would go or the text is older than the chapter, `Conflict` with both sides in `conflicts` if the chapter
 * was changed in the same place since its base, `BadRequest` for a blank text and a base that is not there.
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
      const { prose, compared, merged } = planned();
      const plan = writePlanned(store, act, chapter, prose);
      return () => {
        const written = theChapter(manuscript, chapterId);
        assertNotShrunk(chapter, written, draft);
        return { chapterId, ...compared, ...describePlan(plan, written), merged };
      };
    }),
  );
}

/** The prose that `writeDraft` would write, to be proposed. Throws the same, but for words that would go. */
export function planDraftProse(manuscript: Manuscript, chapterId: ChapterId, draft: ChapterDraft): NewProse {
  const request = requestMarkdown(draft.markdown, "keep", roomFor(manuscript.store, chapterId));
  return planDraft(manuscript, chapterId, { draft, request }).written.prose;
}

interface RequestedDraft {
  draft: ChapterDraft;
  request: MarkdownRequest;
}

/** A draft, merged with what another hand has written, with its plan, and what it changes. */
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
  const compared = compareNodes(
    current.blocks.map(({ node }) => node),
    prose.plan.blocks.map(({ node }) => node),
  );
  return { written, prose, compared, merged: merged !== request };
}

/** The request with what another hand has changed since the draft's base, or as it is if nobody has. */
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
      `The text was begun at revision ${base.revision}, which this chapter never had so: the manuscript is another one, or an older copy. Nothing was written.`,
    );
  const merged = mergeProse(old, request.prose, current, { force });
  if ("prose" in merged) {
    const isSame = bareMarkdown(merged.prose) === bareMarkdown(request.prose);
    return isSame ? request : { ...request, prose: merged.prose };
  }
  const places = counted(merged.conflicts.length, "place");
  throw new Conflict(
    `You and another hand both changed the same since revision ${base.revision}, in ${places}. Nothing was written.`,
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
    `More than half would go of “${after.title}”: ${grouped(before.wordCount)} words to ${grouped(after.wordCount)}. Nothing was written; look at the text, and add --yes if that is what you want.`,
  );
}
