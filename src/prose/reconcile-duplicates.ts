import { type Group, groupEqual, growPairs } from "./reconcile-exact.ts";
import { lowerBound } from "./reconcile-gaps.ts";
import type { KeyKind, Pairs } from "./reconcile-pairs.ts";

/** How many paragraphs off its expected place one of several equal texts is still taken for the same. */
const NEAR = 2;

/** Folded texts shorter than this ("Yes.", "No, sir") are typed anew rather than moved. */
const BRIEF_LENGTH = 8;

/** An old and a new paragraph of equal text, and how many places the one is from where the other is expected. */
interface Match {
  oldAt: number;
  newAt: number;
  distance: number;
}

/** For each new paragraph where it would stand among the old: counted on from the pair before, back from the next. */
interface Places {
  onward: Int32Array;
  backward: Int32Array;
}

/**
 * Links what is still free of texts that occur several times: neighbours of linked ones, then those within two places
 * of where the pairs around them lead one to expect them, and at last, if as many are left on either side, the rest
 * as moved, in order. O(n log n).
 */
export function pairDuplicates(pairs: Pairs, kind: KeyKind): void {
  growPairs(pairs, kind);
  const groups = groupEqual(pairs, kind);
  if (groups.length === 0) return;
  const places = expectPlaces(pairs);
  for (const group of groups) {
    pairNear(pairs, group, places);
    pairMoved(pairs, group);
  }
}

function expectPlaces({ from, to }: Pairs): Places {
  const onward = new Int32Array(from.length);
  const backward = new Int32Array(from.length);
  for (let at = 0, place = -1; at < from.length; at++) {
    place = from[at]! >= 0 ? from[at]! : place + 1;
    onward[at] = place;
  }
  for (let at = from.length - 1, place = to.length; at >= 0; at--) {
    place = from[at]! >= 0 ? from[at]! : place - 1;
    backward[at] = place;
  }
  return { onward, backward };
}

/** Chooses the nearest first, then links what was chosen on either side in order: equal texts need not cross. */
function pairNear(pairs: Pairs, group: Group, places: Places): void {
  const olds = new Set<number>();
  const news = new Set<number>();
  for (const { oldAt, newAt } of rankNear(pairs, group, places)) {
    if (olds.has(oldAt) || news.has(newAt)) continue;
    olds.add(oldAt);
    news.add(newAt);
  }
  linkInOrder(pairs, [...olds].sort(ascending), [...news].sort(ascending));
}

function rankNear(pairs: Pairs, { olds, news }: Group, { onward, backward }: Places): Match[] {
  const matches: Match[] = [];
  for (const newAt of news) {
    for (const place of new Set([onward[newAt]!, backward[newAt]!])) {
      // both have one for each new paragraph
      const first = lowerBound(olds, place - NEAR);
      for (let at = first; at < olds.length && olds[at]! <= place + NEAR; at++) {
        matches.push({ oldAt: olds[at]!, newAt, distance: Math.abs(olds[at]! - place) });
      }
    }
  }
  const rank = ({ oldAt, distance }: Match): number => distance - (pairs.old.isAnchored(oldAt) ? 0.5 : 0);
  return matches.sort((a, b) => rank(a) - rank(b) || a.newAt - b.newAt || a.oldAt - b.oldAt);
}

function pairMoved(pairs: Pairs, group: Group): void {
  const olds = group.olds.filter((at) => pairs.to[at] === -1);
  const news = group.news.filter((at) => pairs.from[at] === -1);
  const { length } = pairs.old.reading(group.olds[0]!).folded; // a group has at least one on each side
  const isBrief = length > 0 && length < BRIEF_LENGTH;
  if (olds.length === news.length && !isBrief) linkInOrder(pairs, olds, news);
}

function linkInOrder(pairs: Pairs, olds: readonly number[], news: readonly number[]): void {
  for (const [at, oldAt] of olds.entries()) pairs.link(oldAt, news[at]!); // callers give as many of either
}

function ascending(a: number, b: number): number {
  return a - b;
}
