import type { ReadingFact } from "../../../reading/reading.ts";
import { groupBy } from "../../../text/group-by.ts";
import { AGE_WORDS, agesIn, agesOf } from "./ages.ts";
import {
  type Evidence,
  evidenceAt,
  type Found,
  type ProsePassage,
  type RelevantPassage,
  type Rule,
  type Shelf,
} from "./passages.ts";
import type { Owner } from "./pronouns.ts";
import { type Feature, familiesOf, familiesTold, TRAIT_WORDS, traitsIn } from "./traits.ts";

/** Something that the prose says of somebody, as it can be compared. */
interface Remark {
  owner: Owner;
  /** What is compared: "eyes". */
  of: string;
  passage: ProsePassage;
  from: number;
  to: number;
  /** True if two remarks, or a remark and the cast, can both be so. */
  agrees(values: readonly string[]): boolean;
  values: readonly string[];
}

const ATTRIBUTES: Readonly<Record<Feature, RegExp>> = { eyes: /\beyes?\b/i, hair: /\bhair\b/i };

/**
 * What the prose says of somebody's eyes, hair and age against what the cast says, and against the rest of the prose,
 * where the value that comes most often, else first, is taken for the right one.
 */
export const attributes: Rule = {
  reads: new RegExp([TRAIT_WORDS.eyes, TRAIT_WORDS.hair, AGE_WORDS].map(({ source }) => source).join("|")),
  find: findContradictions,
};

function findContradictions(shelf: Shelf, passages: readonly RelevantPassage[]): Found[] {
  const groups = groupBy(remarksOf(shelf, passages), ({ owner, of }) => `${owner.fact.id} ${of}`);
  return [...groups.values()].flatMap((remarks) => compare(remarks));
}

function remarksOf(shelf: Shelf, passages: readonly RelevantPassage[]): Remark[] {
  return passages.flatMap((passage) => [
    ...traitsIn(shelf, passage).map(({ part, families, ...trait }) => ({
      ...trait,
      of: part,
      values: families,
      agrees: (values: readonly string[]) => values.some((value) => families.includes(value)),
    })),
    ...agesIn(shelf, passage).map(({ years, tolerance, ...age }) => ({
      ...age,
      of: "age",
      values: tolerance === 1 ? [String(years)] : rangeOf(years, tolerance),
      agrees: (values: readonly string[]) =>
        values.some((value) => Math.abs(Number(value) - years) <= tolerance),
    })),
  ]);
}

/** Every age that "about forty" or "in her forties" may be. */
function rangeOf(years: number, tolerance: number): string[] {
  return Array.from({ length: 2 * tolerance + 1 }, (_, index) => String(years - tolerance + index));
}

function compare(remarks: readonly [Remark, ...Remark[]]): Found[] {
  const [{ owner, of }] = remarks;
  const attribute = attributeOf(owner.fact, of);
  const values = attribute?.values ?? mostFrequent(remarks).values;
  const first = remarks.find((remark) => remark.agrees(values));
  let before: Remark | undefined;
  return remarks.flatMap((remark) => {
    if (remark.agrees(values)) before = remark;
    if (remark.agrees(values) || isOfThePast(remark, values)) return [];
    if (attribute !== undefined) return againstCast(remark, attribute.text, before);
    return againstProse(remark, before ?? first ?? remark);
  });
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

/** What the cast says, as values and as written; undefined if it says nothing that can be compared. */
function attributeOf(fact: ReadingFact, of: string): { values: string[]; text: string } | undefined {
  for (const { key, value } of fact.attributes) {
    const values =
      of === "age"
        ? /^(?:age|age now|current age)$/i.test(key.trim())
          ? agesOf(value).map(String)
          : []
        : ATTRIBUTES[of as Feature].test(key)
          ? familiesOf(of as Feature, value)
          : [];
    if (values.length > 0) return { values, text: value };
  }
  if (of === "age") return undefined;
  for (const text of [...fact.attributes.map(({ value }) => value), fact.summary]) {
    const values = familiesTold(of as Feature, text);
    if (values.length > 0) return { values, text };
  }
  return undefined;
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

function quoteOf({ passage, from, to }: Remark | Owner): Evidence {
  return evidenceAt(passage, from, to);
}
