import { append } from "../../../text/extremes.ts";
import { isPerson, likelyGenderOf, type NamedSpan } from "../../cast-names.ts";
import {
  type Below,
  DENIED,
  isImagined,
  OTHERS,
  ownerMeant,
  ownerOf,
  type Paragraph,
  personOf,
  type ReadProse,
  sentenceStart,
  TOWARDS,
} from "../../owners.ts";
import type { ReadingFact } from "../../reading.ts";
import { NUMBER, numberOf, writtenAges } from "../../text/numbers.ts";
import { agesIn, type ColourPhrase, colourPhrases, familiesOf } from "../../traits.ts";
import { type Gender, isHonorific } from "../../word-lists.ts";
import { type PassageAttribute, type StatementRule, statementMatches, THING_RULE } from "./rules.ts";

/** A trait of somebody that the prose states; offsets are UTF-16 in the paragraph. */
export interface TraitStatement {
  fact: ReadingFact;
  attribute: PassageAttribute;
  /** Key of what is said, one for all who say the same: colours as families, ages in years, else the words. */
  value: string;
  from: number;
  to: number;
}

/** A paragraph that statements are read in, and who speaks in it. */
type Spoken<Passage extends Paragraph> = Below<Passage> & {
  speaker?: (() => ReadingFact | undefined) | undefined;
};

/** The traits that a paragraph states, of those of the cast only of whom it surely is. English. */
export function statementsIn<Passage extends Paragraph>(
  prose: ReadProse<Passage>,
  passage: Spoken<Passage>,
  sentences: readonly (readonly [from: number, to: number])[],
): TraitStatement[] {
  const { text } = passage;
  const found: TraitStatement[] = [];
  for (const { rule, match, at } of statementMatches(text, sentences))
    append(found, statedBy(prose, passage, rule, { match, at }));
  for (const phrase of colourPhrases(text)) append(found, colouredBy(prose, passage, phrase));
  append(found, agesTold(prose, passage, sentences));
  for (const span of prose.named(passage))
    append(found, [...titledBy(passage, span), ...thingTold(prose, passage, span)]);
  return found.filter(({ from, to }) => !isAsked(text, from, to));
}

function colouredBy<Passage extends Paragraph>(
  prose: ReadProse<Passage>,
  passage: Spoken<Passage>,
  phrase: ColourPhrase,
): TraitStatement[] {
  const fact = hasColour(prose, passage, phrase);
  const { part, families, from, to } = phrase;
  return fact === undefined
    ? []
    : [{ fact, attribute: part, value: [...families].sort().join(" "), from, to }];
}

/** Finds the person with these eyes or this hair: by the words beside them, else the subject of the sentence. */
function hasColour<Passage extends Paragraph>(
  prose: ReadProse<Passage>,
  passage: Spoken<Passage>,
  { from, to, ownedFrom, namedTo }: ColourPhrase,
): ReadingFact | undefined {
  if (namedTo !== undefined) return nameAt(prose, passage, (span) => span.to === namedTo);
  const owner =
    possessorOf(prose, passage, { from: ownedFrom, to }) ?? ownerOf(prose, passage, ownedFrom, to)?.fact;
  const { text } = passage;
  const start = sentenceStart(text, from);
  const before = text.slice(start, from);
  if (
    owner !== undefined ||
    prose.quoted(passage)[from] === 1 ||
    !LOOKING.test(before) ||
    OTHERS.test(before)
  )
    return owner;
  const [pronoun] = /^(?:He|She)\b/.exec(before) ?? [];
  if (pronoun !== undefined) return meantBy(prose, passage, { word: pronoun, at: start });
  return nameAt(prose, passage, (span) => span.from === start);
}

/** "looked at him out of very", "lifted the same". */
const LOOKING =
  /\b(?:out of|from|through|with|behind|under|of|lifted|raised|opened|turned|closed|lowered)(?: (?:an?|the|those|two|very|same|large|small|long|short|wide|bright))* $/;

/** Ages in years of whoever is named or meant, or says it of himself. */
function agesTold<Passage extends Paragraph>(
  prose: ReadProse<Passage>,
  passage: Spoken<Passage>,
  sentences: readonly (readonly [from: number, to: number])[],
): TraitStatement[] {
  const { text } = passage;
  const written = sentences.flatMap(([start, end]) =>
    writtenAges(text.slice(start, end)).map((age) => ({
      ...age,
      from: age.from + start,
      to: age.to + start,
    })),
  );
  const sure = agesIn(prose, passage, written).map(
    ({ years, owner, from, to }): TraitStatement => ({
      fact: owner.fact,
      attribute: "age",
      value: String(years),
      from,
      to,
    }),
  );
  const more = written.flatMap(({ subject, years, from, to }): TraitStatement[] => {
    if (subject === "" || sure.some((one) => one.from <= from && from < one.to)) return [];
    const fact = meantBy(prose, passage, { word: subject, at: from });
    return fact === undefined ? [] : [{ fact, attribute: "age", value: String(years), from, to }];
  });
  const said = [...text.matchAll(OWN_AGE)].flatMap(({ 0: words, index, groups }): TraitStatement[] => {
    const years = numberOf(groups?.age ?? "");
    const fact = years === undefined ? undefined : meantBy(prose, passage, { word: "I", at: index });
    return fact === undefined
      ? []
      : [{ fact, attribute: "age", value: String(years), from: index, to: index + words.length }];
  });
  return [...sure, ...more, ...said];
}

const OWN_AGE = new RegExp(
  `\\bI(?:['’]m| am) (?:only |just |nearly |about )?(?<age>${NUMBER})(?= years old| now|[.,!—”"])`,
  "g",
);

/** True in a question. */
function isAsked(text: string, from: number, to: number): boolean {
  const end = text.slice(to).search(/[.!?…]/);
  return (end >= 0 && text[to + end] === "?") || isImagined(text, from, to);
}

function statedBy<Passage extends Paragraph>(
  prose: ReadProse<Passage>,
  passage: Spoken<Passage>,
  { attribute, of }: StatementRule,
  { match, at }: { match: RegExpExecArray; at: number },
): TraitStatement[] {
  const { value = "", noun } = match.groups ?? {};
  const from = at + match[0].indexOf(noun ?? value);
  const to = at + match[0].length;
  const fact = {
    subject: () => subjectBefore(prose, passage, at),
    owner: () => possessorOf(prose, passage, { from, to: from + (noun ?? value).length }),
    name: () => nameAt(prose, passage, ({ to: end }) => end === at - 2),
    next: () => nameAt(prose, passage, ({ from: start }) => start === to),
  }[of]();
  if (fact === undefined || DENIED.test(clauseOf(passage.text, at, to).replace(HAS_NONE, ""))) return [];
  const isColour = attribute === "eyes" || attribute === "hair";
  const families = isColour ? familiesOf(attribute, value).sort().join(" ") : "";
  return [{ fact, attribute, value: families || keyOf(value), from: at, to }];
}

/** "She had no brothers" states something. */
const HAS_NONE = /\b(?:had|has|have|wore|owned|kept) no\b/g;

/** The words of a clause up to the end of a statement. */
function clauseOf(text: string, from: number, to: number): string {
  const start = Math.max(sentenceStart(text, from), from - FAR);
  const clause = text.slice(start, to);
  return clause.slice(clause.search(/[^;:—]*$/));
}

const FAR = 160;
/** Words between a subject and its verb. */
const BETWEEN =
  /^(?:,? who)?(?: (?:had|has|always|never|now|still|also|only|then|once|himself|herself|too|certainly|[a-z]+ly))*,? ?$/;
/** "was thirty-four and had": another verb of the same subject. */
const SHARED =
  /^ (?:was|is|had|has|wore|[a-z]+ed)\b(?! (?:by|that)\b)(?!.*\b(?:he|she|they|it|who|which|I)\b)[^.;:!?“”]{0,60},? (?:and|but) (?:also |still |always |never )?$/;
const TITLES = "(?:the |old |poor |young |little |Mr\\.? |Mrs\\.? |Miss |Dr\\.? )*$";
/** Words before a name that make it no subject: "the father of Dinah was". */
const NO_SUBJECT = new RegExp(
  `\\b(?:of|with|to|from|by|near|like|beside|behind|than|for|and|or|on|at|in|upon|after|before|about|against|toward|towards|called|named|nor) ${TITLES}`,
  "i",
);

/** The person who is the subject of a verb at a place: a name, "he" or "she" right before it, or "I" of whoever speaks. */
function subjectBefore<Passage extends Paragraph>(
  prose: ReadProse<Passage>,
  passage: Spoken<Passage>,
  at: number,
): ReadingFact | undefined {
  const { text } = passage;
  const offset = Math.max(0, at - FAR);
  const pronoun = /\b(he|she|I)((?:,? (?!(?:he|she|I)\b)[a-z-]+){0,12},? ?)$/i.exec(text.slice(offset, at));
  const isFree = (from: number) => !prose.named(passage).some((span) => span.from >= from && span.to <= at);
  const isSubject = (between: string) => BETWEEN.test(between) || SHARED.test(between);
  if (pronoun !== null && isSubject(pronoun[2] ?? "") && isFree(offset + pronoun.index))
    return meantBy(prose, passage, { word: pronoun[1] ?? "", at: offset + pronoun.index });
  const span = prose.named(passage).findLast(({ to }) => to <= at);
  if (span === undefined || !isSubject(text.slice(span.to, at))) return undefined;
  return NO_SUBJECT.test(text.slice(offset, span.from)) ? undefined : personOf(span);
}

/** Whom a pronoun means: outside quotation marks whoever is meant by "he" or "his", within them the speaker by "I". */
function meantBy<Passage extends Paragraph>(
  prose: ReadProse<Passage>,
  passage: Spoken<Passage>,
  { word, at }: { word: string; at: number },
): ReadingFact | undefined {
  const isQuoted = prose.quoted(passage)[at] === 1;
  if (/^(?:I|my)$/i.test(word)) return isQuoted ? passage.speaker?.() : undefined;
  if (isQuoted) return undefined;
  const gender = /^h(?:e|is)$/i.test(word) ? "male" : "female";
  const meant = announced(prose, passage, at) ?? ownerMeant(prose, passage, at, gender)?.fact;
  return meant ?? subjectMeant(prose, passage, at, gender);
}

/** "He was nineteen, Sam Okoro, and": the name behind the pronoun that begins a sentence. */
function announced<Passage extends Paragraph>(
  prose: ReadProse<Passage>,
  passage: Passage,
  at: number,
): ReadingFact | undefined {
  const { text } = passage;
  if (sentenceStart(text, at) !== at) return undefined;
  return nameAt(prose, passage, ({ from, to }) => {
    const between = text.slice(at, from);
    return from > at && /^[^.!?;“”]{4,60}, $/.test(between) && /^[,.]/.test(text.slice(to));
  });
}

/** Of several who may be meant the one whose name begins the last sentence that a name begins. */
function subjectMeant<Passage extends Paragraph>(
  prose: ReadProse<Passage>,
  passage: Passage,
  at: number,
  gender: Gender,
): ReadingFact | undefined {
  const { text } = passage;
  const quoted = prose.quoted(passage);
  const starts = prose
    .named(passage)
    .filter(({ from, to }) => to <= at && quoted[from] !== 1 && sentenceStart(text, from) === from);
  const last = starts.at(-1);
  const fact = last === undefined ? undefined : personOf(last);
  if (last === undefined || fact === undefined) return undefined;
  const other = prose
    .named(passage)
    .some(
      (span) =>
        span.from > last.from &&
        span.to <= at &&
        likelyGenderOf(personOf(span) ?? fact) === gender &&
        personOf(span) !== fact,
    );
  return !other && likelyGenderOf(fact) === gender ? fact : undefined;
}

/** "his long", "Nora’s", "whose". */
const POSSESSIVE = /(?:\b(?<pronoun>his|her|my)|(?<owned>['’]s?|,? whose)) (?<between>(?:[a-z-]+,? ){0,3})$/i;
/** "had a", "with his long". */
const HOLDING =
  /,? \b(?:had|has|having|with|showing) (?:(?:an?|the|his|her|two|both|such an?|very|rather) )*(?:[a-z-]+,? ){0,2}$/;
const NO_ADJECTIVE = /\b(?:in|of|to|at|for|on|as|with|from|by|and|that|was|were|had|has|is|not)\b/;

/** Finds the owner of something: by a possessive before it, "of" behind it, or "had" and "with" behind the owner. */
function possessorOf<Passage extends Paragraph>(
  prose: ReadProse<Passage>,
  passage: Spoken<Passage>,
  { from, to }: { from: number; to: number },
): ReadingFact | undefined {
  const { text } = passage;
  const offset = Math.max(0, from - FAR);
  const before = text.slice(offset, from);
  const possessive = POSSESSIVE.exec(before);
  if (possessive !== null && !NO_ADJECTIVE.test(possessive.groups?.between ?? "")) {
    const at = offset + possessive.index;
    if (possessive.groups?.owned !== undefined) return nameAt(prose, passage, ({ to: end }) => end === at);
    return TOWARDS.test(before.slice(0, possessive.index))
      ? undefined
      : meantBy(prose, passage, { word: possessive.groups?.pronoun ?? "", at });
  }
  const of = /^ of (?:the )?(?=\p{Lu})/u.exec(text.slice(to));
  if (of !== null) {
    const span = prose.named(passage).find((one) => one.from === to + of[0].length);
    return span === undefined || /^['’]/.test(text.slice(span.to)) ? undefined : personOf(span);
  }
  const hers = /^ of (?<pronoun>his|hers|mine)\b/.exec(text.slice(to));
  if (hers !== null) {
    const word = { his: "his", hers: "her", mine: "my" }[hers.groups?.pronoun ?? ""] ?? "";
    return meantBy(prose, passage, { word, at: to });
  }
  const holding = HOLDING.exec(before);
  if (holding === null || OTHERS.test(holding[0])) return undefined;
  return subjectBefore(prose, passage, offset + holding.index + (holding[0].startsWith(" ") ? 1 : 0));
}

function nameAt<Passage extends Paragraph>(
  prose: ReadProse<Passage>,
  passage: Passage,
  isThere: (span: NamedSpan) => boolean,
): ReadingFact | undefined {
  const span = prose.named(passage).find(isThere);
  return span === undefined ? undefined : personOf(span);
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
  return [{ fact, attribute: "title", value: title.toLowerCase(), from, to: span.to }];
}

/** Reads a place or a thing described by the words behind its name. */
function thingTold<Passage extends Paragraph>(
  prose: ReadProse<Passage>,
  passage: Passage,
  { from, to, facts: [fact, other] }: NamedSpan,
): TraitStatement[] {
  if (fact === undefined || other !== undefined || isPerson(fact)) return [];
  const { text } = passage;
  if (NO_SUBJECT.test(text.slice(Math.max(0, from - FAR), from)) && text[to] !== ",") return [];
  const match = THING_RULE.exec(text.slice(to, to + 2 * FAR));
  const value = match?.groups?.value ?? match?.groups?.apposed;
  if (match === null || value === undefined || prose.quoted(passage)[from] !== prose.quoted(passage)[to])
    return [];
  return [{ fact, attribute: "looks", value: keyOf(value), from, to: to + match[0].length }];
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
