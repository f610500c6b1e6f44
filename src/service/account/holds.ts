import type { CallId } from "../../ids.ts";
import type { Store } from "../../store/file/store.ts";
import { closeHold, listOpenHolds, type OpenHold, type Worker } from "../../store/rows/ledger.ts";

// A hold outlives its call's own deadline by this much, so that nobody refunds it while it is charged.
const GRACE_MS = 60_000;

/** This process, and how long a call that it begins now may hold its price: `workMs` and a minute. */
export function workerUntil(now: number, workMs: number): Worker & { until: number } {
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
  return pid === own.pid ? started !== own.started : !isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0); // signal 0 ends nothing
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // another user's: it runs
  }
}
