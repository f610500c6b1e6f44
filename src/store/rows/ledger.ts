import type { CallId, ChapterId } from "../../ids.ts";
import type { Store } from "../file/store.ts";

/** An amount drawn: positive ones leave the account, negative ones return to it. */
export interface Drawn {
  /** The calendar month whose allowance is drawn from, `YYYY-MM`. */
  month: string;
  fromAllowance: number;
  fromCredits: number;
}

/** One AI call, as the ledger records it. */
export interface MeteredCall {
  id: CallId;
  operation: string;
  chapterId: ChapterId;
  words: number;
  engine: string;
}

/** The process that works on a call, so that others can tell whether it still may. */
export interface Worker {
  machine: string;
  pid: number;
  /** When it began, in milliseconds since 1970: a process id is used again, these two together are not. */
  started: number;
}

/** A hold that is neither charged nor refunded; `until` in milliseconds since 1970. */
export interface OpenHold extends Worker {
  call: CallId;
  until: number;
}

/** Credits left, and how much of a month's (`YYYY-MM`) allowance is used; open holds count as drawn. */
export function readBalance(store: Store, month: string): { credits: number; used: number } {
  return store.get<{ credits: number; used: number }>(
    `SELECT -coalesce(sum(from_credits), 0) AS credits, coalesce(sum(iif(month = ?, from_allowance, 0)), 0) AS used FROM ledger`,
    month,
  )!; // an aggregate always returns a row
}

/** Adds credits (`grant`), or takes them away if the number is negative (`expire`). */
export function grantCredits(store: Store, at: number, month: string, credits: number): void {
  const kind = credits < 0 ? "expire" : "grant";
  enter(store, { at, kind, call: null, drawn: { month, fromAllowance: 0, fromCredits: -credits } });
}

/** Draws a call's price before the work. Runs inside the transaction that found it to be there. */
export function enterHold(
  store: Store,
  {
    at,
    call,
    drawn,
    worker,
  }: { at: number; call: MeteredCall; drawn: Drawn; worker: Omit<OpenHold, "call"> },
): void {
  enter(store, { at, kind: "hold", call: call.id, drawn, about: call });
  store.run(
    "INSERT INTO holds(call, until, machine, pid, started) VALUES(:call, :until, :machine, :pid, :started)",
    { ...worker, call: call.id },
  );
}

/** Holds that nobody has charged or refunded; mostly none. */
export function listOpenHolds(store: Store): OpenHold[] {
  return store.all<OpenHold>("SELECT call, until, machine, pid, started FROM holds ORDER BY call");
}

/** Ends a call's hold: `settle` charges the price, `refund` pays it back. Returns false if it was ended before. */
export function closeHold(store: Store, at: number, call: CallId, kind: "settle" | "refund"): boolean {
  return store.setAside(() => {
    if (store.run("DELETE FROM holds WHERE call = ?", call) === 0) return false;
    const hold = store.get<Drawn>(
      "SELECT month, from_allowance AS fromAllowance, from_credits AS fromCredits FROM ledger WHERE call = ? AND kind = 'hold'",
      call,
    )!; // each row of `holds` has its entry
    const back = kind === "settle" ? { fromAllowance: 0, fromCredits: 0 } : hold;
    const drawn = { ...hold, fromAllowance: 0 - back.fromAllowance, fromCredits: 0 - back.fromCredits };
    enter(store, { at, kind, call, drawn });
    return true;
  });
}

interface Entry {
  at: number;
  kind: "grant" | "expire" | "hold" | "settle" | "refund";
  call: CallId | null;
  drawn: Drawn;
  about?: MeteredCall;
}

function enter(store: Store, { drawn, about, ...entry }: Entry): void {
  const call = about ?? { operation: null, chapterId: null, words: null, engine: null };
  store.setAside(() =>
    store.run(
      `INSERT INTO ledger(at, kind, call, month, from_allowance, from_credits, operation, chapter_id, words, engine)
       VALUES(:at, :kind, :call, :month, :fromAllowance, :fromCredits, :operation, :chapterId, :words, :engine)`,
      { ...call, ...drawn, ...entry },
    ),
  );
}

/** A call with what it cost, or credits that were given or taken, as the ledger has it. */
export interface LedgerRow extends Omit<Drawn, "month"> {
  number: number;
  at: number;
  kind: "call" | "grant" | "expiry";
  operation: string | null;
  chapterId: ChapterId | null;
  chapterTitle: string | null;
  words: number | null;
  engine: string | null;
  state: "open" | "charged" | "refunded" | null;
}

const TOLD = "kind IN ('hold', 'grant', 'expire')";

/** Calls and grants before a number, newest first, each call once. */
export function listLedger(store: Store, { before, limit }: { before: number; limit: number }): LedgerRow[] {
  return store.all<LedgerRow>(
    `SELECT l.seq AS number, l.at, CASE l.kind WHEN 'hold' THEN 'call' WHEN 'grant' THEN 'grant' ELSE 'expiry' END AS kind,
       l.operation, l.chapter_id AS chapterId, c.title AS chapterTitle, l.words, l.engine, l.from_allowance AS fromAllowance,
       l.from_credits AS fromCredits, iif(l.kind = 'hold', coalesce((SELECT iif(e.kind = 'settle', 'charged', 'refunded') FROM ledger e
         WHERE e.call = l.call AND e.kind IN ('settle', 'refund') LIMIT 1), 'open'), NULL) AS state
     FROM ledger l LEFT JOIN chapters c ON c.id = l.chapter_id WHERE l.${TOLD} AND l.seq < :before ORDER BY l.seq DESC LIMIT :limit`,
    { before, limit },
  );
}

/** How many calls and grants there are. */
export function countLedger(store: Store): number {
  return store.list<number>(`SELECT count(*) FROM ledger WHERE ${TOLD}`)[0] ?? 0;
}
