import type { ProposalId } from "../../ids.ts";
import { decideEdits, findProposal } from "../../store/rows/proposals.ts";
import { assertOwn, assertUnchanged, theChapter } from "../guards.ts";
import { type WriteOn, write, writeOptimistically } from "../manuscript.ts";
import { chooseEdits } from "./accept-proposal.ts";
import { describeProposal, theProposal } from "./read-proposal.ts";

/** Declines edits of a proposal, all open ones without a list. Throws `NotFound`, `BadRequest`, `Conflict`. */
export const rejectProposal: WriteOn<"rejectProposal", ProposalId> = (manuscript, id, { edits }, caller) => {
  const { store } = manuscript;
  const make = () => {
    const proposal = theProposal(manuscript, id);
    const rejected = chooseEdits(proposal, edits).map(({ index }) => index);
    const decided = proposal.edits.map((edit, index) =>
      rejected.includes(index) ? { ...edit, status: "rejected" as const } : edit,
    );
    return { rejected, proposal: describeProposal(manuscript, { ...proposal, edits: decided }) };
  };
  const bookId = () => findProposal(store, id)?.bookId;
  return writeOptimistically(store, bookId, make, (planned) =>
    write(manuscript, "rejectProposal", caller, () => {
      const { chapterId } = theProposal(manuscript, id);
      assertOwn(manuscript, id, caller);
      assertUnchanged(theChapter(manuscript, chapterId), caller, { prose: true });
      const done = planned();
      decideEdits(store, id, done.rejected, "rejected");
      return () => done;
    }),
  );
};
