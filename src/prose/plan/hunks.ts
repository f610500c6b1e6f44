import { longestIncreasing } from "../../text/increasing-run.ts";
import type { Unit } from "./units.ts";

/** Stretches of two lists that replace each other; `to` is exclusive. */
export interface Hunk {
  old: { from: number; to: number };
  next: { from: number; to: number };
}

/**
 * Finds the differences of two texts, ascending and apart. Words that occur once in both, in the same order, are
 * anchors; between them, everything except equal ends differs. O(n log n).
 */
export function findHunks(old: readonly Unit[], next: readonly Unit[]): Hunk[] {
  const whole = trim(old, next, { old: { from: 0, to: old.length }, next: { from: 0, to: next.length } });
  if (isEmpty(whole)) return [];
  const hunks: Hunk[] = [];
  let { from: oldAt } = whole.old;
  let { from: nextAt } = whole.next;
  const put = (oldTo: number, nextTo: number) => {
    const hunk = trim(old, next, { old: { from: oldAt, to: oldTo }, next: { from: nextAt, to: nextTo } });
    if (!isEmpty(hunk)) hunks.push(hunk);
  };
  for (const { at, length, nextFrom } of anchors(old, next, whole)) {
    put(at, nextFrom);
    oldAt = at + length;
    nextAt = nextFrom + length;
  }
  put(whole.old.to, whole.next.to);
  return hunks;
}

function isEmpty({ old, next }: Hunk): boolean {
  return old.from === old.to && next.from === next.to;
}

/** Trims a hunk by equal ends. Never cuts a surrogate pair. */
function trim(old: readonly Unit[], next: readonly Unit[], hunk: Hunk): Hunk {
  let { from: oldFrom, to: oldTo } = hunk.old;
  let { from: nextFrom, to: nextTo } = hunk.next;
  const isSame = (a: number, b: number) => old[a]!.key === next[b]!.key; // within the lists
  while (oldFrom < oldTo && nextFrom < nextTo && isSame(oldFrom, nextFrom))
    [oldFrom, nextFrom] = [oldFrom + 1, nextFrom + 1];
  if (oldFrom > hunk.old.from && isHigh(old[oldFrom - 1])) [oldFrom, nextFrom] = [oldFrom - 1, nextFrom - 1];
  while (oldFrom < oldTo && nextFrom < nextTo && isSame(oldTo - 1, nextTo - 1))
    [oldTo, nextTo] = [oldTo - 1, nextTo - 1];
  if (oldTo < hunk.old.to && isLow(old[oldTo])) [oldTo, nextTo] = [oldTo + 1, nextTo + 1];
  return { old: { from: oldFrom, to: oldTo }, next: { from: nextFrom, to: nextTo } };
}

function isHigh(unit: Unit | undefined): boolean {
  return /^[\ud800-\udbff]$/.test(unit?.text ?? "");
}

function isLow(unit: Unit | undefined): boolean {
  return /^[\udc00-\udfff]$/.test(unit?.text ?? "");
}

/** A word that both sides have once: its place, and its length in units. */
interface Anchor {
  at: number;
  nextFrom: number;
  length: number;
}

function anchors(old: readonly Unit[], next: readonly Unit[], { old: one, next: other }: Hunk): Anchor[] {
  const words = wordsOnce(next, other);
  const shared = [...wordsOnce(old, one)].flatMap(([key, { at, length }]) => {
    const twin = words.get(key);
    return twin === undefined || at < 0 || twin.at < 0 ? [] : [{ at, length, nextFrom: twin.at }];
  });
  const places = Int32Array.from(shared, ({ nextFrom }) => nextFrom);
  return longestIncreasing(places, -1).map((index) => shared[index]!); // indexes of shared
}

/** Maps each word to its place; -1 for one that occurs again. */
function wordsOnce(
  units: readonly Unit[],
  { from, to }: Hunk["old"],
): Map<string, { at: number; length: number }> {
  const words = new Map<string, { at: number; length: number }>();
  for (let at = from; at < to; ) {
    let end = at + 1;
    while (end < to && !isBlank(units[at]) && !isBlank(units[end])) end++;
    const key = units
      .slice(at, end)
      .map((unit) => unit.key)
      .join("");
    if (!isBlank(units[at])) words.set(key, { at: words.has(key) ? -1 : at, length: end - at });
    at = end;
  }
  return words;
}

function isBlank(unit: Unit | undefined): boolean {
  return unit?.text !== undefined && /\s/.test(unit.text);
}
