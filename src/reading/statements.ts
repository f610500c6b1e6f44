import { append } from "../text/extremes.ts";
import { once } from "../text/once.ts";
import { isPerson, type NamedSpan } from "./cast-names.ts";
import { shortTitle } from "./names/cluster-parse.ts";
import {
  DENIED,
  isImagined,
  isNoSubject,
  ownerOf,
  type Paragraph,
  personAt,
  personMeant,
  personOf,
  type ReadProse,
  sentenceStart,
  speakerIn,
  subjectBefore,
  subjectOf,
} from "./owners.ts";
import type { ReadingFact } from "./reading.ts";
import {
  COLOUR_WORDS,
  type ColourPhrase,
  colourPhrases,
  familiesOf,
  familiesTold,
} from "./reports/statements/colours.ts";
import {
  type PassageAttribute,
  type StatementRule,
  statementMatches,
  THING_RULE,
} from "./reports/statements/rules.ts";
import { AGE_WORDS, NUMBER, numberOf, type WrittenAge, writtenAges } from "./text/numbers.ts";
import { isHonorific } from "./word-lists.ts";

/** A trait of somebody that the prose states; offsets are UTF-16 in the paragraph. */
export interface TraitStatement {
  fact: ReadingFact;
  attribute: PassageAttribute;
  /** Values that the words allow: families of a colour, every age that "about forty" allows; else the words themselves, sorted. */
  values: readonly string[];
  from: number;
  to: number;
}

/** Traits of which nobody has two at a time: the attribute that statements of it have, and its values there. */
const ONE_ONLY = {
  eyes: { attribute: "eyes", values: /^(?:blue|violet|grey|green|brown|black)$/ },
  hair: { attribute: "hair", values: /^(?:grey|green|brown|black|fair|red|bald)$/ },
  age: { attribute: "age", values: /^\d+$/ },
  marriage: { attribute: "title", values: /^(?:mrs|miss)$/ },
  rank: { attribute: "title", values: /^(?:capt|lt|sgt|cpl|corporal|maj|col|gen|admiral|commander)$/ },
  hand: { attribute: "body", values: /^(?:left|right)-handed$/ },
  brothers: { attribute: "family", values: /^\d+ brothers$/ },
  sisters: { attribute: "family", values: /^\d+ sisters$/ },
} as const;

/** A trait of which nobody has two at a time. */
export type OneOnly = keyof typeof ONE_ONLY;

/** Words without which a text states no trait of which nobody has two. */
export const ONE_ONLY_WORDS = new RegExp(
  [
    COLOUR_WORDS.eyes,
    COLOUR_WORDS.hair,
    AGE_WORDS,
    /\b(?:Mrs|Miss|Capt|Lieut|Lt|Sgt|Serg|Maj|Col|Gen|Adm|Comm|Corporal)[a-z]*\.? [A-ZÀ-Þ]/,
    /\b(?:(?:left|right)-handed|(?:[a-z]+) (?:brothers|sisters)|(?:[Mm]y|elder|younger|only) (?:brother|sister|child))\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

/** Finds in a statement its values of traits of which nobody has two at a time. */
export function oneOnlyIn({
  attribute,
  values,
}: Pick<TraitStatement, "attribute" | "values">): { trait: OneOnly; values: string[] }[] {
  return ONE_ONLY_TRAITS.flatMap((trait) => {
    const own = ONE_ONLY[trait];
    const said = own.attribute === attribute ? values.filter((value) => own.values.test(value)) : [];
    return said.length === 0 ? [] : [{ trait, values: said }];
  });
}

const ONE_ONLY_TRAITS = Object.keys(ONE_ONLY) as OneOnly[];

/** True if two lists of values of a trait can be of one person at a time; an age may have grown by a year. */
export function canBothBe(trait: OneOnly, one: readonly string[], other: readonly string[]): boolean {
  if (trait !== "age") return one.some((value) => other.includes(value));
  return one.some((value) => other.some((second) => Math.abs(Number(value) - Number(second)) <= 1));
}

/** Reads the values of a trait from a note about somebody: for eyes `["grey"]` from "Tall, with grey eyes." */
export function valuesTold(trait: OneOnly, text: string): string[] {
  return trait === "eyes" || trait === "hair" ? familiesTold(trait, text) : [];
}

/** Reads the values of a trait from the cast's attribute: `["fair"]` from "fair, cropped", `["52", "53"]` from "52, turning 53". */
export function valuesListed(trait: OneOnly, value: string): string[] {
  if (trait === "eyes" || trait === "hair") return familiesOf(trait, value);
  const words = value.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const numbers = value.match(new RegExp(`\\b${NUMBER}\\b`, "gi")) ?? [];
  const values = {
    age: () => numbers.map((text) => String(numberOf(text))),
    marriage: () => words.map(shortTitle),
    rank: () => words.map(shortTitle),
    hand: () => words.map((word) => `${word}-handed`),
    brothers: () => siblingsIn(value),
    sisters: () => siblingsIn(value),
  }[trait]();
  return values.filter((one) => ONE_ONLY[trait].values.test(one));
}

const MOST_SIBLINGS = 12;

/** Lists the counts of brothers or sisters that words allow: `["2 brothers"]` for "two brothers", each but none for "elder brother". */
function siblingsIn(value: string): string[] {
  if (/\bonly child\b/i.test(value)) return ["0 brothers", "0 sisters"];
  const [, kind] = /\b(brother|sister)s?$/i.exec(value) ?? [];
  if (kind === undefined) return [];
  const [first = ""] = value.split(" ");
  const count = first === "no" ? 0 : numberOf(first);
  const counts = count === undefined ? Array.from({ length: MOST_SIBLINGS }, (_, at) => at + 1) : [count];
  return counts.map((one) => `${one} ${kind.toLowerCase()}s`);
}

/** A longer paragraph is no prose that somebody speaks of looks in; in characters. */
export const LONGEST_PARAGRAPH = 20_000;

/** The traits that a paragraph states, of those of the cast only of whom it surely is; none of one that is too long. English. */
export function statementsIn(
  read: ReadProse,
  paragraph: Paragraph,
  sentences: readonly (readonly [from: number, to: number])[],
): TraitStatement[] {
  const { text } = paragraph;
  if (text.length > LONGEST_PARAGRAPH) return [];
  const prose: ReadProse = { ...read, speaker: once(() => speakerIn(read, paragraph)) };
  const found = colourPhrases(text).flatMap((phrase) => colouredBy(prose, paragraph, phrase));
  append(found, agesTold(prose, paragraph, sentences));
  for (const { rule, match, at } of statementMatches(text, sentences))
    append(found, statedBy(prose, paragraph, rule, { match, at }));
  for (const span of prose.named(paragraph))
    append(found, [...titledBy(paragraph, span), ...thingTold(prose, paragraph, span)]);
  const isTold = (one: TraitStatement, before: readonly TraitStatement[]) =>
    before.some(
      ({ fact, attribute, from, to }) =>
        fact === one.fact && attribute === one.attribute && from < one.to && one.from < to,
    );
  return found.filter(
    (one, index) => !isAsked(text, one.from, one.to) && !isTold(one, found.slice(0, index)),
  );
}

function colouredBy(prose: ReadProse, paragraph: Paragraph, phrase: ColourPhrase): TraitStatement[] {
  const { part, families, from, to, ownedFrom, namedTo } = phrase;
  const fact =
    namedTo === undefined
      ? (ownerOf(prose, paragraph, { from: ownedFrom, to }) ?? subjectOf(prose, paragraph, ownedFrom))
      : personAt(prose, paragraph, (span) => span.to === namedTo);
  return fact === undefined ? [] : [{ fact, attribute: part, values: families, from, to }];
}

/** Words before an age, or right behind it, that move it to another time or deny it. */
const ELSEWHEN =
  /\b(?:since|until|till|if(?! (?:he|she) (?:was|were) a day)|whether|before|after|by the time|as though|remember(?:ed)?|used to|in (?:1[5-9]|20)\d\d|when (?:he|she|I|they|we|\p{Lu}\w+) (?:was|were)|years? (?:ago|earlier|before|later))\b/u;

/** Ages in years of whoever is named or meant, or says it of himself. */
function agesTold(
  prose: ReadProse,
  paragraph: Paragraph,
  sentences: readonly (readonly [from: number, to: number])[],
): TraitStatement[] {
  const { text } = paragraph;
  const isQuoted = (at: number) => prose.quoted(paragraph)[at] === 1;
  const written = sentences.flatMap(([start, end]) =>
    writtenAges(text.slice(start, end)).map((age) => ({
      ...age,
      from: age.from + start,
      to: age.to + start,
    })),
  );
  const told = written.flatMap(({ years, tolerance, ...age }): TraitStatement[] => {
    const { from, to } = age;
    if (isQuoted(from) || /["“]/u.test(text[from] ?? "") || ELSEWHEN.test(around(text, from, to))) return [];
    if (years < 2 && !/year/.test(text.slice(from, to + 5))) return []; // "Mara was one who"
    const span = nameBeside(prose, paragraph, age);
    const fact =
      age.subject === ""
        ? span && personOf(span)
        : personMeant(prose, paragraph, { word: age.subject, at: from });
    if (fact === undefined) return [];
    const most = tolerance > 1 ? tolerance : 0;
    const values = Array.from({ length: 2 * most + 1 }, (_, index) => String(years - most + index));
    const whole = {
      from: Math.min(from, span?.from ?? from),
      to: Math.max(to, span?.to ?? to),
    };
    return [{ fact, attribute: "age", values, ...whole }];
  });
  const said = [...text.matchAll(OWN_AGE)].flatMap(({ 0: words, index, groups }): TraitStatement[] => {
    const years = numberOf(groups?.age ?? "");
    const fact = personMeant(prose, paragraph, { word: "I", at: index });
    if (years === undefined || fact === undefined) return [];
    return [{ fact, attribute: "age", values: [String(years)], from: index, to: index + words.length }];
  });
  return [...told, ...said];
}

/** The name before an age, or behind it: "Mara, thirty-four", "nine-year-old Mara". */
function nameBeside(
  prose: ReadProse,
  paragraph: Paragraph,
  { from, to }: Pick<WrittenAge, "from" | "to">,
): NamedSpan | undefined {
  const named = prose.named(paragraph);
  const isOpen = paragraph.text[to - 1] === " ";
  return (
    named.find((span) => span.to === from) ?? (isOpen ? named.find((span) => span.from === to) : undefined)
  );
}

const OWN_AGE = new RegExp(
  `\\bI(?:['’]m| am) (?:only |just |nearly |about )?(?<age>${NUMBER})(?= years old| now|[.,!—”"])`,
  "g",
);
const BEHIND = 24;

/** From the sentence's beginning to a little behind the span, or to its end. */
function around(text: string, from: number, to: number): string {
  const end = text.slice(to, to + BEHIND).search(/[.!?…]/);
  return text.slice(sentenceStart(text, from), end < 0 ? to + BEHIND : to + end);
}

/** True in a question. */
function isAsked(text: string, from: number, to: number): boolean {
  const end = text.slice(to).search(/[.!?…]/);
  return (end >= 0 && text[to + end] === "?") || isImagined(text, from, to);
}

function statedBy(
  prose: ReadProse,
  paragraph: Paragraph,
  { attribute, of }: StatementRule,
  { match, at }: { match: RegExpExecArray; at: number },
): TraitStatement[] {
  const { value = "", noun } = match.groups ?? {};
  const from = at + match[0].indexOf(noun ?? value);
  const to = at + match[0].length;
  const fact = {
    subject: () => subjectBefore(prose, paragraph, at),
    owner: () => ownerOf(prose, paragraph, { from, to: from + (noun ?? value).length }),
    name: () => personAt(prose, paragraph, ({ to: end }) => end === at - 2),
    next: () =>
      personAt(prose, paragraph, (span) => span.from === to && !/^['’]/.test(paragraph.text.slice(span.to))),
  }[of]();
  if (fact === undefined || DENIED.test(clauseOf(paragraph.text, at, to).replace(STATES, ""))) return [];
  const isColour = attribute === "eyes" || attribute === "hair";
  const families = isColour ? familiesOf(attribute, value) : [];
  const values = families.length > 0 ? families : [keyOf(value), ...siblingsIn(value)];
  return [{ fact, attribute, values, from: at, to }];
}

/** "She had no brothers", "did not survive" state something. */
const STATES = /\b(?:(?:had|has|have|wore|owned|kept) no|(?:did not|never) (?=lived?\b|survive))\b/g;
const FAR = 160;

/** The words of a clause up to the end of a statement. */
function clauseOf(text: string, from: number, to: number): string {
  const start = Math.max(sentenceStart(text, from), from - FAR);
  const clause = text.slice(start, to);
  return clause.slice(clause.search(/[^;:—]*$/));
}

/** A title before a name, or in it. */
function titledBy({ text }: Paragraph, span: NamedSpan): TraitStatement[] {
  const fact = personOf(span);
  const before = /(?:^|[^\p{L}])(\p{Lu}\p{L}+)\.? $/u.exec(
    text.slice(Math.max(0, span.from - 16), span.from),
  )?.[1];
  const within = /^(\p{Lu}\p{L}+)\.? /u.exec(text.slice(span.from, span.to))?.[1];
  const title = [before, within].find(
    (word) => word !== undefined && isHonorific(word.toLowerCase()) && word !== "St",
  );
  if (fact === undefined || title === undefined) return [];
  const from = title === before ? text.lastIndexOf(title, span.from) : span.from;
  return [{ fact, attribute: "title", values: [shortTitle(title.toLowerCase())], from, to: span.to }];
}

/** Reads a place or a thing described by the words behind its name. */
function thingTold(
  prose: ReadProse,
  paragraph: Paragraph,
  { from, to, facts: [fact, other] }: NamedSpan,
): TraitStatement[] {
  if (fact === undefined || other !== undefined || isPerson(fact)) return [];
  const { text } = paragraph;
  if (isNoSubject(text, from) && text[to] !== ",") return [];
  const match = THING_RULE.exec(text.slice(to, to + 2 * FAR));
  const value = match?.groups?.value ?? match?.groups?.apposed;
  const quoted = prose.quoted(paragraph);
  if (match === null || value === undefined || quoted[from] !== quoted[to]) return [];
  return [{ fact, attribute: "looks", values: [keyOf(value)], from, to: to + match[0].length }];
}

const SMALL = /^(?:an?|the|his|her|my|our|their|no|some|of|and|very|rather|quite|so|was|is|were|had|has)$/;

/** The words of a value, in one order. */
function keyOf(value: string): string {
  const words = value.toLowerCase().match(/[\p{L}\p{N}-]+/gu) ?? [];
  return words
    .filter((word) => !SMALL.test(word))
    .sort()
    .join(" ");
}
