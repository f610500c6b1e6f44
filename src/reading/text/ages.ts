import { BIRTHDAY, NUMBER, numberOf, ordinalOf } from "./numbers.ts";

/** An age as the prose writes it, of whoever the words before or behind it name. */
export interface WrittenAge {
  /** "he", "she", or nothing where a name stands before the phrase or behind it. */
  subject: string;
  years: number;
  /** Years by which the age may differ: a birthday, or "about". */
  tolerance: number;
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
  `(?<subject>\\b(?:he|she)|(?<=[\\p{L}\\p{M}.]))(?:,? who)? (?:was|is|(?:had |has )?(?:just |only just |recently |not yet |never yet )?turned|had reached|(?:had )?just become) ${HEDGE}(?<age>${NUMBER})${END}`,
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

/** A text that tells an age holds one of these. */
export const AGE_WORDS = new RegExp(
  `(?:\\b(?:[Aa]t|was|is|be|turned|reached|become|of|aged?|about|only|then|now|just),?|,) (?:[a-z]+ ){0,3}${NUMBER}\\b|-year-old|\\byears old\\b|\\bbirthday\\b|\\b(?:twen|thir|for|fif|six|seven|eigh|nine)ties\\b|\\bI(?:['’]m| am) (?:[a-z]+ ){0,5}${NUMBER}\\b`,
);

/** The ages that a text writes, pattern by pattern; whose each is, and whether it is anybody's, is for the caller to say. English. */
export function writtenAges(text: string): WrittenAge[] {
  if (!AGE_WORDS.test(text)) return [];
  const found: WrittenAge[] = [];
  for (const pattern of [IS, OF, BESIDE, BEFORE, DECADE, APART, OLD, BORN, SAID]) {
    for (const match of text.matchAll(pattern)) {
      const age = yearsOf(match.groups ?? {});
      if (age === undefined) continue;
      const { subject = "" } = match.groups ?? {};
      found.push({ ...age, subject, from: match.index, to: match.index + match[0].length });
    }
  }
  return found;
}
