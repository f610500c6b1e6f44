import type { Finding, Proposal } from "../../../ai/reader.ts";
import type { ChapterId } from "../../../ids.ts";
import type { Span } from "../../../reading/reading.ts";
import type { Store } from "../../../store/file/store.ts";
import { type Added, addedIn, ownSpan } from "../../reading/shown-prose.ts";

/**
 * Proposals with their spans in the blocks' own texts, which have no line end for a hard break. A name that runs over one
 * is no occurrence; a proposal with no other is left out.
 */
export function ownProposals(added: Added, proposals: readonly Proposal[]): Proposal[] {
  if (added.size === 0) return [...proposals];
  return proposals
    .map((proposal) => {
      const occurrences = proposal.occurrences.filter((span) => !isOver(span, added.get(span.blockId)));
      return { ...proposal, occurrences: occurrences.map((span) => ownSpan(span, added.get(span.blockId))) };
    })
    .filter(({ occurrences }, index) => occurrences.length > 0 || proposals[index]?.occurrences.length === 0);
}

/** Findings with their evidence in the blocks' own texts. `known` are chapters that have been read. */
export function ownFindings(
  store: Store,
  known: ReadonlyMap<ChapterId, Added>,
  findings: readonly Finding[],
): Finding[] {
  const chapters = new Map(known);
  const addedOf = ({ chapterId, blockId }: { chapterId: string; blockId: string }) => {
    const added = chapters.get(chapterId) ?? addedIn(store, chapterId);
    chapters.set(chapterId, added);
    return added.get(blockId);
  };
  return findings.map((finding) => ({
    ...finding,
    evidence: finding.evidence.map((span) => ownSpan(span, addedOf(span))),
  }));
}

function isOver({ from, to }: Span, added: readonly number[] = []): boolean {
  return added.some((at) => from <= at && at < to);
}
