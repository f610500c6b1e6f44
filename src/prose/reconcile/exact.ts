import { longestIncreasing } from "../../text/increasing-run.ts";
import type { KeyKind, Pairs, ParagraphText } from "./pairs.ts";

/** Free paragraphs that share one key, in document order, at least one on each side. */
export interface EqualGroup {
  olds: number[];
  news: number[];
}

/**
 * Counts the equal paragraphs, by type and text, before and after an edit. For one edit among 2,400 paragraphs this
 * leaves one on each side, and copies or hashes no text.
 */
export function countEqualEnds(
  old: readonly ParagraphText[],
  next: readonly ParagraphText[],
): { head: number; tail: number } {
  const isSame = (oldAt: number, newAt: number): boolean =>
    old[oldAt]!.text === next[newAt]!.text && old[oldAt]!.type === next[newAt]!.type; // in range: see `most`
  const most = Math.min(old.length, next.length);
  let head = 0;
  while (head < most && isSame(head, head)) head++;
  let tail = 0;
  while (tail < most - head && isSame(old.length - 1 - tail, next.length - 1 - tail)) tail++;
  return { head, tail };
}

/**
 * Links free paragraphs whose key occurs once among the free ones of either side, however far they moved, then
 * equal neighbours of linked ones. Source: Heckel 1978. O(paragraphs).
 */
export function pairUnique(pairs: Pairs, kind: KeyKind): void {
  for (const { olds, news } of groupEqual(pairs, kind)) {
    const [[oldAt, anotherOld], [newAt, anotherNew]] = [olds, news];
    if (oldAt === undefined || newAt === undefined) continue;
    if (anotherOld !== undefined || anotherNew !== undefined) continue;
    const wasAmbiguous = kind === "folded" && pairs.areEqual("exact", oldAt, newAt); // one of twins, left over
    if (!wasAmbiguous) pairs.link(oldAt, newAt);
  }
  growPairs(pairs, kind, findSteady(pairs));
}

/**
 * Links free paragraphs that are equal and next to a linked pair on both sides, and so on; the ends count as linked.
 * Starts from `steady` pairs only, see `findSteady`, or from all: a single paragraph that moved may stand before any
 * "Yes." now. O(paragraphs).
 */
export function growPairs(pairs: Pairs, kind: KeyKind, steady?: Uint8Array): void {
  const { from, to } = pairs;
  const grow = (oldAt: number, newAt: number): void => {
    if (!pairs.areFree(oldAt, newAt) || !pairs.areEqual(kind, oldAt, newAt)) return;
    pairs.link(oldAt, newAt);
    if (steady !== undefined) steady[newAt] = 1;
  };
  const growFrom = (newAt: number, step: 1 | -1): void => {
    const oldAt = from[newAt] ?? -1;
    if (oldAt >= 0 && steady?.[newAt] !== 0) grow(oldAt + step, newAt + step);
  };
  grow(0, 0);
  for (let at = 0; at < from.length - 1; at++) growFrom(at, 1);
  grow(to.length - 1, from.length - 1);
  for (let at = from.length - 1; at > 0; at--) growFrom(at, -1);
}

/**
 * Returns 1 for each new paragraph whose neighbours are evidence: it kept its order, or moved along with one of them.
 */
export function findSteady({ from }: Pick<Pairs, "from">): Uint8Array {
  const steady = new Uint8Array(from.length);
  for (const at of longestIncreasing(from, -1)) steady[at] = 1;
  for (let at = 1; at < from.length; at++) {
    const oldAt = from[at]!; // at < length
    if (oldAt > 0 && from[at - 1] === oldAt - 1) steady.fill(1, at - 1, at + 1);
  }
  return steady;
}

/** Groups the free paragraphs of both sides by key, in the order of the first old one. */
export function groupEqual(pairs: Pairs, kind: KeyKind): EqualGroup[] {
  const groups = new Map<string, EqualGroup>();
  for (let at = 0; at < pairs.to.length; at++) {
    const key = pairs.to[at] === -1 ? pairs.old.key(kind, at) : "";
    if (key === "") continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { olds: [at], news: [] });
    else group.olds.push(at);
  }
  for (let at = 0; at < pairs.from.length; at++) {
    const key = pairs.from[at] === -1 ? pairs.next.key(kind, at) : "";
    if (key !== "") groups.get(key)?.news.push(at);
  }
  return [...groups.values()].filter((group) => group.news.length > 0);
}
