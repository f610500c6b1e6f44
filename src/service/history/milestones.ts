import type { AnswerOf } from "../../contract/index.ts";
import type { BookId, MilestoneId } from "../../ids.ts";
import { BadRequest } from "../../refusals.ts";
import { isEmptyAct } from "../../store/file/act.ts";
import type { Act } from "../../store/file/sql.ts";
import { lastActSeq } from "../../store/journal/acts.ts";
import { type BookSize, sizesAt } from "../../store/journal/sizes.ts";
import { findAct } from "../../store/journal/undo.ts";
import * as stored from "../../store/rows/milestones.ts";
import { bookTag } from "../entity-tags.ts";
import { assertSeen, found, theBook } from "../guards.ts";
import type { Manuscript, Removal, WriteOn } from "../manuscript.ts";
import { write } from "../manuscript.ts";
import { toDeletion, toTime } from "../present.ts";

/** A milestone as the contract shows it. */
export type Milestone = AnswerOf<"listMilestones">["milestones"][number];

/** A book's milestones, oldest first, each with how long the book was. Throws `NotFound`. */
export function listMilestones(manuscript: Manuscript, bookId: BookId): AnswerOf<"listMilestones"> {
  const { store } = manuscript;
  return store.snapshot(() => {
    theBook(manuscript, bookId);
    const rows = stored.listMilestones(store, bookId);
    const sizes = sizesAt(
      store,
      bookId,
      rows.map(({ act }) => act),
    );
    const milestones = rows.map((row, index) => toMilestone(row, sizes[index]!)); // one size a milestone
    return { milestones, total: milestones.length };
  });
}

/** Names the book as it is, or as it was after an act. Throws `NotFound`, and `BadRequest` for an act before the book was. */
export const createMilestone: WriteOn<"createMilestone", BookId> = (
  manuscript,
  bookId,
  { name, act: wanted },
  caller,
) =>
  write(manuscript, "createMilestone", caller, (act, store) => {
    theBook(manuscript, bookId);
    assertSeen(caller, "book", () => [bookTag(store, bookId)]);
    const seq = wanted === undefined ? lastActSeq(store, act.seq) : findAct(store, wanted).seq;
    const [size] = sizesAt(store, bookId, [seq]);
    if (size?.isThere !== true)
      throw new BadRequest(`The book was not there after ${wanted}. Name a later act.`).helpedBy({
        call: "listActs",
      });
    const id = store.mint("milestone");
    const warnings = warningsOf(manuscript, bookId, name);
    stored.insertMilestone(store, { id, bookId, name, act: seq, createdAt: act.at });
    return () => ({ id, milestone: toMilestone(theMilestone(manuscript, id), size), warnings });
  });

/** Names a book as it was before an act, within the act, unless the act has changed nothing. */
export function nameBefore({ store }: Manuscript, act: Act, bookId: BookId, name: string): void {
  if (isEmptyAct(store, act.seq)) return;
  const id = store.mint("milestone");
  stored.insertMilestone(store, { id, bookId, name, act: lastActSeq(store, act.seq), createdAt: act.at });
}

/** Gives a milestone another name. Throws `NotFound`. */
export const updateMilestone: WriteOn<"updateMilestone", MilestoneId> = (manuscript, id, { name }, caller) =>
  write(manuscript, "updateMilestone", caller, (_, store) => {
    const { bookId } = theMilestone(manuscript, id);
    assertSeen(caller, "book", () => [bookTag(store, bookId)]);
    const warnings = warningsOf(manuscript, bookId, name, id);
    stored.setMilestoneName(store, id, name);
    return () => ({ milestone: shown(manuscript, id), warnings });
  });

/** Takes the name off; the history keeps the state. Throws `NotFound`. */
export const deleteMilestone: Removal<"deleteMilestone", MilestoneId> = (manuscript, id, caller) =>
  write(manuscript, "deleteMilestone", caller, (_, store) => {
    const { bookId } = theMilestone(manuscript, id);
    assertSeen(caller, "book", () => [bookTag(store, bookId)]);
    stored.deleteMilestone(store, id);
    return () => toDeletion(id);
  });

function theMilestone({ store }: Manuscript, id: MilestoneId): stored.PlacedMilestone {
  return found(stored.findMilestone(store, id), "milestone");
}

function warningsOf({ store }: Manuscript, bookId: BookId, name: string, own?: MilestoneId): string[] {
  const isTaken = stored.listMilestones(store, bookId).some((one) => one.name === name && one.id !== own);
  return isTaken ? ["same_name"] : [];
}

function shown(manuscript: Manuscript, id: MilestoneId): Milestone {
  const row = theMilestone(manuscript, id);
  return toMilestone(row, sizesAt(manuscript.store, row.bookId, [row.act])[0]!); // one size a number
}

function toMilestone(
  { id, bookId, name, actId, at, createdAt }: stored.PlacedMilestone,
  { wordCount, chapterCount }: BookSize,
): Milestone {
  const times = { at: toTime(at), createdAt: toTime(createdAt) };
  return { id, bookId, name, act: actId, wordCount, chapterCount, ...times };
}
