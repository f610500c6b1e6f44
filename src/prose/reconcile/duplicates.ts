import { collapseSpace } from "../../text/fold.ts";
import { lowerBound } from "../../text/increasing-run.ts";
import { type EqualGroup, findSteady, groupEqual, growPairs } from "./exact.ts";
import type { KeyKind, Pairing, Pairs, ParagraphText } from "./pairs.ts";

/** Distance from its expected place at which one of several equal texts still counts as the same. */
const NEAR = 1;

/** Folded texts shorter than this ("Yes.", "No, sir") are typed anew rather than moved. */
const BRIEF_LENGTH = 8;

/** An old and a new paragraph of equal text, and the distance from the expected place. */
interface Match {
  oldAt: number;
  newAt: number;
  distance: number;
}

/** Expected places of each new paragraph among the old ones: counted from the pair before, and from the next. */
interface Places {
  onward: Int32Array;
  backward: Int32Array;
}

/**
 * Links free paragraphs whose text occurs several times: neighbours of steady pairs, then those next to where the
 * surrounding pairs lead one to expect them, then neighbours of pairs that moved, and at last the rest in order, if
 * equally many are left on both sides. O(n log n).
 */
export function pairDuplicates(pairs: Pairs, kind: KeyKind): void {
  const steady = findSteady(pairs);
  growPairs(pairs, kind, steady);
  const places = expectPlaces(pairs, steady);
  for (const group of groupEqual(pairs, kind)) pairNear(pairs, group, places);
  growPairs(pairs, kind);
  for (const group of groupEqual(pairs, kind)) pairMoved(pairs, group);
}

/** Single paragraphs that moved say nothing about their new neighbours. */
function expectPlaces({ from, to }: Pairs, steady: Uint8Array): Places {
  const onward = new Int32Array(from.length);
  const backward = new Int32Array(from.length);
  for (let at = 0, place = -1; at < from.length; at++) {
    if (steady[at] === 1)
      place = from[at]!; // at < length
    else if (from[at] === -1) place++;
    onward[at] = place;
  }
  for (let at = from.length - 1, place = to.length; at >= 0; at--) {
    if (steady[at] === 1)
      place = from[at]!; // as above
    else if (from[at] === -1) place--;
    backward[at] = place;
  }
  return { onward, backward };
}

/** Chooses the nearest first, then links the chosen ones in order: equal texts need not cross. */
function pairNear(pairs: Pairs, group: EqualGroup, places: Places): void {
  const olds = new Set<number>();
  const news = new Set<number>();
  for (const { oldAt, newAt } of rankNear(pairs, group, places)) {
    if (olds.has(oldAt) || news.has(newAt)) continue;
    olds.add(oldAt);
    news.add(newAt);
  }
  linkInOrder(pairs, [...olds].sort(ascending), [...news].sort(ascending));
}

function rankNear(pairs: Pairs, { olds, news }: EqualGroup, { onward, backward }: Places): Match[] {
  const matches: Match[] = [];
  for (const newAt of news) {
    const places = new Set([onward[newAt]!, backward[newAt]!]); // one of either for each new paragraph
    for (const place of places) {
      const first = lowerBound(olds, place - NEAR);
      for (let at = first; at < olds.length; at++) {
        const oldAt = olds[at]!; // at < length
        if (oldAt > place + NEAR) break;
        matches.push({ oldAt, newAt, distance: Math.abs(oldAt - place) });
      }
    }
  }
  const rank = ({ oldAt, distance }: Match): number => distance - (pairs.old.isAnchored(oldAt) ? 0.5 : 0);
  return matches.sort((a, b) => rank(a) - rank(b) || a.newAt - b.newAt || a.oldAt - b.oldAt);
}

function pairMoved(pairs: Pairs, group: EqualGroup): void {
  const olds = group.olds.filter((at) => pairs.to[at] === -1);
  const news = group.news.filter((at) => pairs.from[at] === -1);
  const { length } = pairs.old.signature(group.olds[0]!).folded; // a group has at least one on each side
  const isBrief = length > 0 && length < BRIEF_LENGTH;
  if (olds.length === news.length && !isBrief) linkInOrder(pairs, olds, news);
}

function linkInOrder(pairs: Pairs, olds: readonly number[], news: readonly number[]): void {
  for (const [at, oldAt] of olds.entries()) pairs.link(oldAt, news[at]!); // callers give as many of either
}

function ascending(a: number, b: number): number {
  return a - b;
}

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
