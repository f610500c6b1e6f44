import type { AnswerOf } from "../../contract/index.ts";
import type { LocalAnswer } from "../../contract/local-answers.ts";
import type { ActId, ChapterId, FactId } from "../../ids.ts";
import { BadRequest, Conflict, NotFound } from "../../refusals.ts";
import type { Act } from "../../store/file/sql.ts";
import { findFact, insertFact, updateFact } from "../../store/rows/facts.ts";
import { byBlock, listChapterMentions } from "../../store/rows/mentions.ts";
import { append } from "../../text/extremes.ts";
import { TEXTS } from "../field-rules.ts";
import { assertUnchanged, theChapter } from "../guards.ts";
import { type Caller, type Manuscript, type WriteOn, write } from "../manuscript.ts";
import { createAnchor, leavesOfChapter, moved } from "./mentions.ts";
import { type Cover, coverOf } from "./names/match-names.ts";

type Detected = AnswerOf<"detectMentions">;
type Proposal = Detected["proposals"][number];

/** What of a detection was written. */
export type Accepted = LocalAnswer<"accepted">;

/** A detection of one chapter, as it was answered. */
type Detection = Pick<Detected, "revision" | "proposals"> & { chapterId: ChapterId };

/**
 * Writes proposals for one chapter or several of a book into the story map in one act: new facts, further aliases,
 * mentions. Accepts those of at least this confidence, and none of an ambiguous name; what several chapters propose under
 * one of its names is one new fact. Of overlapping spans the longer is anchored, and existing anchors stay. Throws
 * `Conflict` if a chapter has changed since.
 */
export function acceptProposals(
  manuscript: Manuscript,
  detections: readonly Detection[],
  { above, ...caller }: Caller & { above: number },
): { accepted: Accepted; act: ActId | null } {
  return write(manuscript, "acceptProposals", caller, (act) => {
    const accepted = acceptAll(manuscript, act, detections, { ...caller, above });
    return () => ({ accepted });
  });
}

function acceptAll(
  manuscript: Manuscript,
  { at }: Act,
  detections: readonly Detection[],
  { above, ...caller }: Caller & { above: number },
): Accepted {
  const accepted: Accepted = { proposals: [], facts: [], aliases: [], mentions: 0 };
  for (const { chapterId, revision, proposals } of detections) {
    const chapter = theChapter(manuscript, chapterId);
    assertUnchanged(chapter, caller, { prose: true });
    if (chapter.revision !== revision) {
      throw new Conflict(moved(revision, chapter.revision), { currentRevision: chapter.revision });
    }
    const chosen = proposals.filter((proposal) => isAcceptable(proposal, above));
    const owned = chosen.map((proposal) => ({
      proposal,
      factId: ownerOf(manuscript, proposal, { bookId: chapter.bookId, at }, accepted),
    }));
    append(
      accepted.proposals,
      chosen.map(({ id }) => id),
    );
    accepted.mentions += anchorAll(manuscript, chapterId, owned);
  }
  return accepted;
}

/**
 * Writes the proposals that were chosen for a chapter, whatever their confidence. Throws `NotFound`, `BadRequest` for a
 * mention or an alias without its fact, and `Conflict` if the chapter has changed since.
 */
export const acceptChosen: WriteOn<"acceptProposals", ChapterId> = (
  manuscript,
  chapterId,
  { revision, proposals },
  caller,
) => {
  const { bookId } = theChapter(manuscript, chapterId);
  const chosen = proposals.map(({ candidates: _, kind = "", aliases = [], ...proposal }, at) => {
    const { factId = null, type, name } = proposal;
    if (type !== "new_fact" && factId === null) {
      const path = `/proposals/${at}/factId`;
      throw new BadRequest(`${path} must name the fact that "${name}" means.`, [
        { path, message: "is required" },
      ]);
    }
    if (type !== "new_fact" && findFact(manuscript.store, String(factId))?.bookId !== bookId)
      throw new NotFound("fact in this book");
    const occurrences = proposal.occurrences.map(({ text = "", ...span }) => ({ ...span, text }));
    return { ...proposal, factId, kind, aliases, occurrences, confidence: 1, reason: "" };
  });
  const detection = { chapterId, revision, proposals: chosen };
  return write(manuscript, "acceptProposals", caller, (act) => {
    const accepted = acceptAll(manuscript, act, [detection], { ...caller, above: 0 });
    return () => accepted;
  });
};

function isAcceptable({ type, factId, candidates, confidence, name }: Proposal, above: number): boolean {
  if (confidence < above || name.length > TEXTS.name.most) return false;
  return type === "new_fact" || (factId !== null && candidates === undefined);
}

/** The fact that a proposal is about, created or extended by an alias as it proposes. */
function ownerOf(
  { store }: Manuscript,
  { type, factId, name, kind, aliases = [] }: Proposal,
  { bookId, at }: { bookId: string; at: number },
  accepted: Accepted,
): FactId {
  const addTo = (id: FactId, names: readonly string[]): FactId => {
    const fact = findFact(store, id);
    const added = names.filter((alias) => fact?.name !== alias && fact?.aliases.includes(alias) === false);
    if (fact === undefined || added.length === 0) return id;
    updateFact(store, { ...fact, aliases: [...fact.aliases, ...added] });
    append(
      accepted.aliases,
      added.map((alias) => ({ factId: id, alias })),
    );
    return id;
  };
  if (type !== "new_fact" && factId !== null) return type === "new_alias" ? addTo(factId, [name]) : factId;
  const names = new Set([name, ...aliases]);
  const made = accepted.facts.find((fact) => {
    const known = fact.kind === kind ? findFact(store, fact.id) : undefined;
    return known !== undefined && [known.name, ...known.aliases].some((one) => names.has(one));
  });
  if (made !== undefined) return addTo(made.id, [...names]);
  const id = store.mint("fact");
  insertFact(store, { id, bookId, name, kind, aliases, attributes: [], summary: "", createdAt: at });
  accepted.facts.push({ id, name, kind });
  return id;
}

/** Number of mentions that were anchored. */
function anchorAll(
  manuscript: Manuscript,
  chapterId: ChapterId,
  owned: readonly { proposal: Proposal; factId: FactId }[],
): number {
  const { store } = manuscript;
  const chapter = theChapter(manuscript, chapterId);
  const leaves = leavesOfChapter(store, chapterId);
  const anchored = byBlock(listChapterMentions(store, chapterId));
  const anchor = createAnchor(store, chapter, leaves);
  const facts = new Map(owned.map(({ factId }) => [factId, findFact(store, factId)]));
  const spans = owned
    .flatMap(({ proposal, factId }) => proposal.occurrences.map((span) => ({ ...span, factId })))
    .sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
  let count = 0;
  const covers = new Map<string, Cover>();
  for (const { blockId, factId, from, to } of spans) {
    const cover =
      covers.get(blockId) ?? coverOf(leaves.get(blockId)?.text.length ?? 0, anchored.get(blockId) ?? []);
    covers.set(blockId, cover);
    const fact = facts.get(factId);
    if (fact === undefined || !cover.isFree({ from, to })) continue;
    anchor(fact, { blockId, from, to }, "/occurrences");
    cover.add({ from, to });
    count++;
  }
  return count;
}
