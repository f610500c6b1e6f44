import type { BookId, ChapterId } from "../../ids.ts";
import { mergeProse } from "../../prose/merge.ts";
import type { NewProse, StoredProse } from "../../prose/plan.ts";
import { BadRequest, PayloadTooLarge } from "../../refusals.ts";
import { chaptersWithNewProse } from "../../store/file/act.ts";
import type { Act } from "../../store/file/sql.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import { findChapter } from "../../store/rows/chapters.ts";
import { insertProposal } from "../../store/rows/proposals.ts";
import type { Manuscript } from "../manuscript.ts";
import { storedProse } from "../prose/stored-prose.ts";
import { findEdits } from "./edits/edits-between.ts";
import { asProposal } from "./propose.ts";

/** Chapters as somebody else would have them, each with what they began with. */
export interface WantedBook {
  bookId: BookId;
  chapters: readonly { chapterId: ChapterId; base: StoredProse; prose: NewProse }[];
  author: string;
  reason: string;
}

/** What was proposed of it, and the chapters for which it could not be said. */
export interface ProposedRest {
  proposals: { id: string; chapterId: string; title: string; edits: number }[];
  unsaid: { title: string; reason: string }[];
}

/**
 * Proposes what of others' edits an act has not written: a proposal for each chapter. A paragraph that both sides have
 * changed is proposed as they have it. Runs within the act.
 */
export function proposeRest(
  { store }: Manuscript,
  act: Act,
  { bookId, chapters, author, reason }: WantedBook,
): ProposedRest {
  const written = new Set(chaptersWithNewProse(store, act.seq));
  const proposals: ProposedRest["proposals"] = [];
  const unsaid: ProposedRest["unsaid"] = [];
  for (const { chapterId, base, prose } of chapters) {
    const chapter = findChapter(store, chapterId);
    if (chapter === undefined) continue;
    const { title } = chapter;
    const present = storedProse(chapter, listBlocks(store, chapterId));
    try {
      const merged = mergeProse(base, prose, present, { force: "incoming" });
      const edits = "conflicts" in merged ? [] : findEdits(present, { ...merged.prose, bom: present.bom });
      if ("conflicts" in merged) unsaid.push({ title, reason: "both sides have changed the same" });
      if (edits.length === 0) continue;
      const id = store.mint("proposal");
      // This act makes the next revision of a chapter that it has written.
      const revision = chapter.revision + Number(written.has(chapterId));
      insertProposal(
        store,
        asProposal({ id, bookId, chapterId, revision, author, reason, createdAt: act.at, edits }),
      );
      proposals.push({ id, chapterId, title, edits: edits.length });
    } catch (error) {
      if (!(error instanceof BadRequest || error instanceof PayloadTooLarge)) throw error;
      unsaid.push({ title, reason: error.message });
    }
  }
  return { proposals, unsaid };
}
