import { BIRTHDAY, NUMBER, numberOf, ordinalOf } from "./numbers.ts";
import { type RelevantPassage, type Shelf, sentenceStart } from "./passages.ts";
import { type Owner, ownerMeant, ownerNamed } from "./pronouns.ts";

/** Somebody's age in the prose. */
export interface Age {
  years: number;
  /** How far off it may be: a birthday, or "about". */
  tolerance: number;
  owner: Owner;
  passage: RelevantPassage;
  from: number;
  to: number;
}

const ABOUT =
  "(?:not yet|well over|just over|just under|well under|a little over|a little under|close on|getting on for|about|nearly|almost|perhaps|around|some|barely|over|past|under|not quite|well past|rising)";
const HEDGE = `(?:(?:then|now|only|just|already|still|barely|exactly|by now|all of) ){0,2}(?<about>${ABOUT} )?`;
const END =
  "(?= years (?:old|of age)\\b| years? and\\b|[.,;!?…—]| and (?!(?:a half )?(?:feet|miles|pounds|minutes|hours|days|weeks|men|women))| (?:on|in) (?:the|that|his|her|\\p{Lu}\\p{L}+) ?| next | come | last | with | when | who | but | if | then\\b| now\\b| that (?:year|autumn|spring|summer|winter)|$)";
/** "Mara was thirty-four", "she had just turned nine". */
const IS = new RegExp(
  `(?<subject>\\b(?:he|she)|(?<=[\\p{L}\\p{M}.]))(?:,? who)? (?:was|is|would be|will be|(?:had |has )?(?:just |only just |recently |not yet |never yet )?turned|had reached|(?:had )?just become) ${HEDGE}(?<age>${NUMBER})${END}`,
  "giu",
);
/** "Mara was a woman of forty". */
const OF = new RegExp(
  `(?<subject>\\b(?:he|she)|(?<=[\\p{L}\\p{M}.]))(?:,? who)? (?:was|is) an? (?:[a-z-]+,? ){0,3}(?:man|woman|girl|boy|child|lady|person|widow|widower) of ${HEDGE}(?<age>${NUMBER})${END}`,
  "giu",
);
/** "Mara, aged nine", "Mara, thirty-four years old,". */
const BESIDE = new RegExp(
  `(?<subject>(?<=[\\p{L}\\p{M}.])),? (?:(?:aged|at|age) )?${HEDGE}(?<age>${NUMBER})(?: years old\\b|(?<=(?:aged|at) ${NUMBER})(?=[,.;—]))`,
  "giu",
);
/** "nine-year-old Mara", "At nine, Mara". */
const BEFORE = new RegExp(`(?:\\b(?<age>${NUMBER})-year-old |(?<=^|[.!?…] )At (?<age2>${NUMBER}),? )`, "gu");
/** "Mara was in her late forties", "Mara, a man in his fifties". */
const DECADE =
  /(?<subject>\b(?:he|she)|(?<=[\p{L}\p{M}.]))(?:,? who)?(?: (?:was|is)|,)(?: (?:still|now|already|well|somewhere))?(?: an? (?:[a-z-]+,? ){0,3}(?:man|woman|lady|gentleman|person|widow|widower|bachelor|spinster))? in (?:his|her|the) (?<when>early |mid-|mid |middle |late )?(?<decade>twen|thir|for|fif|six|seven|eigh|nine)ties\b/giu;
/** "Mara, forty-two, was". */
const APART = new RegExp(
  `(?<subject>(?<=[\\p{L}\\p{M}.])), (?:now |just |only )?(?<age>${NUMBER}),(?= [a-z])`,
  "gu",
);
/** "Mara, a thirty-year-old widow", "Mara was a seventeen-year-old". */
const OLD = new RegExp(
  `(?<subject>\\b(?:he|she)|(?<=[\\p{L}\\p{M}.]))(?:,|,? (?:who )?(?:was|is)) (?:an?|the) (?:[a-z]+ )?(?<age>${NUMBER})-year-old\\b`,
  "giu",
);
/** "Mara had celebrated her sixtieth birthday". */
const BORN = new RegExp(
  `(?<subject>\\b(?:he|she)|(?<=[\\p{L}\\p{M}.])) (?:had |has )?(?:just |only just |recently |lately )?(?:celebrated|kept|reached|passed|had) (?:his|her) (?<birthday>${BIRTHDAY}) birthday\\b`,
  "giu",
);
/** "“I’m forty-seven,” said Mara". */
const SAID = new RegExp(
  `[“"](?:[A-Z][a-z]+[,.] )?(?:I['’]m|I am) ${HEDGE}(?<age>${NUMBER})(?: years old| now)?[,.!][”"] (?:said|answered|replied) (?<behind>)`,
  "gu",
);
const DECADES: readonly string[] = ["twen", "thir", "for", "fif", "six", "seven", "eigh", "nine"];
/** Years into the decade, and how far off it may be. */
const IN_DECADE: Readonly<Record<string, readonly [number, number]>> = {
  early: [2, 3],
  mid: [5, 3],
  middle: [5, 3],
  late: [8, 3],
};

/** The years that a match says, and how far off they may be. */
function yearsOf(
  groups: Readonly<Record<string, string | undefined>>,
): { years: number; tolerance: number } | undefined {
  const { age, age2, about, decade, when = "", birthday } = groups;
  if (decade !== undefined) {
    const [into, tolerance] = IN_DECADE[when.replace(/[- ]/g, "").toLowerCase()] ?? [5, 6];
    return { years: (DECADES.indexOf(decade.toLowerCase()) + 2) * 10 + into, tolerance };
  }
  const years = birthday === undefined ? numberOf(age ?? age2 ?? "") : ordinalOf(birthday);
  return years === undefined ? undefined : { years, tolerance: about === undefined ? 1 : 5 };
}

/** A passage that tells an age holds one of these. */
export const AGE_WORDS = new RegExp(
  `(?:\\b(?:[Aa]t|was|is|be|turned|reached|become|of|aged?|about|only|then|now|just),?|,) (?:[a-z]+ ){0,3}${NUMBER}\\b|-year-old|\\byears old\\b|\\bbirthday\\b|\\b(?:twen|thir|for|fif|six|seven|eigh|nine)ties\\b|\\bI(?:['’]m| am) (?:[a-z]+ ){0,5}${NUMBER}\\b`,
);
/** What a sentence says up to the age, or right behind it, of another time or of nothing at all. */
const ELSEWHEN =
  /\b(?:since|until|till|if(?! (?:he|she) (?:was|were) a day)|whether|before|after|by the time|as though|remember(?:ed)?|used to|in (?:1[5-9]|20)\d\d|when (?:he|she|I|they|we|\p{Lu}\w+) (?:was|were)|years? (?:ago|earlier|before|later))\b/u;
const BEHIND = 24;

/** The ages in a cast's attribute: [52, 53] of "52, turning 53". */
export function agesOf(value: string): number[] {
  return (value.match(new RegExp(`\\b${NUMBER}\\b`, "gi")) ?? []).flatMap((text) => numberOf(text) ?? []);
}

/** The ages that people of the cast have in a passage, at the time that it tells of. English. */
export function agesIn(shelf: Shelf, passage: RelevantPassage): Age[] {
  const { text } = passage;
  if (!AGE_WORDS.test(text)) return [];
  const quoted = shelf.quoted(passage);
  const found: Age[] = [];
  for (const pattern of [IS, OF, BESIDE, BEFORE, DECADE, APART, OLD, BORN, SAID]) {
    for (const match of text.matchAll(pattern)) {
      const { subject = "" } = match.groups ?? {};
      const to = match.index + match[0].length;
      const owner = ownerOf(shelf, passage, { subject, from: match.index, to });
      const age = yearsOf(match.groups ?? {});
      if (owner === undefined || age === undefined || ELSEWHEN.test(sentenceUpTo(text, match.index, to)))
        continue;
      if (!owner.isNamed && quoted[match.index] === 1) continue;
      found.push({ ...age, owner, passage, from: subject === "" ? owner.from : match.index, to });
    }
  }
  return found;
}

function ownerOf(
  shelf: Shelf,
  passage: RelevantPassage,
  { subject, from, to }: { subject: string; from: number; to: number },
): Owner | undefined {
  if (subject !== "") return ownerMeant(shelf, passage, from, /^he$/i.test(subject) ? "male" : "female");
  const named = ownerNamed(shelf, passage, from);
  if (named !== undefined) return named;
  const next = shelf.named(passage).find((span) => span.from === to);
  return next === undefined || /[^ ]$/.test(passage.text.slice(from, to))
    ? undefined
    : ownerNamed(shelf, passage, next.to);
}

/** From the sentence's beginning to a little behind the span, or to its end. */
function sentenceUpTo(text: string, at: number, to: number): string {
  const start = sentenceStart(text, at);
  const end = text.slice(to, to + BEHIND).search(/[.!?…]/);
  return text.slice(start, end < 0 ? to + BEHIND : to + end);
}
