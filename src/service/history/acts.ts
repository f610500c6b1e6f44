import type { AnswerOf, InputOf } from "../../contract/index.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { ActId } from "../../ids.ts";
import { NotFound } from "../../refusals.ts";
import type { Store } from "../../store/file/store.ts";
import * as stored from "../../store/journal/acts.ts";
import { listSittings, type SittingRange } from "../../store/journal/sittings.ts";
import { findAct } from "../../store/journal/undo.ts";
import type { Manuscript } from "../manuscript.ts";
import { toTime } from "../present.ts";

/** The change feed: after an act the next ones, else the newest, or those before another; always newest last. */
export function listActs(
  manuscript: Manuscript,
  { after, before, group, limit = LIMITS.actsDefault }: InputOf<"listActs">["query"],
): AnswerOf<"listActs"> {
  const { store } = manuscript;
  return store.snapshot(() => {
    const range = { after, before, limit: Math.min(limit, LIMITS.actsMaximum) };
    const [from, to] = [after, before].map((id) => (id === undefined ? undefined : findAct(store, id).seq));
    const acts =
      group === undefined
        ? rowsIn(manuscript, range)
        : sittingsIn(manuscript, { after: from, before: to, limit: range.limit });
    return { acts, total: stored.countActsAfter(store, from ?? 0, to) };
  });
}

/** The acts of a range in sittings, each told by its newest act. */
function sittingsIn(
  { store }: Manuscript,
  range: Pick<SittingRange, "after" | "before" | "limit">,
): AnswerOf<"listActs">["acts"] {
  const ends = { pauseMs: LIMITS.sittingPauseMinutes * 60_000, most: LIMITS.sittingActs };
  const sittings = listSittings(store, { ...range, ...ends });
  const newest = toHistoryActs(
    store,
    sittings.map(({ seq }) => stored.readAct(store, seq)),
  );
  return sittings.map(({ first, from, added, removed, acts }, at) => {
    const sitting = { first, from: toTime(from), count: acts.length, added, removed, acts };
    return { ...newest[at]!, sitting }; // one a sitting
  });
}

/** An act of the history. */
export type HistoryAct = AnswerOf<"listActs">["acts"][number];

function toHistoryActs(store: Store, rows: readonly stored.ActRow[]): HistoryAct[] {
  const idsOf = ({ touched: { proposals: _, ...named } }: stored.ActRow) => Object.values(named).flat();
  const names = stored.listNames(store, [...new Set(rows.flatMap(idsOf))]);
  return rows.map((row) => {
    const { seq: _, ...act } = row;
    const own = new Set<string>(idsOf(row));
    const called = [...names].filter(([id]) => own.has(id));
    return { ...act, at: toTime(act.at), names: Object.fromEntries(called) };
  });
}

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
  const acts = manuscript.store.snapshot(() => rowsIn(manuscript, range)).reverse();
  return { acts, names: namesOf(acts) };
}

/** What the records that acts touched are called, by id; deleted ones too. */
export function namesOf(acts: readonly Pick<HistoryAct, "names">[]): Map<string, string> {
  return new Map(acts.flatMap(({ names }) => Object.entries(names)));
}

function rowsIn({ store }: Manuscript, { after, before, limit }: HistoryRange): HistoryAct[] {
  const to = before === undefined ? undefined : findAct(store, before).seq;
  const rows =
    after === undefined
      ? stored.listNewestActs(store, limit, to)
      : stored.listActsAfter(store, findAct(store, after).seq, limit, to);
  return toHistoryActs(store, rows);
}

/** Acts in the order of the journal; `last` is the number of the last of them, or the one that they come after. */
export interface ActPage {
  acts: readonly HistoryAct[];
  last: number;
}

/** At most `limit` acts after the one of this number, oldest first. */
export function readActsAfter({ store }: Manuscript, after: number, limit: number): ActPage {
  return store.snapshot(() => {
    const rows = stored.listActsAfter(store, after, limit);
    return { acts: toHistoryActs(store, rows), last: rows.at(-1)?.seq ?? after };
  });
}

/** The one of these acts that was written first; undefined of none. Throws `NotFound`. */
export function firstActOf({ store }: Manuscript, ids: readonly ActId[]): ActId | undefined {
  const acts = ids.map((id) => ({ id, seq: findAct(store, id).seq }));
  return acts.sort((a, b) => a.seq - b.seq)[0]?.id;
}

/** One act, as the history has it. Throws `NotFound`. */
export function readAct({ store }: Manuscript, id: ActId): HistoryAct {
  return store.snapshot(() => toHistoryActs(store, [stored.readAct(store, findAct(store, id).seq)])[0]!); // one a row
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
