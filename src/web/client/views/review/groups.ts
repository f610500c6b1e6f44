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
  const groups = new Map<string, { chapterId: string; revision: number; proposal: Proposal }[]>();
  for (const [chapterId, { revision, proposals: own }] of proposals)
    for (const proposal of own) {
      const { type, factId, kind, name, candidates } = proposal;
      const key = [
        type,
        candidates === undefined ? factId : "?",
        kind,
        type === "mention" && factId ? "" : name,
      ].join("\n");
      const known = groups.get(key);
      if (known === undefined) groups.set(key, [{ chapterId, revision, proposal }]);
      else known.push({ chapterId, revision, proposal });
    }
  return [...groups]
    .map(([key, chapters]) => ({
      key,
      first: chapters[0]!.proposal, // a group is made with its first
      confidence: Math.max(...chapters.map(({ proposal }) => proposal.confidence)),
      chapters,
      places: chapters.reduce((sum, { proposal }) => sum + proposal.occurrences.length, 0),
    }))
    .sort((a, b) => b.confidence - a.confidence || b.places - a.places);
}

/** The findings of all chapters, each once though several chapters tell it; errors first. */
export function findingsOf({ findings }: Looked): Finding[] {
  const known = new Map<string, Finding>();
  for (const own of findings.values())
    for (const finding of own) if (!known.has(finding.id)) known.set(finding.id, finding);
  const RANK = { error: 0, warn: 1, info: 2 } as const;
  return [...known.values()].sort(
    (a, b) => RANK[a.severity] - RANK[b.severity] || b.confidence - a.confidence,
  );
}
