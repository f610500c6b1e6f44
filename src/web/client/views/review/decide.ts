import { groupBy } from "../../../../text/group-by.ts";
import { ask } from "../../api/ask.ts";
import type { Answer } from "../../api/operations.ts";
import { asProblem } from "../../api/problem.ts";
import { refreshReads } from "../../api/reads.ts";
import { undoAll } from "../../api/undo.ts";
import { counted } from "../../parts/numbers.ts";
import { tell } from "../../parts/toasts.tsx";
import type { ProposalGroup } from "./groups.ts";
import { forget, keep, type Looked, lookedIn, type Proposal } from "./looked.ts";

type Accepted = Answer<"acceptProposals">;
type Made = Accepted["facts"][number] & { names: ReadonlySet<string> };

/**
 * Writes groups of proposals into the story map, a chapter after the other, and tells what came of it, with its undo. What
 * several chapters propose under one name is one new fact. `factId` is what an ambiguous name was said to mean.
 */
export async function accept(
  bookId: string,
  groups: readonly ProposalGroup[],
  factId?: string | undefined,
): Promise<void> {
  const before = lookedIn(bookId);
  const all = groups.flatMap(({ chapters }) => chapters);
  const made: Made[] = [];
  const done: Accepted[] = [];
  let refusal: string | undefined;
  for (const [chapterId, own] of groupBy(all, (one) => one.chapterId)) {
    const { revision } = own[0];
    const proposals = own.map(({ proposal }) => proposal);
    const meant = proposals.map((proposal) => meantBy(proposal, made, factId));
    try {
      const answer = await ask("acceptProposals", {
        params: { chapterId },
        body: { revision, proposals: meant },
      });
      done.push(answer);
      for (const fact of answer.facts) made.push({ ...fact, names: namesOf(proposals, fact.name) });
      forget(bookId, new Set(proposals.map(({ id }) => id)));
    } catch (thrown) {
      const { status, message } = asProblem(thrown);
      refusal =
        status === 409
          ? "A chapter has changed since it was searched; search it again. The rest is done."
          : message;
      if (status !== 409) break;
    }
  }
  await refreshReads();
  if (done.length > 0) tell(summed(done), undoOf(bookId, done, before));
  if (refusal !== undefined) tell(refusal, { isProblem: true });
}

/** Sets proposals and findings aside for good, and tells it, with its undo. */
export async function dismiss(bookId: string, ids: readonly string[], done: string): Promise<void> {
  const before = lookedIn(bookId);
  const acts: { act: string | null }[] = [];
  try {
    for (let at = 0; at < ids.length; at += MOST_IDS)
      acts.push(
        await ask("dismissFindings", { params: { bookId }, body: { ids: ids.slice(at, at + MOST_IDS) } }),
      );
    forget(bookId, new Set(ids));
    tell(done, undoOf(bookId, acts, before));
  } catch (thrown) {
    tell(asProblem(thrown).message, { isProblem: true });
  }
}

/** Ids that one call takes. */
const MOST_IDS = 500;

/** The undo of what was decided: what was undecided before is so again. */
function undoOf(
  bookId: string,
  done: readonly { act: string | null }[],
  before: Looked,
): { undo: () => void } {
  const acts = done.flatMap(({ act }) => (act === null ? [] : [act]));
  return { undo: () => void undoAll(acts, () => keep(bookId, before)) };
}

// A name that an earlier chapter has just made a fact of is a further name of that fact.
function meantBy(proposal: Proposal, made: readonly Made[], factId: string | undefined): Proposal {
  const { candidates, ...meant } = proposal;
  if (candidates !== undefined && factId !== undefined) return { ...meant, factId };
  if (proposal.type !== "new_fact") return proposal;
  const names = [proposal.name, ...(proposal.aliases ?? [])];
  const known = made.find(
    ({ kind, names: own }) => kind === proposal.kind && names.some((one) => own.has(one)),
  );
  return known === undefined ? proposal : { ...meant, type: "new_alias", factId: known.id };
}

function namesOf(proposals: readonly Proposal[], name: string): ReadonlySet<string> {
  const own = proposals.find((proposal) => proposal.name === name);
  return new Set([name, ...(own?.aliases ?? [])]);
}

function summed(done: readonly Accepted[]): string {
  const facts = done.flatMap((answer) => answer.facts);
  const aliases = done.flatMap((answer) => answer.aliases);
  const mentions = done.reduce((sum, answer) => sum + answer.mentions, 0);
  const parts = [
    ...(facts.length === 1 ? [`“${facts[0]?.name}” is on the map`] : []),
    ...(facts.length > 1 ? [`${counted(facts.length, "new fact")} on the map`] : []),
    ...(aliases.length > 0 ? [counted(aliases.length, "further name")] : []),
    `${counted(mentions, "mention")} linked`,
  ];
  return `${parts.join(", ")}.`;
}
