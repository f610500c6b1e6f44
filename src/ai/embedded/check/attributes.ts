import type { NamedSpan } from "../../../reading/cast-names.ts";
import { type Owner, personOf } from "../../../reading/owners.ts";
import type { ReadingFact } from "../../../reading/reading.ts";
import {
  agesIn,
  agesOf,
  type Feature,
  familiesOf,
  familiesTold,
  TRAIT_WORDS,
  traitsIn,
} from "../../../reading/traits.ts";
import { largest } from "../../../text/extremes.ts";
import { groupBy } from "../../../text/group-by.ts";
import {
  type Evidence,
  evidenceAt,
  type Found,
  type ProsePassage,
  type RelevantPassage,
  type Rule,
  type Shelf,
} from "./passages.ts";
import { CHANGES, hasReason, YEARS_PASS } from "./reasons.ts";

/** Something that the prose says of somebody, as it can be compared. */
interface Remark {
  owner: Owner<ProsePassage>;
  /** Trait that is compared: "eyes". */
  of: Feature | "age";
  passage: RelevantPassage;
  from: number;
  to: number;
  /** True if two remarks, or a remark and the cast, can both be so. */
  agrees(values: readonly string[]): boolean;
  values: readonly string[];
}

const ATTRIBUTES: Readonly<Record<Feature, RegExp>> = { eyes: /\beyes?\b/i, hair: /\bhair\b/i };

/**
 * Compares what the prose says of somebody's eyes, hair and age with the cast, and with the rest of the prose,
 * where the value that comes most often, else first, is taken for the right one.
 */
export const attributes: Rule = {
  reads: new RegExp(
    [TRAIT_WORDS.eyes, TRAIT_WORDS.hair, TRAIT_WORDS.age, CHANGES.eyes, CHANGES.hair, YEARS_PASS]
      .map(({ source }) => source)
      .join("|"),
  ),
  find: findContradictions,
};

function findContradictions(shelf: Shelf, passages: readonly RelevantPassage[]): Found[] {
  const changed = changesIn(shelf, passages);
  const remarks = remarksOf(shelf, passages).filter(
    ({ owner, of, passage, from, to }) =>
      !hasReason(passage, { from, to }, of) && !changed.has(`${owner.fact.id} ${of}`),
  );
  const years = passages.filter(({ text }) => YEARS_PASS.test(text));
  // A trait that holds from a chapter on is compared only with that chapter and later ones.
  const groups = groupBy(remarks, (remark) => `${remark.owner.fact.id} ${remark.of} ${eraOf(shelf, remark)}`);
  return [...groups.values()].flatMap((each) =>
    compare(each, { attribute: attributeOf(shelf, each[0]), years }),
  );
}

/** How near its change somebody is named, in characters. */
const BESIDE = 60;

/** People whose hair is dyed or who wear lenses somewhere in the book: a fact's id and the feature. */
function changesIn(shelf: Shelf, passages: readonly RelevantPassage[]): ReadonlySet<string> {
  const changed = (["eyes", "hair"] as const).flatMap((part) =>
    passages.flatMap((passage) => {
      const change = CHANGES[part].exec(passage.text);
      if (change === null) return [];
      const isBeside = ({ from, to }: NamedSpan) =>
        from - change.index < BESIDE && change.index - to < BESIDE;
      return shelf
        .named(passage)
        .filter(isBeside)
        .map((span) => `${personOf(span)?.id} ${part}`);
    }),
  );
  return new Set(changed);
}

function remarksOf(shelf: Shelf, passages: readonly RelevantPassage[]): Remark[] {
  return passages.flatMap((passage): Remark[] => [
    ...traitsIn(shelf, passage).map(({ part, families, ...trait }) => ({
      ...trait,
      passage,
      of: part,
      values: families,
      agrees: (values: readonly string[]) => values.some((value) => families.includes(value)),
    })),
    ...agesIn(shelf, passage).map(
      ({ years, tolerance, ...age }): Remark => ({
        ...age,
        passage,
        of: "age",
        values: tolerance === 1 ? [String(years)] : rangeOf(years, tolerance),
        agrees: (values: readonly string[]) =>
          values.some((value) => Math.abs(Number(value) - years) <= tolerance),
      }),
    ),
  ]);
}

/** Every age that "about forty" or "in her forties" may be. */
function rangeOf(years: number, tolerance: number): string[] {
  return Array.from({ length: 2 * tolerance + 1 }, (_, index) => String(years - tolerance + index));
}

function compare(
  remarks: readonly [Remark, ...Remark[]],
  { attribute, years }: { attribute: Attribute | undefined; years: readonly ProsePassage[] },
): Found[] {
  const [{ of }] = remarks;
  const values = attribute?.values ?? mostFrequent(remarks).values;
  const first = remarks.find((remark) => remark.agrees(values));
  let before: Remark | undefined;
  return remarks.flatMap((remark) => {
    if (remark.agrees(values)) before = remark;
    if (remark.agrees(values) || isOfThePast(remark, values)) return [];
    if (attribute !== undefined) return againstCast(remark, attribute.text, before);
    const other = before ?? first ?? remark;
    return of === "age" && isOlderInTime(remark, other, years) ? [] : againstProse(remark, other);
  });
}

/** True if years go by between two ages, the later the higher. */
function isOlderInTime(one: Remark, two: Remark, years: readonly ProsePassage[]): boolean {
  const [earlier, later] = isBefore(one.passage, two.passage) ? [one, two] : [two, one];
  if (Number(later.values[0]) < Number(earlier.values[0])) return false;
  return years.some((passage) => isBefore(earlier.passage, passage) && !isBefore(later.passage, passage));
}

function isBefore(one: ProsePassage, two: ProsePassage): boolean {
  return one.chapter < two.chapter || (one.chapter === two.chapter && one.block < two.block);
}

/** The remark that most others agree with; the first of several. */
function mostFrequent(remarks: readonly [Remark, ...Remark[]]): Remark {
  const different = new Map(remarks.toReversed().map((remark) => [remark.values.join(), remark]));
  const support = (one: Remark) => remarks.filter((remark) => remark.agrees(one.values)).length;
  const ranked = [...different.values()].map((remark) => ({ remark, support: support(remark) }));
  const place = (remark: Remark) => remarks.indexOf(remark);
  const [best] = ranked.sort((x, y) => y.support - x.support || place(x.remark) - place(y.remark));
  return best?.remark ?? remarks[0];
}

/** An attribute in the cast: its values, its wording, and the position of the chapter from which it holds. */
interface Attribute {
  values: readonly string[];
  text: string;
  from: number;
}

/** The place of the chapter from which on the cast says what holds at a remark; -1 if it says it of later chapters only. */
function eraOf(shelf: Shelf, { owner, of, passage }: Remark): number {
  const said = attributesOf(shelf, owner.fact, of);
  if (said.length === 0) return 0;
  return largest([-1, ...said.map(({ from }) => from).filter((from) => from <= passage.chapter)]);
}

/** Finds the attribute in the cast that a remark can be compared with; undefined if there is none. */
function attributeOf(shelf: Shelf, remark: Remark): Attribute | undefined {
  const { owner, of } = remark;
  const said = attributesOf(shelf, owner.fact, of);
  if (said.length > 0) return said.find(({ from }) => from === eraOf(shelf, remark));
  if (of === "age") return undefined;
  const undated = owner.fact.attributes.filter(({ fromChapterId }) => fromChapterId === undefined);
  for (const text of [...undated.map(({ value }) => value), owner.fact.summary]) {
    const values = familiesTold(of, text);
    if (values.length > 0) return { values, text, from: 0 };
  }
  return undefined;
}

/** Returns what a fact's attributes say of its eyes, hair or age. */
function attributesOf(shelf: Shelf, fact: ReadingFact, of: Feature | "age"): Attribute[] {
  return fact.attributes.flatMap(({ key, value, fromChapterId }): Attribute[] => {
    const values = valuesOf(of, key, value);
    const from = fromChapterId === undefined ? 0 : shelf.chapterIds.indexOf(fromChapterId);
    return values.length === 0 || from < 0 ? [] : [{ values, text: value, from }];
  });
}

function valuesOf(of: Feature | "age", key: string, value: string): string[] {
  if (of !== "age") return ATTRIBUTES[of].test(key) ? familiesOf(of, value) : [];
  return /^(?:age|age now|current age)$/i.test(key.trim()) ? agesOf(value).map(String) : [];
}

// A story looks back: somebody of 68 who is 15 in a chapter is no slip.
const LONG_AGO = 20;
const YOUNG = 30;
function isOfThePast({ of, values }: Remark, others: readonly string[]): boolean {
  const value = Number(values.at(-1));
  return of === "age" && value < YOUNG && others.every((other) => value < Number(other) - LONG_AGO);
}

function againstCast(remark: Remark, stated: string, agreeing: Remark | undefined): Found {
  const { owner, of } = remark;
  const other = quoteOf(agreeing ?? owner);
  return {
    ...contradiction(remark, [other, quoteOf(remark)]),
    message: `${owner.fact.name}’s ${of}: the cast says “${stated}”, here it is “${quoteOf(remark).text}”.`,
    suggestion: stated,
    claim: ["cast", of, stated, quoteOf(remark).text],
  };
}

function againstProse(remark: Remark, other: Remark): Found {
  const { owner, of } = remark;
  const [one, two] = [quoteOf(other), quoteOf(remark)];
  return {
    ...contradiction(remark, [one, two]),
    message: `${owner.fact.name}’s ${of}: “${one.text}” in one place, “${two.text}” in another.`,
    suggestion: null,
    claim: ["prose", of, one.text, two.text],
  };
}

function contradiction(
  { owner }: Remark,
  evidence: Evidence[],
): Omit<Found, "message" | "suggestion" | "claim"> {
  const confidence = owner.isNamed ? 0.8 : 0.65;
  return { type: "contradiction", severity: "warn", factId: owner.fact.id, evidence, confidence };
}

function quoteOf({ passage, from, to }: Remark | Owner<ProsePassage>): Evidence {
  return evidenceAt(passage, from, to);
}
