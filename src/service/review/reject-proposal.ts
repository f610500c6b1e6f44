import type { ProposalId } from "../../ids.ts";
import { decideEdits } from "../../store/review/proposals.ts";
import { assertOwn, assertUnchanged, theChapter } from "../guards.ts";
import { type WriteOn, write } from "../manuscript.ts";
import { chooseEdits } from "./accept-proposal.ts";
import { groundsOf } from "./grounds.ts";
import { describeProposal, theProposal } from "./read-proposal.ts";

/** Declines edits of a proposal, all open ones without a list. Throws `NotFound`, `BadRequest`, `Conflict`. */
export const rejectProposal: WriteOn<"rejectProposal", ProposalId> = (manuscript, id, { edits }, caller) =>
  write(manuscript, "rejectProposal", caller, (_act, store) => {
    const proposal = theProposal(manuscript, id);
    assertOwn(manuscript, id, caller);
    assertUnchanged(theChapter(manuscript, proposal.chapterId), caller, { prose: true });
    const grounds = groundsOf(manuscript, proposal);
    const rejected = chooseEdits(proposal, edits).map(({ index }) => index);
    decideEdits(store, id, rejected, "rejected");
    return () => ({ proposal: describeProposal(manuscript, id, grounds), rejected });
  });
