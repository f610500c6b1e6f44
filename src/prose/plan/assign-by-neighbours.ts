import { longestIncreasing } from "../../text/increasing-run.ts";
import { findAbsorbed } from "../reconcile/splits-and-merges.ts";
import type { Leaf } from "./assign-ids.ts";

/** Which old leaf each new one continues, by those that brought their ids; what is found is written into it. */
export interface Settled {
  /** Index of the old leaf, or -1. */
  from: number[];
  /** Old leaves that are continued. */
  taken: Set<number>;
  /** Whether a new leaf may still be paired. */
  isOpen: (newAt: number) => boolean;
}

/**
 * Pairs leaves without an id that say the same and stand right beside a pair that kept its order, and so on: a scene
 * break has nothing else to be known by. O(leaves log leaves).
 */
export function pairBeside(
  old: readonly Leaf[],
  next: readonly Leaf[],
  { from, taken, isOpen }: Settled,
): void {
  const steady = new Set(longestIncreasing(from, -1));
  const pair = (oldAt: number, newAt: number) => {
    const [before, after] = [old[oldAt], next[newAt]];
    if (before === undefined || after === undefined || taken.has(oldAt) || from[newAt] !== -1) return;
    if (!isOpen(newAt) || before.text !== after.text || before.node.type !== after.node.type) return;
    from[newAt] = oldAt;
    taken.add(oldAt);
    steady.add(newAt);
  };
  pair(0, 0);
  for (let at = 1; at < next.length; at++) if (steady.has(at - 1)) pair(from[at - 1]! + 1, at); // a steady one has its pair
  pair(old.length - 1, next.length - 1);
  for (let at = next.length - 2; at >= 0; at--) if (steady.has(at + 1)) pair(from[at + 1]! - 1, at); // as above
}

/** Finds the survivors of leaves that were joined to one that brought its id along. Changes `into`. */
export function absorbLost(
  old: readonly Leaf[],
  next: readonly Leaf[],
  { from, into }: { from: readonly number[]; into: number[] },
): void {
  const to = Int32Array.from(into);
  for (const [index, oldAt] of from.entries()) if (oldAt >= 0) to[oldAt] = index;
  for (const [at, newAt] of findAbsorbed(old, next, to).entries()) if (newAt >= 0) into[at] = newAt;
}
