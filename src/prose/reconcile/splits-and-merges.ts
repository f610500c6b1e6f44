import type { Pairs } from "./pairs.ts";
import { containment, isAtAnEnd, Signature } from "./similarity.ts";

/** Share of a part that must be found in the whole: a word may have changed at the seam. */
const MOSTLY = 0.7;

/** Letters below which a part is recognized only at an end of the whole. */
const TELLING_LENGTH = 12;

/** Distance over which paragraphs can be merged into one. */
const REACH = 8;

/**
 * Leaves the id of a split paragraph with the longer half, in characters; with the first if both are as long.
 * Likeness, which compares letters alone, may have chosen the other. O(paragraphs + text of the split ones).
 */
export function decideSplits(pairs: Pairs): void {
  const { from, next } = pairs;
  for (let at = 0; at < from.length; at++) {
    if (from[at] !== -1) continue;
    const half = [at - 1, at + 1].find((neighbour) => isHalfOf(pairs, neighbour, at));
    if (half === undefined || !isLonger(next.paragraphs, at, half)) continue;
    const oldAt = from[half]!; // a half continues an old one
    from[half] = -1;
    pairs.link(oldAt, at);
  }
}

/**
 * Returns, for each free old paragraph, the new one that absorbed its text along with a neighbour's, or -1. If the
 * neighbour is the shorter of the two, its id is the one that goes. O(paragraphs + text of the merged ones).
 */
export function decideMerges(pairs: Pairs): Int32Array {
  const { to, old } = pairs;
  const into = new Int32Array(to.length).fill(-1);
  for (let at = 0; at < to.length; at++) {
    if (to[at] !== -1) continue;
    const neighbour = nearestLinked(to, at).find((near) => isJoined(pairs, at, near));
    if (neighbour === undefined) continue;
    const newAt = to[neighbour]!; // a neighbour has its successor
    if (!isLonger(old.paragraphs, at, neighbour) || !isJoined(pairs, neighbour, at, newAt)) {
      into[at] = newAt;
      continue;
    }
    into[neighbour] = newAt;
    to[neighbour] = -1;
    pairs.link(at, newAt);
  }
  return into;
}

/**
 * Returns, for each old paragraph without a successor, the new one that absorbed its text along with a neighbour's,
 * or -1. The neighbour's successor is fixed because it brought its id; `to` is the successor of each old one. O(text
 * of the lost ones and of their neighbours).
 */
export function findAbsorbed(
  old: readonly { text: string }[],
  next: readonly { text: string }[],
  to: Int32Array,
): Int32Array {
  return to.map((successor, at) => {
    if (successor !== -1) return -1;
    const neighbour = nearestLinked(to, at).find((near) => {
      const whole = new Signature(next[to[near] ?? -1]?.text ?? "");
      const rest = new Signature(old[near]?.text ?? "");
      return whole.folded !== rest.folded && isPart(new Signature(old[at]!.text), whole, rest); // at < old.length
    });
    return neighbour === undefined ? -1 : to[neighbour]!; // one that has a successor
  });
}

/** True if the new paragraph next to a free one continues an old one that held the text of both. */
function isHalfOf(pairs: Pairs, neighbour: number, freeAt: number): boolean {
  const oldAt = pairs.from[neighbour] ?? -1;
  if (oldAt < 0 || pairs.areEqual("folded", oldAt, neighbour)) return false;
  const whole = pairs.old.signature(oldAt);
  const free = pairs.next.signature(freeAt);
  const half = pairs.next.signature(neighbour);
  return isPart(free, whole, half) && isPart(half, whole, free);
}

/**
 * True if the new paragraph holds the old text along with its neighbour's. By default it is the neighbour's
 * successor.
 */
function isJoined(
  pairs: Pairs,
  oldAt: number,
  neighbour: number,
  newAt = pairs.to[neighbour] ?? -1,
): boolean {
  if (newAt < 0 || pairs.areEqual("folded", neighbour, newAt)) return false;
  return isPart(pairs.old.signature(oldAt), pairs.next.signature(newAt), pairs.old.signature(neighbour));
}

/** Returns the nearest linked paragraphs before and behind, if they are in reach. */
function nearestLinked(to: Int32Array, at: number): number[] {
  return [-1, 1].map((step) => {
    let near = at + step;
    while (to[near] === -1 && Math.abs(near - at) < REACH) near += step;
    return near;
  });
}

function isLonger(paragraphs: readonly { text: string }[], at: number, other: number): boolean {
  const difference = (paragraphs[at]?.text.length ?? 0) - (paragraphs[other]?.text.length ?? 0);
  return difference === 0 ? at < other : difference > 0;
}

/** True if the part is at an end of the whole, or mostly within the text that the rest does not account for. */
function isPart(part: Signature, whole: Signature, rest: Signature): boolean {
  if (isAtAnEnd(part, whole)) return !isAtAnEnd(part, rest);
  return part.folded.length >= TELLING_LENGTH && containment(part, whole, rest) >= MOSTLY;
}
