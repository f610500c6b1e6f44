import { groupBy } from "../../../../text/group-by.ts";
import type { Finding, Looked, Proposal } from "./looked.ts";

/** The proposals of all chapters that say the same: they are decided on together. */
export interface ProposalGroup {
  key: string;
  first: Proposal;
  /** The highest of theirs, 0 to 1. */
  confidence: number;
  chapters: readonly { chapterId: string; revision: number; proposal: Proposal }[];
  /** Places in the prose, in all chapters. */
  places: number;
}

/** The proposals by what they say, the surest first. */
export function groupsOf({ proposals }: Looked): ProposalGroup[] {
  const all = [...proposals].flatMap(([chapterId, { revision, proposals: own }]) =>
    own.map((proposal) => ({ chapterId, revision, proposal })),
  );
  return [...groupBy(all, ({ proposal }) => keyOf(proposal))]
    .map(([key, chapters]) => ({
      key,
      first: chapters[0].proposal,
      confidence: Math.max(...chapters.map(({ proposal }) => proposal.confidence)),
      chapters,
      places: chapters.reduce((sum, { proposal }) => sum + proposal.occurrences.length, 0),
    }))
    .sort((a, b) => b.confidence - a.confidence || b.places - a.places);
}

function keyOf({ type, factId, kind, name, candidates }: Proposal): string {
  const of = candidates === undefined ? factId : "?";
  return [type, of, kind, type === "mention" && factId ? "" : name].join("\n");
}

/** The findings of all chapters, each once though several chapters tell it; errors first. */
export function findingsOf({ findings }: Looked): Finding[] {
  const RANK = { error: 0, warn: 1, info: 2 } as const;
  return [...groupBy([...findings.values()].flat(), ({ id }) => id).values()]
    .map(([first]) => first)
    .sort((a, b) => RANK[a.severity] - RANK[b.severity] || b.confidence - a.confidence);
}
