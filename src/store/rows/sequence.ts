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
  const fixed = longestIncreasing(list.map(({ rank }) => rank));
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

/** Indexes of a longest strictly increasing run, those without a rank left out. */
function longestIncreasing(ranks: readonly (string | undefined)[]): number[] {
  const tails: number[] = [];
  const previous = new Int32Array(ranks.length).fill(-1);
  ranks.forEach((rank, index) => {
    if (rank === undefined) return;
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ranks[tails[middle]!]! < rank)
        low = middle + 1; // middle < tails.length, and tails hold ranked indexes
      else high = middle;
    }
    if (low > 0) previous[index] = tails[low - 1]!; // low ≤ tails.length
    tails[low] = index;
  });
  const run: number[] = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = previous[index]!) run.push(index); // index < ranks.length
  return run.reverse();
}
