import { longestIncreasing } from "../../text/increasing-run.ts";
import { ranksBetween } from "./rank.ts";

/** One place of an ordered list; `rank` is undefined for what is new there. */
export interface Place {
  rank?: string | undefined;
}

/**
 * A rank for each place of a list in its new order. Most keep the rank they have: only those outside the longest run
 * that is already in order get new ones, so moving one paragraph rewrites one row. O(n log n).
 */
export function placeRanks(list: readonly Place[]): string[] {
  const fixed = longestIncreasing(
    list.map(({ rank }) => rank ?? ""),
    "",
  );
  const ranks: string[] = new Array(list.length);
  let start = 0;
  let after: string | undefined;
  for (const index of [...fixed, list.length]) {
    const before = index < list.length ? list[index]!.rank! : undefined; // fixed places have a rank
    ranksBetween(after, before, index - start).forEach((rank, offset) => {
      ranks[start + offset] = rank;
    });
    if (before !== undefined) ranks[index] = before;
    after = before;
    start = index + 1;
  }
  return ranks;
}
