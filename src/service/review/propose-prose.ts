import type { ChapterId } from "../../ids.ts";
import type { NewProse } from "../../prose/plan.ts";
import { BadRequest, PayloadTooLarge } from "../../refusals.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import { insertProposal } from "../../store/rows/proposals.ts";
import { theChapter } from "../guards.ts";
import { type Caller, type Manuscript, writeFree } from "../manuscript.ts";
import { storedProse } from "../prose/stored-prose.ts";
import { findEdits } from "./edits/edits-between.ts";
import { asProposal, authorOf } from "./propose.ts";
import { describeProposal, type ProposalHead } from "./read-proposal.ts";

/** A chapter as it might be. */
export interface WantedProse {
  chapterId: ChapterId;
  prose: NewProse;
}

/** What was proposed, one for each chapter that would change, and the chapters for which it cannot be. */
export interface ProposedProse {
  proposals: ProposalHead[];
  /** With the reason, in a sentence. */
  unsaid: { chapterId: ChapterId; title: string; reason: string }[];
  act: string | null;
}

/**
 * Proposes chapters as they might be, in one act, instead of writing them; one that would not change is left out. `read` says
 * what is wanted, within the act. Throws what `read` throws.
 */
export function proposeProse(
  manuscript: Manuscript,
  read: () => readonly WantedProse[],
  { reason, ...caller }: Caller & { reason: string },
): ProposedProse {
  return writeFree(manuscript, "propose", { ...caller, skipsEmpty: true }, (act, store) => {
    const author = authorOf(manuscript, caller);
    const unsaid: ProposedProse["unsaid"] = [];
    const made = read().flatMap(({ chapterId, prose }) => {
      const chapter = theChapter(manuscript, chapterId);
      const { bookId, revision, title } = chapter;
      try {
        const edits = findEdits(storedProse(chapter, listBlocks(store, chapterId)), prose);
        if (edits.length === 0) return [];
        const id = store.mint("proposal");
        const own = { id, bookId, chapterId, revision, author, reason, createdAt: act.at };
        const proposal = asProposal({ ...own, edits });
        insertProposal(store, proposal);
        return [proposal];
      } catch (error) {
        if (!(error instanceof BadRequest || error instanceof PayloadTooLarge)) throw error;
        unsaid.push({ chapterId, title, reason: error.message });
        return [];
      }
    });
    return () => {
      const proposals = made.map((proposal) => {
        const { edits: _, ...head } = describeProposal(manuscript, proposal);
        return head;
      });
      return { proposals, unsaid };
    };
  });
}
