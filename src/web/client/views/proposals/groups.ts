import { groupBy } from "../../../../text/group-by.ts";
import type { Answer } from "../../api/operations.ts";

/** A proposal without its edits. */
export type ProposalHead = Answer<"listProposals">["proposals"][number];
/** One edit of a proposal, as it stands now. */
export type ProposedEdit = Answer<"readProposal">["edits"][number];

/** The proposals for a chapter. */
export interface ProposalGroup {
  chapterId: string;
  title: string;
  proposals: readonly ProposalHead[];
}

/** Groups the undecided proposals, `most` of them, by chapter in the order given, the newest first in each. */
export function undecidedByChapter(all: readonly ProposalHead[], most: number): ProposalGroup[] {
  let left = most;
  return [...groupBy(all.filter(isUndecided), ({ chapterId }) => chapterId)]
    .map(([chapterId, own]) => {
      const proposals = own.toReversed().slice(0, Math.max(0, left)); // they come oldest first
      left -= own.length;
      return { chapterId, title: own[0].chapterTitle, proposals };
    })
    .filter(({ proposals }) => proposals.length > 0);
}

/** True if an edit of it is still to be accepted or rejected. */
export function isUndecided({ counts: { open, stale } }: ProposalHead): boolean {
  return open + stale > 0;
}

/** The Markdown that accepting an edit would leave, what has changed meanwhile with it; of a stale one what was proposed. */
export function wordsOf({ status, changes, markdown }: ProposedEdit): string {
  if (status !== "open") return markdown ?? "";
  return changes
    .filter(({ op }) => op !== "removed")
    .map(({ text }) => text)
    .join("");
}
