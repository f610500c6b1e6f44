import { longestIncreasing } from "../../text/increasing-run.ts";
import type { Pairs } from "./pairs.ts";

/** Free paragraphs between two pairs of the backbone, in order. */
export interface Gap {
  olds: number[];
  news: number[];
}

/**
 * Finds the gaps that are not empty, in order: free paragraphs with words. They lie between pairs of the backbone,
 * the longest run of pairs that kept their order, so that moved paragraphs are no fences. O(n log n).
 */
export function findGaps(pairs: Pairs): Gap[] {
  const isFreeOld = (at: number): boolean => pairs.to[at] === -1 && pairs.old.signature(at).folded !== "";
  const isFreeNew = (at: number): boolean => pairs.from[at] === -1 && pairs.next.signature(at).folded !== "";
  const gaps: Gap[] = [];
  let oldStart = 0;
  let newStart = 0;
  for (const fence of [...longestIncreasing(pairs.from, -1), pairs.from.length]) {
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

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, step) => start + step);
}
