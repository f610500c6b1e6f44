import type { CallId } from "../../ids.ts";
import type { Store } from "../../store/file/store.ts";
import { closeHold, listOpenHolds, type OpenHold, type Worker } from "../../store/rows/ledger.ts";

// A hold outlives its call's own deadline by this much, so that nobody gives its price back while it settles.
const GRACE_MS = 60_000;

/** This process, and how long a call that it begins now may hold its price: `workMs` and a minute. */
export function workerUntil(now: number, workMs: number): Worker & { until: number } {
  const started = Math.round(performance.timeOrigin);
  // Loaded when first asked for: every command opens a manuscript, few spend.
  const machine = process.getBuiltinModule("node:os").hostname();
  return { machine, pid: process.pid, started, until: now + workMs + GRACE_MS };
}

/** Leaves the price drawn. False if it was given back meanwhile, for the call's time was over: then it is free. */
export function chargeHold(store: Store, call: CallId): boolean {
  return closeHold(store, store.clock(), call, "settle");
}

/** Gives the price back. False if that was done before. */
export function refund(store: Store, call: CallId): boolean {
  return closeHold(store, store.clock(), call, "refund");
}

/**
 * Gives back what is held for calls that nobody works on any more: their process is gone, or their time is over. What
 * another living process works on stays held.
 */
export function refundAbandoned(store: Store): void {
  for (const open of listOpenHolds(store)) if (isAbandoned(open, store.clock())) refund(store, open.call);
}

/** True if nobody works on the call any more. A hold of another machine, over a shared folder, can only be told by its time. */
export function isAbandoned({ until, machine, pid, started }: OpenHold, now: number): boolean {
  const own = workerUntil(now, 0);
  if (now > until) return true;
  if (machine !== own.machine) return false;
  return pid === own.pid ? started !== own.started : !isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0); // asks, and ends nothing
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // another user's: it runs
  }
}
