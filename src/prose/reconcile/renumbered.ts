import { foldText } from "../../text/fold.ts";
import { longestIncreasing, lowerBound } from "../../text/increasing-run.ts";
import { findSteady } from "./exact.ts";
import type { Gap, Pairs, ParagraphList } from "./pairs.ts";

/**
 * Corrects matches by equal text where numbers were changed. Lines that differ only in their numbers, with no
 * unchanged paragraph between them and all numbers higher or all lower now, continue the ones in their places, even
 * if "3 pence" is now where "2 pence" was. If lines also came or went, a line continues the only one that it can be,
 * unless its text belongs to another: then it is new. A label, such as "III" or "Chapter 3", goes with its section:
 * labels behind an inserted section are numbered anew. O(text of short paragraphs).
 */
export function pairRenumbered(pairs: Pairs): void {
  pairRisen(pairs);
  pairLabels(pairs);
}

function pairRisen(pairs: Pairs): void {
  const [olds, news] = readLines(pairs);
  for (const gap of findLines(pairs, olds, news)) {
    const risen = alignRisen(gap, olds, news);
    if (risen === undefined) continue;
    const isEven = gap.olds.length === gap.news.length && gap.olds.length > 1;
    const isAgreed = ([oldAt, newAt]: Risen) => pairs.from[newAt] === oldAt || pairs.areFree(oldAt, newAt);
    const sure = isEven ? risen : risen.filter(isAgreed);
    for (const oldAt of gap.olds) unlink(pairs, oldAt, pairs.to[oldAt]!); // they are in range
    for (const newAt of gap.news) unlink(pairs, pairs.from[newAt]!, newAt);
    for (const [oldAt, newAt] of sure) pairs.link(oldAt, newAt);
  }
}

/** Paragraphs with numbers, by index. */
type Lines = ReadonlyMap<number, Numbered>;

/** Returns the old and the new lines of each template in which a line changed. */
function readLines(pairs: Pairs): [Lines, Lines] {
  const { old, next, from, to } = pairs;
  const isChanged = (oldAt: number, newAt: number) =>
    oldAt === -1 || newAt === -1 || !pairs.areEqual("exact", oldAt, newAt);
  const gone = linesIn(old, (at) => isChanged(at, to[at]!)); // at is in range, here and below
  const come = linesIn(next, (at) => isChanged(from[at]!, at));
  const left = new Set([...gone.values()].map(({ template }) => template));
  const changed = new Set([...come.values()].map(({ template }) => template).filter((one) => left.has(one)));
  const read = (list: ParagraphList): Lines =>
    changed.size === 0
      ? new Map()
      : new Map([...linesIn(list)].filter(([, { template }]) => changed.has(template)));
  return [read(old), read(next)];
}

function linesIn(list: ParagraphList, isAsked: (at: number) => boolean = () => true): Lines {
  const lines = new Map<number, Numbered>();
  for (const at of list.paragraphs.keys()) {
    const read = isAsked(at) ? readNumbers(list.signature(at).folded) : undefined;
    if (read !== undefined) lines.set(at, read);
  }
  return lines;
}

/** Returns the lines of one template between paragraphs that kept their order, unless lines only came or went. */
function findLines(pairs: Pairs, olds: Lines, news: Lines): Gap[] {
  const { from } = pairs;
  const others = from.map((oldAt, at) => (olds.has(oldAt) || news.has(at) ? -1 : oldAt));
  const fences = longestIncreasing(others, -1);
  const oldFences = fences.map((at) => others[at]!); // a fence is in range
  const found = new Map<string, Gap>();
  const gapOf = (fence: number, template: string): Gap => {
    const key = `${fence} ${template}`;
    const gap = found.get(key) ?? { olds: [], news: [] };
    found.set(key, gap);
    return gap;
  };
  for (const [at, { template }] of olds) gapOf(lowerBound(oldFences, at), template).olds.push(at);
  for (const [at, { template }] of news) gapOf(lowerBound(fences, at), template).news.push(at);
  const isAsItWas = (at: number) => from[at] !== -1 && pairs.areEqual("exact", from[at]!, at); // as above
  return [...found.values()].filter(
    (gap) => gap.news.filter(isAsItWas).length < Math.min(gap.olds.length, gap.news.length),
  );
}

/** An old line, and the new one that continues it. */
type Risen = [oldAt: number, newAt: number];

/**
 * Aligns lines in which some number rose and none fell, or the reverse in every one, and nothing else changed;
 * undefined if that is impossible. Lines that one of their numbers identifies, such as an item's, are matched by it.
 */
function alignRisen({ olds, news }: Gap, old: Lines, next: Lines): Risen[] | undefined {
  const [before, after] = [olds.map((at) => old.get(at)!), news.map((at) => next.get(at)!)]; // they are lines
  const alignBy = (sense: number, slot?: number): Risen[] | undefined => {
    const canBe = (oldAt: number, newAt: number) => {
      const [was, is] = [before[oldAt]!.numbers, after[newAt]!.numbers]; // in range
      const changes = is.map((number, at) => Math.sign(number - was[at]!)); // as many: one template
      return (
        changes.includes(sense) && !changes.includes(-sense) && (slot === undefined || changes[slot] === 0)
      );
    };
    const places =
      olds.length < news.length
        ? align(olds.length, news.length, canBe)
        : align(news.length, olds.length, (newAt, oldAt) => canBe(oldAt, newAt))?.map(
            ([one, other]) => [other, one] as const,
          );
    return places?.map(([oldAt, newAt]) => [olds[oldAt]!, news[newAt]!]); // as above
  };
  const slots = before[0]?.numbers.map((_, slot) => slot) ?? [];
  const known =
    olds.length + news.length > 2 ? slots.flatMap((slot) => [alignBy(1, slot), alignBy(-1, slot)]) : [];
  const [found] = known.filter((one) => one !== undefined);
  if (found !== undefined) return found;
  const [risen, fallen] = [alignBy(1), alignBy(-1)];
  if (risen === undefined || fallen === undefined) return risen ?? fallen;
  return risen.filter(([oldAt, newAt]) => fallen.some((one) => one[0] === oldAt && one[1] === newAt));
}

/**
 * Pairs the few with some of the many in order, if there is only one way to pair them; undefined if there is none.
 */
function align(
  few: number,
  many: number,
  canBe: (one: number, other: number) => boolean,
): (readonly [number, number])[] | undefined {
  const first: number[] = [];
  for (let other = 0; other < many && first.length < few; other++)
    if (canBe(first.length, other)) first.push(other);
  if (first.length < few) return undefined;
  const last: number[] = [];
  for (let other = many - 1; other >= 0 && last.length < few; other--)
    if (canBe(few - 1 - last.length, other)) last.push(other);
  return first.flatMap((other, one) => (last[few - 1 - one] === other ? [[one, other] as const] : []));
}

/** Labels of one template, in document order. */
interface Series {
  olds: number[];
  news: number[];
}

/** Handles the series in which a label came or went. In others none was renumbered. */
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
 * Gives each new label the id of the old one over the same section: the first unchanged paragraph below both is the
 * same. The end of the text counts as unchanged. O(labels · log paragraphs).
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
      if (template !== undefined && !isListed(list, at)) seriesOf(template)[side].push(at);
    }
  }
  return series;
}

/** True if a label that is no heading has another next to it: both are lines of a list. */
function isListed(list: ParagraphList, at: number): boolean {
  const isPlain = (place: number) =>
    list.paragraphs[place] !== undefined &&
    list.paragraphs[place]?.type !== "heading" &&
    labelAt(list, place) !== undefined;
  return isPlain(at) && (isPlain(at - 1) || isPlain(at + 1));
}

function keysOf(list: ParagraphList, labels: readonly number[]): string {
  const keys = labels.map((at) => list.key("folded", at));
  return keys.sort().join("\n");
}

function relink(pairs: Pairs, oldAt: number, newAt: number): void {
  const [formerOld, formerNew] = [pairs.from[newAt]!, pairs.to[oldAt]!]; // callers stay in range
  if (formerOld === oldAt) return;
  unlink(pairs, formerOld, newAt);
  unlink(pairs, oldAt, formerNew);
  pairs.link(oldAt, newAt);
}

/** Frees both, if they are a pair. */
function unlink({ from, to }: Pairs, oldAt: number, newAt: number): void {
  if (oldAt === -1 || newAt === -1) return;
  to[oldAt] = -1;
  from[newAt] = -1;
}

function labelAt(list: ParagraphList, at: number): string | undefined {
  return labelOf(list.paragraphs[at]!, () => list.signature(at).folded); // callers stay in range
}

/** A line without its numbers. Two lines of one template differ only in their numbers. */
export interface Numbered {
  template: string;
  /** Its numbers, in the order of the line. At least one. */
  numbers: readonly number[];
}

/** A longer text is prose: its numbers do not make it one of a series. */
const LONGEST_LINE = 160;

/** Letters of a label at most. */
const LONGEST_LABEL = 40;

/** A label has so many words at most: "chapter ii", "part the second". */
const MOST_LABEL_WORDS = 3;

const HAS_NUMBER = /\p{Nd}|\b[ivxlcdm]+\b|[〇零一二三四五六七八九十百千]/u;
const ROMAN = /^(?=.)m{0,3}(c[md]|d?c{0,3})(x[cl]|l?x{0,3})(i[xv]|v?i{0,3})$/;
const ROMAN_WORTH: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 };
const HAN_NUMBER = /[〇零一二三四五六七八九十百千]+/gu;
const HAN_DIGITS = "〇一二三四五六七八九";
const HAN_WORTH: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 };

/**
 * Reads digits, Roman numerals and Chinese numbers in a folded line; undefined if it has none or is long. O(length).
 */
function readNumbers(folded: string): Numbered | undefined {
  if (folded.length > LONGEST_LINE || !HAS_NUMBER.test(folded)) return undefined;
  const numbers: number[] = [];
  const mask = (number: number): string => {
    numbers.push(number);
    return "#";
  };
  const words = folded.split(" ").map((word) => {
    if (ROMAN.test(word)) return mask(fromRoman(word));
    return word
      .replace(/[0-9]+/g, (digits) => mask(Number(digits)))
      .replace(HAN_NUMBER, (han) => mask(fromHan(han)));
  });
  return numbers.length === 0 ? undefined : { template: words.join(" "), numbers };
}

/**
 * Returns a label without its number; undefined if the paragraph is no label. A label numbers a section and says
 * nothing of its content: it is a number alone, or with up to two words before it ("II", "Chapter 2", "第二章"), or a
 * heading with any last word ("Chapter Two", "Глава вторая"). `fold` is called for short texts only.
 */
function labelOf({ type, text }: { type: string; text: string }, fold: () => string): string | undefined {
  if (text.length > LONGEST_LABEL) return undefined;
  const words = fold().split(" ");
  if (words.length > MOST_LABEL_WORDS) return undefined;
  const template = readNumbers(words.at(-1) ?? "")?.template; // of at least one word
  if (template !== undefined && template.length <= 3) return [...words.slice(0, -1), template].join(" ");
  return type === "heading" && words.length > 1 ? [...words.slice(0, -1), "#"].join(" ") : undefined;
}

/** True if the paragraph is a label, see `labelOf`. */
export function isLabel(paragraph: { type: string; text: string }): boolean {
  return labelOf(paragraph, () => foldText(paragraph.text)) !== undefined;
}

function fromRoman(word: string): number {
  const worths = [...word].map((letter) => ROMAN_WORTH[letter] ?? 0);
  return worths.reduce((sum, worth, at) => sum + (worth < (worths[at + 1] ?? 0) ? -worth : worth), 0);
}

function fromHan(han: string): number {
  let sum = 0;
  let digit = 0;
  for (const letter of han.replaceAll("零", "〇")) {
    const worth = HAN_WORTH[letter];
    if (worth === undefined) digit = 10 * digit + HAN_DIGITS.indexOf(letter);
    else {
      sum += (digit || 1) * worth;
      digit = 0;
    }
  }
  return sum + digit;
}
