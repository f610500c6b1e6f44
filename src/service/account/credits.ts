import type { CallId } from "../../ids.ts";
import { InsufficientCredits } from "../../refusals.ts";
import type { Store } from "../../store/file/store.ts";
import { readPlan } from "../../store/rows/account.ts";
import {
  closeHold,
  enterHold,
  listOpenHolds,
  type MeteredCall,
  type OpenHold,
  readBalance,
} from "../../store/rows/ledger.ts";
import { isAlive } from "../../text/alive.ts";
import { isActive, localDay } from "../manuscript.ts";

const WORDS_A_CREDIT = 1000;

/** Credits for a chapter of this many words: 1 for 999 and for 1,000, 2 for 1,001. Source: llms.txt, Tiers and their cost. */
export function priceOf(words: number): number {
  return Math.max(1, Math.ceil(words / WORDS_A_CREDIT));
}

/** The same. Throws `InsufficientCredits` if less is left. */
export function priceWithin(store: Store, words: number): number {
  const cost = priceOf(words);
  const { available } = creditsLeft(store);
  if (available !== null && available < cost) throw new InsufficientCredits(cost, available);
  return cost;
}

/** The credits left, and those of the month's allowance; null is unlimited. The allowance counts only while the subscription is active. Open holds are drawn already. */
export function creditsLeft(store: Store): Record<"available" | "allowance", number | null> {
  const today = localDay(store.clock());
  const plan = readPlan(store);
  const { credits, used } = readBalance(store, today.slice(0, 7));
  if (!isActive(plan, today)) return { available: credits, allowance: 0 };
  if (plan.allowance === null) return { available: null, allowance: null };
  const allowance = Math.max(plan.allowance - used, 0);
  return { available: allowance + credits, allowance };
}

/**
 * Draws a call's price before its work, from the month's allowance first, then from credits: one transaction with the
 * reading of the balance, so that no two calls spend the same credit. Throws `InsufficientCredits`.
 */
export function hold(
  store: Store,
  call: Omit<MeteredCall, "id">,
  workMs: number,
): { id: CallId; cost: number } {
  return store.setAside(() => {
    refundAbandoned(store);
    const cost = priceWithin(store, call.words);
    const { allowance } = creditsLeft(store);
    const at = store.clock();
    const fromAllowance = allowance === null ? cost : Math.min(allowance, cost);
    const drawn = { month: localDay(at).slice(0, 7), fromAllowance, fromCredits: cost - fromAllowance };
    const id = store.mint("call");
    enterHold(store, { at, call: { ...call, id }, drawn, worker: workerUntil(at, workMs) });
    return { id, cost };
  });
}

// A hold outlives its call's own deadline by this much, so that nobody refunds it while it is charged.
const GRACE_MS = 60_000;

/** This process, and how long a call that it begins now may hold its price: `workMs` and a minute. */
function workerUntil(now: number, workMs: number): Omit<OpenHold, "call"> {
  const started = Math.round(performance.timeOrigin);
  // Loaded when first needed: every command opens a manuscript, few spend.
  const machine = process.getBuiltinModule("node:os").hostname();
  return { machine, pid: process.pid, started, until: now + workMs + GRACE_MS };
}

/** Charges the price. Returns false if it was refunded since, because the call's time was over: then it is free. */
export function chargeHold(store: Store, call: CallId): boolean {
  return closeHold(store, store.clock(), call, "settle");
}

/** Refunds the price. Returns false if it was ended before. */
export function refund(store: Store, call: CallId): boolean {
  return closeHold(store, store.clock(), call, "refund");
}

/**
 * Refunds the holds of calls that nobody works on any more: their process has ended, or their time is over. Calls of
 * another living process keep theirs.
 */
export function refundAbandoned(store: Store): void {
  for (const open of listOpenHolds(store)) if (isAbandoned(open, store.clock())) refund(store, open.call);
}

/** Returns true if nobody works on the call any more. A hold of another machine, over a shared folder, can only be told by its time. */
export function isAbandoned({ until, machine, pid, started }: OpenHold, now: number): boolean {
  const own = workerUntil(now, 0);
  if (now > until) return true;
  if (machine !== own.machine) return false;
  return pid === own.pid ? started !== own.started : !isAlive(pid);
}
