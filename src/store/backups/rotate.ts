import { rmSync } from "node:fs";
import { type Copy, listCopies } from "./listed.ts";

const HOUR_MS = 3_600_000;
/** How many hours keep their last copy, and how many days, counted from the newest back. */
const HOURS = 24;
const DAYS = 30;

/**
 * Of copies that were made by themselves, those that rotation lets go: kept is the last of each of the 24 newest hours in
 * which one was made, and of each of the 30 newest days, in UTC. Never the newest of all.
 */
export function chooseExpired(copies: readonly Copy[]): Copy[] {
  const scheduled = copies.filter(({ kind }) => kind === "scheduled").sort((a, b) => b.at - a.at);
  const kept = new Set([...lastOf(scheduled, HOUR_MS, HOURS), ...lastOf(scheduled, 24 * HOUR_MS, DAYS)]);
  return scheduled.filter((copy) => !kept.has(copy));
}

function lastOf(copies: readonly Copy[], spanMs: number, most: number): Copy[] {
  const bySpan = new Map<number, Copy>();
  for (const copy of copies) {
    const span = Math.floor(copy.at / spanMs);
    if (!bySpan.has(span)) bySpan.set(span, copy); // the newest comes first
  }
  return [...bySpan.values()].slice(0, most);
}

/**
 * Removes the copies of a manuscript in a folder that have had their time. Only called when a newer one was made and
 * verified: the last good copy never goes.
 */
export function rotate(path: string, folder: string): void {
  for (const { path: copy } of chooseExpired(listCopies(path, folder))) rmSync(copy, { force: true });
}
