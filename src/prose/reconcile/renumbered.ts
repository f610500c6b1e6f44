import { lowerBound } from "../../text/increasing-run.ts";
import { findSteady } from "./exact.ts";
import { labelOf, type Numbered, readNumbers } from "./numbers.ts";
import type { Pairs, ParagraphList } from "./pairs.ts";

/** Paragraphs of one template that stand together, from `start` up to but not including `end`. */
interface Run {
  start: number;
  end: number;
}

/**
 * Puts right what equal text got wrong where numbers were changed. Of lines that stand together and differ in their
 * numbers only, as many as there were, all higher now or all lower, each continues the one in its place, though
 * "3 pence" is now what "2 pence" was. And a label, a bare "III" or "Chapter 3", goes with the section that it stands
 * over: the ones behind an inserted section are numbered anew. O(text of short paragraphs).
 */
export function pairRenumbered(pairs: Pairs): void {
  pairRisen(pairs);
  pairLabels(pairs);
}

function pairRisen(pairs: Pairs): void {
  const { from, to } = pairs;
  for (const { start, end } of findRuns(pairs)) {
    const before = start === 0 ? -1 : (from[start - 1] ?? -1);
    const oldStart = before + 1;
    const oldEnd = oldStart + end - start;
    if ((start > 0 && before === -1) || oldEnd > to.length) continue;
    if ((end === from.length ? to.length : from[end]) !== oldEnd) continue;
    const hasRisen = areAll(end - start, (at) => [
      numbersAt(pairs.old, oldStart + at),
      numbersAt(pairs.next, start + at),
    ]);
    if (hasRisen) for (let at = 0; at < end - start; at++) relink(pairs, oldStart + at, start + at);
  }
}

/** Runs of two lines or more of one template in which not every line is as it was. */
function findRuns(pairs: Pairs): Run[] {
  const { from, next } = pairs;
  const runs: Run[] = [];
  for (let at = 0, end = 0; at < from.length; at++) {
    const isNew = at >= end && (from[at] === -1 || !pairs.areEqual("exact", from[at]!, at)); // at < length
    const template = isNew ? numbersAt(next, at)?.template : undefined;
    if (template === undefined) continue;
    let start = at;
    while (start > end && numbersAt(next, start - 1)?.template === template) start--;
    for (end = at + 1; numbersAt(next, end)?.template === template; ) end++;
    if (end - start > 1) runs.push({ start, end });
  }
  return runs;
}

/** Whether in every line some number rose and none fell, or in every line the reverse, and nothing else changed. */
function areAll(
  count: number,
  lineAt: (at: number) => [Numbered | undefined, Numbered | undefined],
): boolean {
  let sense = 0;
  for (let at = 0; at < count; at++) {
    const [old, next] = lineAt(at);
    if (old === undefined || next === undefined || old.template !== next.template) return false;
    const changes = next.numbers.map((number, slot) => Math.sign(number - old.numbers[slot]!)); // as many: one template
    sense ||= changes.find((change) => change !== 0) ?? 0;
    if (!changes.includes(sense) || changes.includes(-sense)) return false;
  }
  return sense !== 0;
}

/** The labels of one template, in document order. */
interface Series {
  olds: number[];
  news: number[];
}

/** Goes through the series of which a label came in or went: else none was numbered anew. */
function pairLabels(pairs: Pairs): void {
  const series = findSeries(pairs);
  if (series.size === 0) return;
  const isLabel = new Uint8Array(pairs.from.length);
  for (const { news } of series.values()) for (const at of news) isLabel[at] = 1;
  const others = pairs.from.map((oldAt, at) => (isLabel[at] === 1 ? -1 : oldAt));
  const kept = [...findSteady({ from: others }).entries()].flatMap(([at, steady]) =>
    steady === 1 ? [at] : [],
  );
  for (const { olds, news } of series.values()) {
    if (keysOf(pairs.old, olds) !== keysOf(pairs.next, news)) pairSections(pairs, { olds, news }, kept);
  }
}

/**
 * Gives each new label the id of the old one that stood over the same section: what kept its place and comes first below
 * the one comes first below the other. The end of the text counts as kept. O(labels · log paragraphs).
 */
function pairSections(pairs: Pairs, { olds, news }: Series, kept: readonly number[]): void {
  const places = kept.map((at) => pairs.from[at]!).sort((a, b) => a - b); // kept ones are linked
  const oldOf = new Map<number, number>();
  for (const [at, label] of olds.entries()) {
    const first = places[lowerBound(places, label)] ?? pairs.to.length;
    if (first <= (olds[at + 1] ?? first)) oldOf.set(first, label);
  }
  for (const [at, label] of news.entries()) {
    const first = kept[lowerBound(kept, label)] ?? pairs.from.length;
    if (first > (news[at + 1] ?? first)) continue;
    const oldAt = oldOf.get(pairs.from[first] ?? pairs.to.length);
    if (oldAt !== undefined) relink(pairs, oldAt, label);
  }
}

function findSeries(pairs: Pairs): Map<string, Series> {
  const series = new Map<string, Series>();
  const seriesOf = (template: string): Series => {
    const found = series.get(template) ?? { olds: [], news: [] };
    series.set(template, found);
    return found;
  };
  for (const [list, length, side] of [
    [pairs.old, pairs.to.length, "olds"],
    [pairs.next, pairs.from.length, "news"],
  ] as const) {
    for (let at = 0; at < length; at++) {
      const template = labelAt(list, at);
      if (template !== undefined) seriesOf(template)[side].push(at);
    }
  }
  return series;
}

function keysOf(list: ParagraphList, labels: readonly number[]): string {
  const keys = labels.map((at) => list.key("folded", at));
  return keys.sort().join("\n");
}

function relink(pairs: Pairs, oldAt: number, newAt: number): void {
  const [formerOld, formerNew] = [pairs.from[newAt]!, pairs.to[oldAt]!]; // callers stay in range
  if (formerOld === oldAt) return;
  if (formerOld >= 0) pairs.to[formerOld] = -1;
  if (formerNew >= 0) pairs.from[formerNew] = -1;
  pairs.link(oldAt, newAt);
}

function numbersAt(list: ParagraphList, at: number): Numbered | undefined {
  return at < list.paragraphs.length ? readNumbers(list.signature(at).folded) : undefined;
}

function labelAt(list: ParagraphList, at: number): string | undefined {
  return labelOf(list.paragraphs[at]!, () => list.signature(at).folded); // callers stay in range
}
