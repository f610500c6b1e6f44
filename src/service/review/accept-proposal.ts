import type { AnswerOf, BodyOf } from "../../contract/index.ts";
import type { ChapterId, ProposalId } from "../../ids.ts";
import { bareMarkdown } from "../../prose/join-chapter.ts";
import { assertSize } from "../../prose/parse.ts";
import { BadRequest, Conflict } from "../../refusals.ts";
import { decideEdits, findProposal, type ProposalRow } from "../../store/rows/proposals.ts";
import { isBlankMarkdown } from "../../text/clean-text.ts";
import { assertUnchanged, theChapter } from "../guards.ts";
import { attempt, type Manuscript, type WriteOn, write, writeOptimistically } from "../manuscript.ts";
import {
  describePlan,
  type PlannedProse,
  planProse,
  type Replaced,
  writePlanned,
} from "../prose/replace-prose.ts";
import { byChapter, groundsOf, openGrounds, type PlacedEdit } from "./edits/grounds.ts";
import { type OwnWording, requestOf, type WeighedEdit, weighIn } from "./edits/weigh-edits.ts";
import { describeProposal, openEdits, theProposal } from "./read-proposal.ts";

/**
 * Writes edits of a proposal into the prose, merged with what has changed since they were proposed, as one act. Throws
 * `Conflict` if one of them is stale or decided already, and then writes none.
 */
export const acceptProposal: WriteOn<"acceptProposal", ProposalId> = (manuscript, id, body, caller) => {
  const { store } = manuscript;
  const plan = () => planAccepting(manuscript, id, body);
  const bookOf = () => findProposal(store, id)?.bookId;
  return writeOptimistically(store, bookOf, plan, (made) =>
    write(manuscript, "acceptProposal", caller, (act) => {
      const proposal = theProposal(manuscript, id);
      const chapter = theChapter(manuscript, proposal.chapterId);
      const wanted = chooseEdits(proposal, body.edits);
      wordingOf(wanted, body);
      assertUnchanged(chapter, caller, { ifRevision: body.ifRevision, prose: true });
      const grounds = groundsOf(manuscript, proposal);
      const { gone, chapters } = made();
      assertNoneStale(
        proposal,
        gone,
        chapters.flatMap(({ weighed }) => weighed),
      );
      const done = chapters.map(({ chapterId, prose }) => ({
        chapterId,
        plan: writePlanned(store, act, theChapter(manuscript, chapterId), prose()),
      }));
      const accepted = wanted.map(({ index }) => index);
      decideEdits(store, id, accepted, "accepted");
      return () => ({
        ...describe(manuscript, done),
        proposal: describeProposal(manuscript, theProposal(manuscript, id), grounds),
        accepted,
      });
    }),
  );
};

/** The edits that are asked for, all open ones without a list. Throws `BadRequest`, and `Conflict` for a decided one. */
export function chooseEdits(proposal: ProposalRow, asked: readonly number[] | undefined): PlacedEdit[] {
  const open = openEdits(proposal);
  if (asked === undefined) {
    if (open.length > 0) return open;
    throw new Conflict("Every edit of this proposal is decided; undo the act that did so to decide anew.");
  }
  const most = proposal.edits.length - 1;
  const unknown = asked.find((index) => index > most);
  if (unknown !== undefined)
    throw new BadRequest(`edits must be 0 to ${most}, the places of this proposal's edits, got ${unknown}.`, [
      { path: "/edits", message: `must be 0 to ${most}` },
    ]);
  const wanted = new Set(asked);
  const decided = [...wanted].filter((index) => proposal.edits[index]?.status !== "open");
  if (decided.length > 0)
    throw new Conflict(
      `Decided already: ${decided.map((index) => `edit ${index} is ${proposal.edits[index]?.status}`).join(", ")}. Nothing was written; undo the act that did so to decide anew.`,
      { stale: decided, edits: open.map(({ index }) => index) },
    );
  return open.filter(({ index }) => wanted.has(index));
}

/** The writer's own wording, if there is one. Throws `BadRequest` unless it is for one edit that takes text. */
function wordingOf(
  wanted: readonly PlacedEdit[],
  { edits, markdown }: BodyOf<"acceptProposal">,
): OwnWording | undefined {
  if (markdown === undefined) return undefined;
  const [edit] = wanted;
  if (edits?.length !== 1 || edit === undefined)
    throw new BadRequest("markdown is your own wording of one edit; name that alone in `edits`.");
  if (edit.op === "delete")
    throw new BadRequest("This edit deletes its paragraph; accept it without markdown, or reject it.");
  if (isBlankMarkdown(markdown))
    throw new BadRequest("The Markdown is blank; send text, or reject the edit.");
  return { markdown };
}

/** The edits that are accepted, as they would be written, chapter by chapter. */
interface PlannedEdits {
  /** Those whose paragraphs stand nowhere. */
  gone: readonly PlacedEdit[];
  chapters: readonly {
    chapterId: ChapterId;
    weighed: readonly WeighedEdit[];
    /** Throws `PayloadTooLarge`. */
    prose: () => PlannedProse;
  }[];
}

function planAccepting(manuscript: Manuscript, id: ProposalId, body: BodyOf<"acceptProposal">): PlannedEdits {
  const proposal = theProposal(manuscript, id);
  const wanted = chooseEdits(proposal, body.edits);
  const own = wordingOf(wanted, body);
  const groups = byChapter(manuscript, proposal, wanted);
  const grounds = openGrounds(manuscript);
  const chapters = [...groups].flatMap(([chapterId, edits]) => {
    if (chapterId === undefined) return [];
    const done = weighIn(grounds, proposal, chapterId, { edits, own });
    const prose = attempt(() => {
      assertSize(bareMarkdown(done.prose));
      return planProse(manuscript.store, done.ground.chapter, requestOf(done));
    });
    return [{ chapterId, weighed: done.weighed, prose }];
  });
  return { gone: groups.get(undefined) ?? [], chapters };
}

/** Why an edit cannot be written, in words. */
export const REASONS = {
  gone: "its paragraph is gone",
  changed: "its paragraph has changed",
  crowded: "something else was put there",
  unwritable: "Markdown cannot say it there",
} as const;

function assertNoneStale(
  proposal: ProposalRow,
  gone: readonly PlacedEdit[],
  weighed: readonly WeighedEdit[],
): void {
  const reasons = new Map(gone.map(({ index }) => [index, REASONS.gone as string]));
  for (const { edit, why } of weighed) if (why !== undefined) reasons.set(edit.index, REASONS[why]);
  if (reasons.size === 0) return;
  const others = weighed.filter(({ why }) => why === undefined).map(({ edit }) => edit.index);
  const named = [...reasons].map(([index, reason]) => `edit ${index} (${reason})`).join(", ");
  const rest = others.length === 0 ? " Reject it, or accept one edit with your own markdown." : "";
  const { id: proposalId } = proposal;
  throw new Conflict(`Stale, of ${proposal.edits.length}: ${named}. Nothing was written.${rest}`, {
    stale: [...reasons.keys()],
    edits: others,
  }).helpedBy(
    ...(others.length === 0 ? [] : [{ call: "acceptProposal" as const, proposalId, edits: others }]),
    { call: "readProposal", proposalId },
  );
}

function describe(
  manuscript: Manuscript,
  done: readonly { chapterId: ChapterId; plan: Replaced }[],
): Omit<AnswerOf<"acceptProposal">, "proposal" | "accepted" | "act"> {
  const told = done.map(({ chapterId, plan }) => {
    const chapter = theChapter(manuscript, chapterId);
    const { revision, wordCount, title } = chapter;
    return { shown: { id: chapterId, revision, wordCount, title }, ...describePlan(plan, chapter) };
  });
  return {
    chapters: told.map(({ shown }) => shown),
    mentionsDropped: told.flatMap(({ mentionsDropped }) => mentionsDropped),
    snippetsDetached: told.flatMap(({ snippetsDetached }) => snippetsDetached),
    snippetsMoved: told.flatMap(({ snippetsMoved }) => snippetsMoved),
  };
}
