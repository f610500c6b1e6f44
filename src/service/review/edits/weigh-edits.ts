import type { STALE_REASONS } from "../../../contract/enums.ts";
import type { ChapterId } from "../../../ids.ts";
import { applyEdits } from "../../../prose/apply-edits.ts";
import { leafIds, leafText } from "../../../prose/document/leaves.ts";
import { leafBefore } from "../../../prose/insert-blocks.ts";
import { mergeWords } from "../../../prose/merge-words.ts";
import { readLeaf, splitYear } from "../../../prose/parse.ts";
import type { NewProse } from "../../../prose/plan.ts";
import type { SpeltLeaf } from "../../../prose/write.ts";
import { BadRequest } from "../../../refusals.ts";
import type { ProposalRow } from "../../../store/rows/proposals.ts";
import type { Manuscript } from "../../manuscript.ts";
import type { MarkdownRequest } from "../../prose/replace-prose.ts";
import { type DiffWords, diffAmong } from "../../prose/word-diff.ts";
import {
  type AcceptedInsertion,
  byChapter,
  type Ground,
  type Grounds,
  type LeafOrder,
  type PlacedEdit,
  proposedCharacters,
} from "./grounds.ts";

/** Why an edit cannot be accepted as things are. */
export type StaleReason = (typeof STALE_REASONS)[number];

/** What an edit comes to now. */
export interface WeighedEdit {
  edit: PlacedEdit;
  /** Undefined if it can be accepted. */
  why: StaleReason | undefined;
  /** The paragraph's Markdown as it is; empty for an insertion. */
  now: string;
  /** What accepting leaves: the edits of both sides merged; null if nothing. */
  next: string | null;
  /** The paragraph behind which an insertion comes to stand, where that is not the one it names. */
  behind?: string | undefined;
}

/** The edits that go to one chapter, and its prose with those done that can be. */
export interface WeighedChapter {
  ground: Ground;
  weighed: readonly WeighedEdit[];
  prose: NewProse;
}

/** All open edits of a proposal as they stand, by the chapters that they go to. */
export interface WeighedProposal {
  chapters: readonly WeighedChapter[];
  /** Those whose paragraph is nowhere. */
  gone: readonly WeighedEdit[];
}

/** The writer's own wording, where there is but one edit. */
export interface OwnWording {
  markdown: string;
}

/** What makes the prose of these edits the chapter's: mentions stay where the text does, and what is new is new. */
export function requestOf({ ground, prose }: WeighedChapter): MarkdownRequest {
  const ids = leafIds(prose.blocks).map(String);
  const made = new Set(ids.filter((id) => !ground.texts.has(id)));
  return { kind: "markdown", prose, mentions: "keep", made };
}

/** What these edits of a proposal come to. */
export function weighProposal(
  manuscript: Manuscript,
  grounds: Grounds,
  proposal: ProposalRow,
  edits: readonly PlacedEdit[],
): WeighedProposal {
  const groups = byChapter(manuscript, proposal, edits);
  const gone = (groups.get(undefined) ?? []).map((edit) => stale(edit, "gone"));
  const chapters = [...groups].flatMap(([id, own]) =>
    id === undefined ? [] : [weighIn(grounds, proposal, id, { edits: own })],
  );
  return { chapters, gone };
}

/** The same without the prose that they make; what was proposed for a chapter as it is was proved then. */
export function judgeProposal(
  manuscript: Manuscript,
  grounds: Grounds,
  proposal: ProposalRow,
  edits: readonly PlacedEdit[],
): WeighedEdit[] {
  return [...byChapter(manuscript, proposal, edits)].flatMap(([id, own]) => {
    if (id === undefined) return own.map((edit) => stale(edit, "gone"));
    const ground = grounds.now(id);
    const weighed = weighAll(grounds, proposal, ground, own);
    const { chapter } = ground;
    const isProved = chapter.id === proposal.chapterId && chapter.revision === proposal.revision;
    return isProved ? weighed : writable(ground, weighed).weighed;
  });
}

/**
 * What edits of a proposal come to in the chapter where their paragraphs stand. Throws `BadRequest` for a wording of the
 * writer's that cannot stand there.
 */
export function weighIn(
  grounds: Grounds,
  proposal: ProposalRow,
  chapterId: ChapterId,
  { edits, own }: { edits: readonly PlacedEdit[]; own?: OwnWording | undefined },
): WeighedChapter {
  const ground = grounds.now(chapterId);
  if (own === undefined) return { ground, ...writable(ground, weighAll(grounds, proposal, ground, edits)) };
  const weighed = edits.map((edit) => asWorded(edit, ground, own.markdown));
  return { ground, weighed, prose: withEdits(ground, weighed) };
}

/** What edits of a chapter at a revision come to on this ground. */
export function weighAll(
  grounds: Grounds,
  { id, chapterId, revision, createdAt, edits: all }: Omit<ProposalRow, "bookId" | "author" | "reason">,
  ground: Ground,
  edits: readonly PlacedEdit[],
): WeighedEdit[] {
  const diff = diffAmong(proposedCharacters(all));
  return edits.map((edit) => {
    if (edit.op !== "insert_after") return weigh(edit, ground, diff);
    const accepted = grounds.acceptedBehind(chapterId, edit.blockId);
    return weighInsertion(edit, ground, {
      base: grounds.orderAt(chapterId, revision),
      sooner: accepted.filter((one) => isSooner(one, { id, createdAt, index: edit.index })),
      later: accepted.filter((one) => !isSooner(one, { id, createdAt, index: edit.index })),
    });
  });
}

function stale(edit: PlacedEdit, why: StaleReason, now: SpeltLeaf | undefined = undefined): WeighedEdit {
  return { edit, why, now: now?.markdown ?? "", next: edit.markdown };
}

/** The edits with what Markdown cannot say taken for stale, and the prose that the others make. */
function writable(
  ground: Ground,
  weighed: readonly WeighedEdit[],
): { weighed: readonly WeighedEdit[]; prose: NewProse } {
  const good = weighed.filter(({ why }) => why === undefined);
  const all = attempt(ground, good);
  if (all !== undefined) return { weighed, prose: all };
  // One at a time: each has to stand with those before it.
  const done: WeighedEdit[] = [];
  let made: NewProse = ground.prose;
  for (const one of good) {
    const next = attempt(ground, [...done, one]);
    if (next === undefined) continue;
    done.push(one);
    made = next;
  }
  const judged = weighed.map((one) =>
    one.why === undefined && !done.includes(one) ? { ...one, why: "unwritable" as const } : one,
  );
  return { weighed: judged, prose: made };
}

function attempt(ground: Ground, weighed: readonly WeighedEdit[]): NewProse | undefined {
  try {
    return withEdits(ground, weighed);
  } catch (error) {
    if (error instanceof BadRequest) return undefined;
    throw error;
  }
}

/** A ground's prose with these edits done. Throws `BadRequest` where Markdown cannot say it. */
export function withEdits({ prose, mint }: Ground, weighed: readonly WeighedEdit[]): NewProse {
  const edits = weighed.map(({ edit, next, behind }) => ({
    ...edit,
    blockId: behind ?? edit.blockId,
    markdown: next,
  }));
  return applyEdits(prose, edits, mint);
}

function asWorded(edit: PlacedEdit, { texts }: Ground, markdown: string): WeighedEdit {
  const stands = edit.blockId === null ? undefined : texts.get(edit.blockId);
  const now = edit.op === "insert_after" ? "" : (stands?.markdown ?? "");
  return { edit, why: undefined, now, next: markdown };
}

type Proposed = Pick<AcceptedInsertion, "createdAt" | "id" | "index">;

/** Whether an insertion was proposed before another: earlier, or further up in the same proposal. */
function isSooner(one: Proposed, other: Proposed): boolean {
  if (one.id === other.id) return one.index < other.index;
  return one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id);
}

function weigh(edit: PlacedEdit, ground: Ground, diff: DiffWords): WeighedEdit {
  const stands = ground.texts.get(String(edit.blockId));
  if (stands === undefined) return stale(edit, "gone");
  const { year = "" } = stands;
  // A year is compared only where the proposal was made with it.
  const now =
    splitYear(edit.before, year).year === undefined ? stands.markdown.slice(year.length) : stands.markdown;
  if (edit.op === "delete")
    return now === edit.before ? { edit, why: undefined, now, next: null } : stale(edit, "changed", stands);
  const sides = { base: edit.before, ours: edit.markdown ?? "", theirs: now };
  const next = mergeParagraph(sides, stands, { definitions: ground.definitions, diff });
  return next === undefined ? stale(edit, "changed", stands) : { edit, why: undefined, now, next };
}

/** The paragraph with both sides' edits; undefined if they meet, or if it does not read as the words of both come to. */
function mergeParagraph(
  { base, ours, theirs }: { base: string; ours: string; theirs: string },
  { leaf: { node }, year }: SpeltLeaf,
  { definitions, diff }: { definitions: string; diff: DiffWords },
): string | undefined {
  if (theirs === base || theirs === ours) return ours;
  const merged = mergeWords({ base, ours, theirs }, diff);
  if (merged === undefined) return undefined;
  try {
    const textOf = (markdown: string) => {
      const { year: own = "", rest } = splitYear(markdown, year);
      return own + leafText(readLeaf(rest, node, definitions).node);
    };
    const words = mergeWords({ base: textOf(base), ours: textOf(ours), theirs: textOf(theirs) }, diff);
    return words !== undefined && textOf(merged) === words ? merged : undefined;
  } catch (error) {
    if (error instanceof BadRequest) return undefined;
    throw error;
  }
}

/** What an insertion's place was, and what was put there by those that were accepted. */
interface InsertionBase {
  /** The chapter's leaves when it was proposed; undefined if that is not known. */
  base: LeafOrder | undefined;
  /** Accepted insertions behind the same paragraph that were proposed before this one. */
  sooner: readonly AcceptedInsertion[];
  later: readonly AcceptedInsertion[];
}

/**
 * An insertion applies unless something else was put behind its paragraph, or the paragraph may end elsewhere. Insertions
 * behind one paragraph stand in the order in which they were proposed, whichever is accepted first.
 */
function weighInsertion(
  edit: PlacedEdit,
  ground: Ground,
  { base, sooner, later }: InsertionBase,
): WeighedEdit {
  const { texts, order } = ground;
  const at = placeOf(edit, ground);
  if (at === undefined) return stale(edit, "gone");
  const was = edit.blockId === null ? at : (base?.places.get(edit.blockId) ?? -1);
  if (base === undefined || (edit.blockId !== null && was === -1)) return stale(edit, "crowded");
  const next = placeAmong({ sooner, later }, ground, {
    from: at + 1,
    isNew: (id) => id !== undefined && !base.places.has(id),
  });
  if (next === undefined) return stale(edit, "crowded");
  // Joined to what came next, the paragraph ends where that did.
  const former = base.ids[was + 1];
  const isSame = edit.blockId === null || texts.get(edit.blockId)?.markdown === edit.before;
  if (!isSame && former !== undefined && !texts.has(former)) return stale(edit, "changed");
  const behind = next === at + 1 ? undefined : order.ids[next - 1];
  return { edit, why: undefined, now: "", next: edit.markdown, behind };
}

/**
 * The place of an insertion among the new leaves from a place on: behind those that were proposed sooner. Undefined where
 * something else was put there. One that was accepted in other words is taken for the first leaf that is of no other.
 */
function placeAmong(
  { sooner, later }: Pick<InsertionBase, "sooner" | "later">,
  { texts, order: { ids } }: Ground,
  { from, isNew }: { from: number; isNew: (id: string | undefined) => boolean },
): number | undefined {
  let to = from;
  while (isNew(ids[to])) to++;
  const leaves = ids.slice(from, to).map((id) => texts.get(id));
  const isReworded = (one: AcceptedInsertion) => !leaves.some((leaf) => isOf([one], leaf));
  let reworded = sooner.filter(isReworded).length;
  const end = leaves.findIndex((leaf) => isOf(later, leaf) || (!isOf(sooner, leaf) && reworded-- <= 0));
  if (end === -1) return to;
  return isOf(later, leaves[end]) || later.some(isReworded) ? from + end : undefined;
}

/** Whether a paragraph is of what was inserted. */
function isOf(insertions: readonly AcceptedInsertion[], leaf: SpeltLeaf | undefined): boolean {
  return insertions.some(({ markdown }) => leaf !== undefined && markdown.includes(leaf.markdown));
}

/** The place of the leaf behind which an insertion comes to stand, -1 for none; undefined if the one it names is gone. */
function placeOf(
  { blockId: after, markdown }: PlacedEdit,
  { order, holders, prose: { blocks }, definitions }: Ground,
): number | undefined {
  if (after === null) return blocks[0]?.node.attrs?.kind === "front_matter" ? 0 : -1;
  const holder = holders.get(after);
  const before = holder && leafBefore(holder, { after, markdown: markdown ?? "" }, definitions);
  return order.places.get(before ?? after);
}
