import type { BlockId, ChapterId } from "../../../ids.ts";
import { definitionsOf } from "../../../prose/definitions.ts";
import { leafIds, nodeOf } from "../../../prose/document/leaves.ts";
import { holdersOf, type LeafHolder } from "../../../prose/insert-blocks.ts";
import type { StoredProse } from "../../../prose/plan.ts";
import { readLeafTexts, type SpeltLeaf } from "../../../prose/write.ts";
import { readRevision } from "../../../store/journal/history.ts";
import { chaptersOfLeaves, listBlocks } from "../../../store/rows/blocks.ts";
import { type ChapterRow, findChapter } from "../../../store/rows/chapters.ts";
import { assertChapter } from "../../../store/rows/integrity.ts";
import { listChapterProposals, type ProposalRow, type ProposedEdit } from "../../../store/rows/proposals.ts";
import { groupBy } from "../../../text/group-by.ts";
import { theChapter } from "../../guards.ts";
import type { Manuscript } from "../../manuscript.ts";
import { storedProse } from "../../prose/stored-prose.ts";

/** An edit of a proposal with its place in it. */
export interface PlacedEdit extends ProposedEdit {
  index: number;
}

/** A chapter's prose as it is now, read for the edits that are to go there. */
export interface Ground {
  chapter: ChapterRow;
  prose: StoredProse;
  definitions: string;
  /** Every leaf by its id, in order. */
  texts: ReadonlyMap<string, SpeltLeaf>;
  order: LeafOrder;
  /** Lists, quotes and footnotes by the ids of their leaves. */
  holders: ReadonlyMap<unknown, LeafHolder>;
  /** A new paragraph's id. */
  mint: () => string;
}

/** An insertion that was accepted, and when it was proposed: a proposal's by its moment and id, then by their places in it. */
export interface AcceptedInsertion extends Pick<ProposalRow, "createdAt" | "id"> {
  index: number;
  markdown: string;
}

/** The ids of a chapter's leaves, in order, and the place of each. */
export interface LeafOrder {
  ids: readonly string[];
  places: ReadonlyMap<string, number>;
}

/** Reads what proposals stand on, each chapter and revision once. */
export interface Grounds {
  now(chapterId: ChapterId): Ground;
  /** The insertions behind a paragraph, or at the chapter's start, that were accepted of this chapter's proposals. */
  acceptedBehind(chapterId: ChapterId, blockId: BlockId | null): readonly AcceptedInsertion[];
  /** The order of a chapter's leaves at a revision; undefined if there never was one. */
  orderAt(chapterId: ChapterId, revision: number): LeafOrder | undefined;
}

/** What proposals stand on at this moment. */
export function openGrounds(manuscript: Manuscript): Grounds {
  const { store } = manuscript;
  const grounds = new Map<ChapterId, Ground>();
  const accepted = new Map<ChapterId, ReadonlyMap<BlockId | null, AcceptedInsertion[]>>();
  const orders = new Map<string, LeafOrder | undefined>();
  return {
    now(chapterId) {
      const known = grounds.get(chapterId) ?? readGround(manuscript, chapterId);
      grounds.set(chapterId, known);
      return known;
    },
    acceptedBehind(chapterId, blockId) {
      const known = accepted.get(chapterId) ?? readAccepted(manuscript, chapterId);
      accepted.set(chapterId, known);
      return known.get(blockId) ?? [];
    },
    orderAt(chapterId, revision) {
      const key = `${chapterId} ${revision}`;
      if (!orders.has(key)) {
        const old = readRevision(store, chapterId, revision);
        const nodes = old?.blocks.map((block) => ({ node: nodeOf(block) }));
        orders.set(key, nodes && orderOf(leafIds(nodes).map(String)));
      }
      return orders.get(key);
    },
  };
}

function readAccepted({ store }: Manuscript, chapterId: ChapterId) {
  const all = listChapterProposals(store, chapterId).flatMap(({ id, createdAt, edits }) =>
    edits.flatMap(({ op, status, blockId, markdown }, index) =>
      op === "insert_after" && status === "accepted"
        ? [{ id, createdAt, index, blockId, markdown: markdown ?? "" }]
        : [],
    ),
  );
  return groupBy(all, ({ blockId }) => blockId);
}

/** The same for the answer of an act, which may read all but the history: what of that a proposal stands on is read before. */
export function groundsOf(
  manuscript: Manuscript,
  { chapterId, revision, edits }: Pick<ProposalRow, "chapterId" | "revision" | "edits">,
): Grounds {
  const grounds = openGrounds(manuscript);
  if (edits.some(({ op, status }) => op === "insert_after" && status === "open"))
    grounds.orderAt(chapterId, revision);
  return grounds;
}

function readGround(manuscript: Manuscript, chapterId: ChapterId): Ground {
  const chapter = theChapter(manuscript, chapterId);
  const prose = storedProse(chapter, listBlocks(manuscript.store, chapterId));
  const texts = textsOf(prose);
  return {
    chapter,
    prose,
    definitions: definitionsOf(prose),
    texts,
    order: orderOf([...texts.keys()]),
    holders: holdersOf(prose.blocks),
    mint: () => manuscript.store.mint("block"),
  };
}

function orderOf(ids: readonly string[]): LeafOrder {
  return { ids, places: new Map(ids.map((id, at) => [id, at])) };
}

/** How many characters the edits of a proposal have, of what they replace and of what they put there. */
export function proposedCharacters(edits: readonly Pick<ProposedEdit, "before" | "markdown">[]): number {
  return edits.reduce((sum, { before, markdown }) => sum + before.length + (markdown?.length ?? 0), 0);
}

/** The leaves of a prose by their ids. */
export function textsOf(prose: StoredProse): Map<string, SpeltLeaf> {
  return new Map(readLeafTexts(prose).map((text) => [String(text.leaf.blockId), text]));
}

/**
 * Edits by the chapter in which their paragraph stands now, wherever in the book that is; under `undefined` those whose
 * paragraph stands nowhere.
 */
export function byChapter(
  { store }: Manuscript,
  { bookId, chapterId }: Pick<ProposalRow, "bookId" | "chapterId">,
  edits: readonly PlacedEdit[],
): Map<ChapterId | undefined, PlacedEdit[]> {
  const named = edits.flatMap(({ blockId }) => (blockId === null ? [] : [blockId]));
  const places = chaptersOfLeaves(store, named);
  if (places.size < new Set(named).size) assertChapter(store, chapterId); // none of them is only lost
  const isOwn = (id: ChapterId) => findChapter(store, id)?.bookId === bookId;
  const ours = new Set([...new Set(places.values())].filter(isOwn));
  return groupBy(edits, ({ blockId }) => {
    if (blockId === null) return chapterId;
    const found = places.get(blockId);
    return found !== undefined && ours.has(found) ? found : undefined;
  });
}
