import type { Pairs } from "./pairs.ts";

/** What stands free between two pairs of the backbone on either side, in order. */
export interface Gap {
  olds: number[];
  news: number[];
}

/**
 * The gaps that are not empty, in order: free paragraphs that have words. Their fences are the
 * backbone, the longest run of pairs that kept their order, so that what moved is no fence. O(n log n).
 */
export function findGaps(pairs: Pairs): Gap[] {
  const isFreeOld = (at: number): boolean => pairs.to[at] === -1 && pairs.old.reading(at).folded !== "";
  const isFreeNew = (at: number): boolean => pairs.from[at] === -1 && pairs.next.reading(at).folded !== "";
  const gaps: Gap[] = [];
  let oldStart = 0;
  let newStart = 0;
  for (const fence of [...findBackbone(pairs.from), pairs.from.length]) {
    const oldEnd = pairs.from[fence] ?? pairs.to.length;
    const gap = {
      olds: range(oldStart, oldEnd).filter(isFreeOld),
      news: range(newStart, fence).filter(isFreeNew),
    };
    if (gap.olds.length + gap.news.length > 0) gaps.push(gap);
    oldStart = oldEnd + 1;
    newStart = fence + 1;
  }
  return gaps;
}

/** Index of the first of an ascending list that is not below the value; its length when all are. O(log n). */
export function lowerBound(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The new indices of the pairs that kept their order, as many as can be: what is not among them has moved. O(n log n).
 * Source: Fredman 1975.
 */
export function findBackbone(from: Int32Array): number[] {
  const lowest: number[] = []; // at k the lowest old index that a run of k + 1 ends with,
  const ends: number[] = []; // and the new index where it does
  const before = new Int32Array(from.length);
  for (let at = 0; at < from.length; at++) {
    const oldAt = from[at]!;
    if (oldAt === -1) continue;
    const length = lowerBound(lowest, oldAt);
    before[at] = ends[length - 1] ?? -1;
    lowest[length] = oldAt;
    ends[length] = at;
  }
  const backbone: number[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) backbone.push(at);
  return backbone.reverse();
}

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, step) => start + step);
}
