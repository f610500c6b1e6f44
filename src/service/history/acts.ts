import type { AnswerOf, InputOf } from "../../contract/index.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { ActId } from "../../ids.ts";
import { NotFound } from "../../refusals.ts";
import * as stored from "../../store/journal/acts.ts";
import { findAct, undoAct as putBack } from "../../store/journal/undo.ts";
import { type Caller, type Manuscript, write } from "../manuscript.ts";
import { toTime } from "../present.ts";
import { deriveStoredBlock } from "../prose/derive-block.ts";
import { assertAnchors, mendProse } from "./after-undo.ts";

/** The change feed: after an act the next ones, else the newest; always newest last. */
export function listActs(
  { store }: Manuscript,
  { after, limit = LIMITS.actsDefault }: InputOf<"listActs">["query"],
): AnswerOf<"listActs"> {
  const most = Math.min(limit, LIMITS.actsMaximum);
  return store.snapshot(() => {
    const seq = after === undefined ? 0 : findAct(store, after).seq;
    const rows =
      after === undefined ? stored.listNewestActs(store, most) : stored.listActsAfter(store, seq, most);
    const acts = rows.map(({ seq: _, ...act }) => ({ ...act, at: toTime(act.at) }));
    return { acts, total: stored.countActsAfter(store, seq) };
  });
}

/** Puts back everything that an act changed. Throws `Conflict` with what has changed since. */
export function undoAct(manuscript: Manuscript, id: ActId, caller: Caller): AnswerOf<"undoAct"> {
  const { store } = manuscript;
  const { seq } = findAct(store, id);
  return write(manuscript, "undoAct", { ...caller, source: "undo", undoes: seq }, (act) => {
    putBack(store, seq, act, deriveStoredBlock);
    mendProse(store, act);
    assertAnchors(store, act.seq);
    return () => ({ undone: id, chapters: stored.listTouchedChapters(store, act.seq) });
  });
}

/** One act, as the list of them has it. Throws `NotFound`. */
export function readAct({ store }: Manuscript, id: ActId): AnswerOf<"listActs">["acts"][number] {
  const { seq: _, ...act } = stored.readAct(store, findAct(store, id).seq);
  return { ...act, at: toTime(act.at) };
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
