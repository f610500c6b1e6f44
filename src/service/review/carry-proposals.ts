import type { BlockId, ChapterId } from "../../ids.ts";
import { listChapterProposals, moveProposal, type ProposalRow } from "../../store/rows/proposals.ts";
import { theChapter } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import { openGrounds, type PlacedEdit } from "./edits/grounds.ts";
import { weighIn } from "./edits/weigh-edits.ts";
import { openEdits } from "./read-proposal.ts";

/** A proposal of a chapter whose paragraphs go to another, and whether its insertions have a place that is certain. */
export interface CarriedProposal {
  proposal: ProposalRow;
  isPlaced: boolean;
}

/** The proposals of a chapter, before its paragraphs go to another. */
export function readCarried(manuscript: Manuscript, chapterId: ChapterId): CarriedProposal[] {
  const proposals = listChapterProposals(manuscript.store, chapterId);
  const grounds = openGrounds(manuscript);
  return proposals.map((proposal) => {
    const inserting = openEdits(proposal).filter(({ op }) => op === "insert_after");
    // The start of a chapter is no longer one.
    const isStart = inserting.some(({ blockId }) => blockId === null);
    const { weighed } = weighIn(grounds, proposal, chapterId, { edits: inserting });
    return { proposal, isPlaced: !isStart && weighed.every(({ why }) => why === undefined) };
  });
}

/**
 * Makes proposals ones for the chapter that their paragraphs went to: all of them, or those about nothing but these paragraphs; others
 * stay, and find each paragraph by its id. What is inserted is weighed by the order of that chapter from then on; where it had
 * no certain place any more, it will have none there.
 */
export function carryProposals(
  manuscript: Manuscript,
  carried: readonly CarriedProposal[],
  { to, ids }: { to: ChapterId; ids?: ReadonlySet<BlockId> },
): void {
  const isThere = ({ blockId }: { blockId: BlockId | null }) =>
    ids === undefined || (blockId !== null && ids.has(blockId));
  const { revision } = theChapter(manuscript, to);
  for (const { proposal, isPlaced } of carried) {
    if (!(proposal.edits as readonly Omit<PlacedEdit, "index">[]).every(isThere)) continue;
    // This act makes the next revision of that chapter.
    moveProposal(manuscript.store, {
      id: proposal.id,
      chapterId: to,
      revision: isPlaced ? revision + 1 : 0,
    });
  }
}
