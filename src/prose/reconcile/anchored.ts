import { collapseSpace } from "../../text/fold.ts";
import type { Pairing, ParagraphText } from "./pairs.ts";

/**
 * Gives the id of equal old paragraphs to the anchored one if their surroundings do not decide: of two neighbouring
 * "Yes.", one of which was removed, the one with notes stays. Changes `from`. O(n).
 */
export function preferAnchored(
  old: readonly ParagraphText[],
  next: readonly ParagraphText[],
  { from, into }: Pairing,
): void {
  if (!old.some((paragraph) => paragraph.anchored)) return;
  const to = new Int32Array(old.length).fill(-1);
  for (const [at, oldAt] of from.entries()) if (oldAt >= 0) to[oldAt] = at;
  for (const step of [1, -1]) {
    let kept = -1; // the nearest paragraph behind that has its id
    for (let at = step === 1 ? 0 : old.length - 1; at >= 0 && at < old.length; at += step) {
      const isLost = to[at] === -1 && into[at] === -1;
      if (isLost && old[at]?.anchored === true && kept >= 0 && mayTakeOver(at, kept)) takeOver(at, kept);
      if (to[at] !== -1) kept = at;
    }
  }

  function mayTakeOver(at: number, kept: number): boolean {
    const newAt = to[kept]!; // a kept one has its successor
    const [lost, rival, successor] = [old[at], old[kept], next[newAt]];
    if (lost === undefined || rival === undefined || successor === undefined || rival.anchored) return false;
    if (!areEqual(lost, rival) || !areEqual(lost, successor)) return false;
    return countNeighbours(at, newAt) >= countNeighbours(kept, newAt);
  }

  function takeOver(at: number, kept: number): void {
    const newAt = to[kept]!; // as above
    to[at] = newAt;
    to[kept] = -1;
    from[newAt] = at;
  }

  function countNeighbours(oldAt: number, newAt: number): number {
    const before = oldAt === 0 ? -1 : to[oldAt - 1];
    const after = oldAt === old.length - 1 ? next.length : to[oldAt + 1];
    return Number(before === newAt - 1 && before !== undefined) + Number(after === newAt + 1);
  }
}

function areEqual(one: ParagraphText, other: ParagraphText): boolean {
  return one.type === other.type && collapseSpace(one.text) === collapseSpace(other.text);
}
