import type { BlockId, ChapterId } from "../../ids.ts";
import { removeLeaf } from "../../prose/apply-edits.ts";
import { insertBlocks } from "../../prose/insert-blocks.ts";
import { bareMarkdown } from "../../prose/join-chapter.ts";
import { assertSize } from "../../prose/parse.ts";
import type { NewProse, StoredProse } from "../../prose/plan.ts";
import { BadRequest, NotFound } from "../../refusals.ts";
import type { Act } from "../../store/file/sql.ts";
import { findBlockOf, listBlocks } from "../../store/rows/blocks.ts";
import { isBlankMarkdown } from "../../text/clean-text.ts";
import { assertUnchanged, bookOfChapter, theChapter } from "../guards.ts";
import {
  type Caller,
  type Manuscript,
  type Removal,
  type WriteOn,
  write,
  writeOptimistically,
} from "../manuscript.ts";
import { describePlan, type PlannedProse, planProse, type Replaced, writePlanned } from "./replace-prose.ts";
import { storedProse } from "./stored-prose.ts";

interface Place {
  chapterId: ChapterId;
  blockId: BlockId;
}

/** Puts paragraphs behind one of a chapter's, or at its start. Source: llms.txt, Prose writes and what they cost. */
export const insertParagraphs: WriteOn<"insertParagraphs", ChapterId> = (
  manuscript,
  chapterId,
  { after, markdown, ifRevision },
  caller,
) => {
  if (isBlankMarkdown(markdown))
    throw new BadRequest("The Markdown is blank; send the text of one paragraph or more.");
  assertSize(markdown);
  const known = { ...caller, chapterId, blockId: after, ifRevision };
  const make = () => planOther(manuscript, known, (prose) => insertBlocks(prose, after, markdown));
  return writeOptimistically(manuscript.store, bookOfChapter(manuscript, chapterId), make, (planned) =>
    write(manuscript, "insertParagraphs", caller, (act) => {
      const plan = rewrite(manuscript, act, known, planned);
      return () => {
        const {
          blocks,
          removed: _,
          snippetsMoved: __,
          changed: ___,
          ...told
        } = describePlan(plan, theChapter(manuscript, chapterId));
        const made = blocks.filter(({ status }) => status === "new");
        return { id: made[0]?.blockId ?? "", blocks: made, ...told };
      };
    }),
  );
};

/** Takes one paragraph out of a chapter. Source: llms.txt, Prose writes and what they cost. */
export const deleteParagraph: Removal<"deleteParagraph", Place> = (
  manuscript,
  { chapterId, blockId },
  caller,
) => {
  const known = { ...caller, chapterId, blockId };
  const make = () => planOther(manuscript, known, (prose) => removeLeaf(prose, blockId));
  return writeOptimistically(manuscript.store, bookOfChapter(manuscript, chapterId), make, (planned) =>
    write(manuscript, "deleteParagraph", caller, (act) => {
      const plan = rewrite(manuscript, act, known, planned);
      return () => {
        const {
          blocks: _,
          changed: __,
          warnings: ___,
          ...told
        } = describePlan(plan, theChapter(manuscript, chapterId));
        return { id: blockId, deleted: true as const, ...told };
      };
    }),
  );
};

interface Known extends Caller {
  chapterId: ChapterId;
  blockId: BlockId | null;
  ifRevision?: number | undefined;
}

/** Another prose of a chapter with its plan. Throws what `change` throws, and `PayloadTooLarge`. */
function planOther(
  manuscript: Manuscript,
  { chapterId, blockId }: Known,
  change: (prose: StoredProse) => NewProse,
): PlannedProse | undefined {
  const { store } = manuscript;
  const chapter = theChapter(manuscript, chapterId);
  if (blockId !== null && findBlockOf(store, chapterId, blockId) === undefined) return undefined;
  const prose = change(storedProse(chapter, listBlocks(store, chapterId)));
  assertSize(bareMarkdown(prose));
  return planProse(store, chapter, { kind: "markdown", prose, mentions: "keep" });
}

/** Writes another prose of the chapter, once chapter and paragraph are found and as the caller has seen them. */
function rewrite(
  manuscript: Manuscript,
  act: Act,
  { chapterId, blockId, ifRevision, ...caller }: Known,
  planned: () => PlannedProse | undefined,
): Replaced {
  const { store } = manuscript;
  const chapter = theChapter(manuscript, chapterId);
  if (blockId !== null && findBlockOf(store, chapterId, blockId) === undefined)
    throw new NotFound("paragraph in this chapter");
  assertUnchanged(chapter, caller, { ifRevision, prose: true });
  return writePlanned(store, act, chapter, planned()!); // there is one unless the paragraph is not there
}
