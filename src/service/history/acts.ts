import type { AnswerOf, InputOf } from "../../contract/index.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { ActId, ChapterId } from "../../ids.ts";
import { Conflict, NotFound } from "../../refusals.ts";
import * as stored from "../../store/journal/acts.ts";
import { findAct, undoAct as putBack } from "../../store/journal/undo.ts";
import { findChapter } from "../../store/rows/chapters.ts";
import { type Caller, type Manuscript, write } from "../manuscript.ts";
import { toTime } from "../present.ts";
import { deriveStoredBlock } from "../prose/derive-block.ts";
import { assertAnchors, mendProse } from "./after-undo.ts";

/** The change feed: after an act the next ones, else the newest, or those before another; always newest last. */
export function listActs(
  manuscript: Manuscript,
  { after, before, limit = LIMITS.actsDefault }: InputOf<"listActs">["query"],
): AnswerOf<"listActs"> {
  const { store } = manuscript;
  return store.snapshot(() => {
    const range = { after, before, limit: Math.min(limit, LIMITS.actsMaximum) };
    const acts = rowsIn(manuscript, range).map(({ keyName: _, ...act }) => act);
    const [from, to] = [after, before].map((id) => (id === undefined ? undefined : findAct(store, id).seq));
    return { acts, total: stored.countActsAfter(store, from ?? 0, to) };
  });
}

/** An act with the name of the key that requested it. */
export type HistoryAct = AnswerOf<"listActs">["acts"][number] & { keyName: string | null };

/** Part of the history: at most `limit` acts after one, else before one, else the newest. */
export interface HistoryRange {
  after?: ActId | undefined;
  before?: ActId | undefined;
  limit: number;
}

/** Acts of the history, newest first, and what all that they touched is called. */
export function listHistory(
  manuscript: Manuscript,
  range: HistoryRange,
): { acts: HistoryAct[]; names: Map<string, string> } {
  const { store } = manuscript;
  return store.snapshot(() => {
    const acts = rowsIn(manuscript, range).reverse();
    return { acts, names: namesOf(manuscript, acts) };
  });
}

/** What the books, parts, chapters and facts that acts touched are called, deleted ones too. */
export function namesOf({ store }: Manuscript, acts: readonly Pick<HistoryAct, "touched">[]) {
  const ids = acts.flatMap(({ touched: { books, parts, chapters, facts } }) => [
    ...books,
    ...parts,
    ...chapters,
    ...facts,
  ]);
  return stored.listNames(store, [...new Set(ids)]);
}

function rowsIn({ store }: Manuscript, { after, before, limit }: HistoryRange): HistoryAct[] {
  const to = before === undefined ? undefined : findAct(store, before).seq;
  const rows =
    after === undefined
      ? stored.listNewestActs(store, limit, to)
      : stored.listActsAfter(store, findAct(store, after).seq, limit, to);
  return rows.map(({ seq: _, ...act }) => ({ ...act, at: toTime(act.at) }));
}

/** Puts back everything that an act changed. Throws `Conflict` with what has changed since. */
export function undoAct(manuscript: Manuscript, id: ActId, caller: Caller): AnswerOf<"undoAct"> {
  const { store } = manuscript;
  const { seq } = findAct(store, id);
  return write(manuscript, "undoAct", { ...caller, source: "undo", undoes: seq }, (act) => {
    putBack(store, seq, act, deriveStoredBlock);
    mendProse(store, act);
    assertAnchors(store, act);
    return () => ({ undone: id, chapters: stored.listTouchedChapters(store, act.seq) });
  });
}

/** Where a range of acts begins: with an act, or at a moment, in milliseconds since 1970. */
export type Since = { act: ActId } | { at: number };

/** Several undos in one transaction. */
export interface UndoneSince {
  /** The undos, in the order in which they were done; none after a dry run. */
  acts: ActId[];
  /** The acts that they undid, newest first. */
  undone: ActId[];
  /** The chapters that they wrote, with their revisions now. */
  chapters: { id: ChapterId; revision: number }[];
}

/** The acts that undoing all since a moment, or an act and all after it, takes back: newest first. Throws `NotFound`. */
export function actsSince({ store }: Manuscript, since: Since): ActId[] {
  const seq = "act" in since ? findAct(store, since.act).seq : stored.findFirstSince(store, since.at);
  return seq === undefined ? [] : stored.listStanding(store, seq);
}

/**
 * Puts back everything that acts changed, newest first, all in one transaction. Throws `Conflict` and changes nothing,
 * also if they are no longer the acts that the caller knows of.
 */
export function undoSince(
  manuscript: Manuscript,
  since: Since,
  caller: Caller,
  known: readonly ActId[],
): UndoneSince {
  const { store } = manuscript;
  return store.together(() => {
    const undone = actsSince(manuscript, since);
    if (undone.join() !== known.join())
      throw new Conflict("Something else was written meanwhile. Nothing was taken back; look and try again.");
    const answers = undone.map((id) => undoAct(manuscript, id, caller));
    const last = new Map(answers.flatMap(({ chapters }) => chapters.map((chapter) => [chapter.id, chapter])));
    const left = [...last.values()].filter(({ id }) => findChapter(store, id) !== undefined);
    return { acts: answers.flatMap(({ act }) => act ?? []), undone, chapters: left };
  }, caller);
}

/** One act, as the history has it. Throws `NotFound`. */
export function readAct({ store }: Manuscript, id: ActId): HistoryAct {
  const { seq: _, ...act } = stored.readAct(store, findAct(store, id).seq);
  return { ...act, at: toTime(act.at) };
}

/** The undo that the file ends with, and what it undid; undefined if another act is the newest. */
export function lastUndo(manuscript: Manuscript): { id: ActId; undoes: ActId } | undefined {
  const [{ id, undoes } = { id: "", undoes: null }] = rowsIn(manuscript, { limit: 1 });
  return undoes === null ? undefined : { id, undoes };
}

/** The newest act that can still be undone. Throws `NotFound` in a file without any. */
export function lastAct({ store }: Manuscript): ActId {
  const id = stored.findLastUndoable(store);
  if (id === undefined) throw new NotFound("act: there is nothing to undo");
  return id;
}

/** Names the newest act: another number means that something has been written since, by whatever program. */
export function lastActSeq({ store }: Manuscript): number {
  return stored.lastActSeq(store);
}
