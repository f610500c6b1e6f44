import type { NamedSpan } from "../../../reading/cast-names.ts";
import { personOf } from "../../../reading/owners.ts";
import type { ReadingFact } from "../../../reading/reading.ts";
import {
  canBothBe,
  ONE_ONLY_WORDS,
  type OneOnly,
  oneOnlyIn,
  valuesListed,
  valuesTold,
} from "../../../reading/statements.ts";
import { largest } from "../../../text/extremes.ts";
import { groupBy } from "../../../text/group-by.ts";
import {
  type Evidence,
  evidenceAt,
  type Found,
  type ProsePassage,
  type Rule,
  type Shelf,
} from "./passages.ts";
import { CHANGES, hasReason, YEARS_PASS } from "./reasons.ts";

/** Something that the prose says of somebody, as it can be compared. */
interface Remark {
  fact: ReadingFact;
  trait: OneOnly;
  values: readonly string[];
  passage: ProsePassage;
  from: number;
  to: number;
}

/** The cast's attributes that tell a trait, by their keys. */
const ATTRIBUTES: Readonly<Record<OneOnly, RegExp>> = {
  eyes: /\beyes?\b/i,
  hair: /\bhair\b/i,
  age: /^\s*(?:age|age now|current age)\s*$/i,
  marriage: /^\s*(?:title|honorific)\s*$/i,
  rank: /^\s*(?:title|rank|honorific)\s*$/i,
  hand: /\bhand/i,
  brothers: /\b(?:brothers?|siblings|family)\b/i,
  sisters: /\b(?:sisters?|siblings|family)\b/i,
};

/**
 * Compares what the prose states of a trait of which nobody has two with the cast, and with the rest of the prose, where the
 * value that comes most often, else first, is taken for the right one.
 */
export const attributes: Rule = {
  reads: new RegExp(
    [ONE_ONLY_WORDS, CHANGES.eyes, CHANGES.hair, YEARS_PASS].map(({ source }) => source).join("|"),
  ),
  find: findContradictions,
};

function findContradictions(shelf: Shelf, passages: readonly ProsePassage[]): Found[] {
  const changed = changesIn(shelf, passages);
  const remarks = remarksOf(shelf, passages).filter(
    ({ fact, trait, passage, from, to }) =>
      !hasReason(passage, { from, to }, trait) && !changed.has(`${fact.id} ${trait}`),
  );
  const years = passages.filter(({ text }) => YEARS_PASS.test(text));
  // A trait that holds from a chapter on is compared only with that chapter and later ones.
  const groups = groupBy(remarks, (remark) => `${remark.fact.id} ${remark.trait} ${eraOf(shelf, remark)}`);
  return [...groups.values()].flatMap((each) =>
    compare(each, { attribute: attributeOf(shelf, each[0]), years }),
  );
}

/** How near its change somebody is named, in characters. */
const BESIDE = 60;

/** People whose hair is dyed or who wear lenses somewhere in the book: a fact's id and the trait. */
function changesIn(shelf: Shelf, passages: readonly ProsePassage[]): ReadonlySet<string> {
  const changed = (["eyes", "hair"] as const).flatMap((trait) =>
    passages.flatMap((passage) => {
      const change = CHANGES[trait].exec(passage.text);
      if (change === null) return [];
      const isBeside = ({ from, to }: NamedSpan) =>
        from - change.index < BESIDE && change.index - to < BESIDE;
      return shelf
        .named(passage)
        .filter(isBeside)
        .map((span) => `${personOf(span)?.id} ${trait}`);
    }),
  );
  return new Set(changed);
}

function remarksOf(shelf: Shelf, passages: readonly ProsePassage[]): Remark[] {
  return passages.flatMap((passage) => {
    if (!ONE_ONLY_WORDS.test(passage.text)) return [];
    return shelf.statements(passage).flatMap((statement): Remark[] => {
      const { fact, from, to } = statement;
      const isSaid = shelf.quoted(passage)[from] === 1;
      return oneOnlyIn(statement)
        .filter(({ trait }) => trait !== "age" || !isSaid) // people are wrong about ages, and lie about their own
        .map((one) => ({ ...one, fact, passage, from, to }));
    });
  });
}

function agrees({ trait, values }: Remark, others: readonly string[]): boolean {
  return canBothBe(trait, values, others);
}

function compare(
  remarks: readonly [Remark, ...Remark[]],
  { attribute, years }: { attribute: Attribute | undefined; years: readonly ProsePassage[] },
): Found[] {
  const [{ trait }] = remarks;
  if (isTitle(trait) && attribute === undefined) return [];
  const values = attribute?.values ?? mostFrequent(remarks).values;
  const first = remarks.find((remark) => agrees(remark, values));
  let before: Remark | undefined;
  return remarks.flatMap((remark) => {
    if (agrees(remark, values)) before = remark;
    if (agrees(remark, values) || isOfThePast(remark, values) || isMeant(remark, remarks)) return [];
    if (attribute !== undefined) return againstCast(remark, attribute.text, before);
    const other = before ?? first ?? remark;
    return trait === "age" && isOlderInTime(remark, other, years) ? [] : againstProse(remark, other);
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
  const support = (one: Remark) => remarks.filter((remark) => agrees(remark, one.values)).length;
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
function eraOf(shelf: Shelf, { fact, trait, passage }: Remark): number {
  const said = attributesOf(shelf, fact, trait);
  if (said.length === 0) return 0;
  return largest([-1, ...said.map(({ from }) => from).filter((from) => from <= passage.chapter)]);
}

/** Finds the attribute in the cast that a remark can be compared with; undefined if there is none. */
function attributeOf(shelf: Shelf, remark: Remark): Attribute | undefined {
  const { fact, trait } = remark;
  const said = attributesOf(shelf, fact, trait);
  if (said.length > 0) return said.find(({ from }) => from === eraOf(shelf, remark));
  const undated = fact.attributes.filter(({ fromChapterId }) => fromChapterId === undefined);
  for (const text of [...undated.map(({ value }) => value), fact.summary]) {
    const values = valuesTold(trait, text);
    if (values.length > 0) return { values, text, from: 0 };
  }
  return undefined;
}

/** Returns what the cast says of a trait of somebody. */
function attributesOf(shelf: Shelf, fact: ReadingFact, trait: OneOnly): Attribute[] {
  if (isTitle(trait)) return titlesOf(fact, trait);
  return fact.attributes.flatMap(({ key, value, fromChapterId }): Attribute[] => {
    const values = ATTRIBUTES[trait].test(key) ? valuesListed(trait, value) : [];
    const from = fromChapterId === undefined ? 0 : shelf.chapterIds.indexOf(fromChapterId);
    return values.length === 0 || from < 0 ? [] : [{ values, text: value, from }];
  });
}

function isTitle(trait: OneOnly): trait is "marriage" | "rank" {
  return trait === "marriage" || trait === "rank";
}

/** The titles that the cast gives somebody, in names or as an attribute. */
function titlesOf({ name, aliases, attributes }: ReadingFact, trait: "marriage" | "rank"): Attribute[] {
  const listed = attributes.filter(({ key }) => ATTRIBUTES[trait].test(key)).map(({ value }) => value);
  const first = [name, ...aliases].flatMap((one) => /^\p{Lu}\p{L}+(?=\.? )/u.exec(one) ?? []);
  const told = [...listed, ...first].filter((text) => valuesListed(trait, text).length > 0);
  const values = told.flatMap((text) => valuesListed(trait, text));
  return told.length === 0 ? [] : [{ values, text: [...new Set(told)].join(", "), from: 0 }];
}

/** A second title that comes more often than this is meant. */
const RARE = 2;
function isMeant(remark: Remark, remarks: readonly Remark[]): boolean {
  if (!isTitle(remark.trait)) return false;
  return remarks.filter((other) => agrees(other, remark.values)).length > RARE;
}

// A story looks back: somebody of 68 who is 15 in a chapter is no slip.
const LONG_AGO = 20;
const YOUNG = 30;
function isOfThePast({ trait, values }: Remark, others: readonly string[]): boolean {
  const value = Number(values.at(-1));
  return trait === "age" && value < YOUNG && others.every((other) => value < Number(other) - LONG_AGO);
}

/** The words for traits whose names are not words for a writer. */
const NAMES: Readonly<Partial<Record<OneOnly, string>>> = {
  marriage: "title",
  rank: "title",
  hand: "handedness",
};

function againstCast(remark: Remark, stated: string, agreeing: Remark | undefined): Found {
  const { fact, trait } = remark;
  const here = quoteOf(remark);
  return {
    ...contradiction(remark, [...(agreeing === undefined ? [] : [quoteOf(agreeing)]), here]),
    confidence: 0.7, // one side is sure
    message: `${fact.name}’s ${NAMES[trait] ?? trait}: the cast says “${stated}”, here it is “${here.text}”.`,
    suggestion: stated,
    claim: ["cast", trait, stated, here.text],
  };
}

function againstProse(remark: Remark, other: Remark): Found {
  const { fact, trait } = remark;
  const [one, two] = [quoteOf(other), quoteOf(remark)];
  return {
    ...contradiction(remark, [one, two]),
    message: `${fact.name}’s ${NAMES[trait] ?? trait}: “${one.text}” in one place, “${two.text}” in another.`,
    suggestion: null,
    claim: ["prose", trait, one.text, two.text],
  };
}

function contradiction(
  { fact }: Remark,
  evidence: Evidence[],
): Omit<Found, "message" | "suggestion" | "claim"> {
  return { type: "contradiction", severity: "warn", factId: fact.id, evidence, confidence: 0.6 };
}

function quoteOf({ passage, from, to }: Remark): Evidence {
  return evidenceAt(passage, from, to);
}
