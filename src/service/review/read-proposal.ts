import type { AnswerOf, InputOf } from "../../contract/index.ts";
import type { BookId, ProposalId } from "../../ids.ts";
import { NotFound } from "../../refusals.ts";
import * as stored from "../../store/rows/proposals.ts";
import { found, theBook, theChapter } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import { toTime } from "../present.ts";
import { droppedBy } from "../prose/apply-plan.ts";
import { describePlan, planProse } from "../prose/replace-prose.ts";
import { type DiffWords, diffAmong } from "../prose/word-diff.ts";
import { type Grounds, openGrounds, type PlacedEdit, proposedCharacters } from "./edits/grounds.ts";
import {
  judgeProposal,
  requestOf,
  type WeighedChapter,
  type WeighedEdit,
  weighProposal,
} from "./edits/weigh-edits.ts";

/** A proposal with its edits, as the contract shows it. */
export type ProseProposal = AnswerOf<"readProposal">;
/** The same without them. */
export type ProposalHead = AnswerOf<"listProposals">["proposals"][number];

/** The stored proposal. Throws `NotFound`. */
export function theProposal({ store }: Manuscript, id: ProposalId): stored.ProposalRow {
  return found(stored.findProposal(store, id), "proposal");
}

/** The edits of a proposal that nobody has decided. */
export function openEdits({ edits }: stored.ProposalRow): PlacedEdit[] {
  return edits
    .map((edit, index): PlacedEdit => ({ ...edit, index }))
    .filter(({ status }) => status === "open");
}

/** A book's proposals in chapter order, oldest first; what is stale is found out now. Throws `NotFound`. */
export function listProposals(
  manuscript: Manuscript,
  bookId: BookId,
  { status = "all", chapterId }: InputOf<"listProposals">["query"] = {},
): AnswerOf<"listProposals"> {
  const { store } = manuscript;
  return store.snapshot(() => {
    theBook(manuscript, bookId);
    if (chapterId !== undefined && theChapter(manuscript, chapterId).bookId !== bookId)
      throw new NotFound("chapter in this book");
    const grounds = openGrounds(manuscript);
    const proposals = stored
      .listProposals(store, bookId)
      .filter((proposal) => chapterId === undefined || proposal.chapterId === chapterId)
      .map((proposal) =>
        describeHead(manuscript, proposal, judgeProposal(manuscript, grounds, proposal, openEdits(proposal))),
      )
      .filter((proposal) => status === "all" || proposal.status === status);
    return { proposals, total: proposals.length };
  });
}

/** A proposal, each edit as it stands now and with what accepting all of them would cost. Throws `NotFound`. */
export function readProposal(manuscript: Manuscript, id: ProposalId): ProseProposal {
  return manuscript.store.snapshot(() => describeProposal(manuscript, theProposal(manuscript, id)));
}

/** Shows a proposal, stored or about to be. */
export function describeProposal(
  manuscript: Manuscript,
  proposal: stored.ProposalRow,
  grounds: Grounds = openGrounds(manuscript),
): ProseProposal {
  const { chapters, gone } = weighProposal(manuscript, grounds, proposal, openEdits(proposal));
  const weighed = [...gone, ...chapters.flatMap((chapter) => chapter.weighed)];
  const byIndex = new Map(weighed.map((one) => [one.edit.index, one]));
  const costs = chapters.map((chapter) => costOf(manuscript, chapter));
  const dropped = costs.flatMap(({ mentionsDropped }) => mentionsDropped);
  const detached = costs.flatMap(({ snippetsDetached }) => snippetsDetached);
  const diff = diffAmong(proposedCharacters(proposal.edits));
  const edits = proposal.edits.map((edit, index) => {
    const now = byIndex.get(index);
    const isOpen = now !== undefined && now.why === undefined;
    const own = <Item extends { blockId: string | null }>(items: readonly Item[]) =>
      isOpen && edit.op !== "insert_after" ? items.filter(({ blockId }) => blockId === edit.blockId) : [];
    return {
      index,
      op: edit.op,
      blockId: edit.blockId,
      before: edit.before,
      markdown: edit.markdown,
      status: now?.why === undefined ? edit.status : ("stale" as const),
      why: now?.why ?? null,
      changes: changesOf(edit, isOpen ? now : undefined, diff),
      mentionsDropped: own(dropped),
      snippetsDetached: own(detached),
    };
  });
  return { ...describeHead(manuscript, proposal, weighed), edits };
}

function changesOf(
  { op, before, markdown }: stored.ProposedEdit,
  now: WeighedEdit | undefined,
  diff: DiffWords,
) {
  if (now !== undefined) return diff(now.now, now.next ?? "");
  return diff(op === "insert_after" ? "" : before, markdown ?? "");
}

function costOf({ store }: Manuscript, weighed: WeighedChapter) {
  const { chapter, prose } = weighed.ground;
  if (weighed.prose === prose) return { mentionsDropped: [], snippetsDetached: [] };
  const { plan } = planProse(store, chapter, { ...requestOf(weighed), mayBeLarge: true });
  const { snippetsDetached } = describePlan({ ...plan, titleChanged: false }, chapter);
  return { mentionsDropped: droppedBy(plan), snippetsDetached };
}

function describeHead(
  manuscript: Manuscript,
  proposal: stored.ProposalRow,
  weighed: readonly WeighedEdit[],
): ProposalHead {
  const { id, bookId, chapterId, revision, author, reason, createdAt, edits } = proposal;
  const of = (status: string) => edits.filter((edit) => edit.status === status).length;
  const stale = weighed.filter(({ why }) => why !== undefined).length;
  const open = weighed.filter(({ why }) => why === undefined);
  const counts = {
    open: of("open") - stale,
    stale,
    accepted: of("accepted"),
    rejected: of("rejected"),
  };
  return {
    id,
    bookId,
    chapterId,
    chapterTitle: theChapter(manuscript, chapterId).title,
    revision,
    author,
    reason,
    createdAt: toTime(createdAt),
    status: statusOf(counts),
    counts,
    blockIds: [...new Set(open.flatMap(({ edit: { blockId } }) => blockId ?? []))],
  };
}

function statusOf({ open, stale, accepted }: ProposalHead["counts"]): ProposalHead["status"] {
  if (open > 0) return "open";
  if (stale > 0) return "stale";
  return accepted > 0 ? "accepted" : "rejected";
}
