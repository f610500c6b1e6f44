const UNITS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const ORDINALS =
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth".split(
    " ",
  );

const words = (list: readonly string[]) => list.join("|");
const UNIT = words(UNITS.slice(1, 10));

/** A regular expression's source for a number from 1 to 120, in digits or in words: "72", "seventy-two". */
export const NUMBER = `(?:1[01]\\d|120|[1-9]\\d?|(?:${words(TENS)})(?:[- ](?:${UNIT}))?|${words(UNITS.slice(1).reverse())})`;

/** Pattern of a day of the month: "1", "1st", "first", "twenty-first". */
export const DAY = `(?:3[01]|[12]\\d|[1-9])(?:st|nd|rd|th)?|(?:twenty|thirty)[- ](?:${words(ORDINALS.slice(0, 9))})|${words([...ORDINALS].reverse())}`;

/** Pattern of a year from 1000 on: "1953", "nineteen fifty-three". */
export const YEAR = `[12]\\d{3}|(?:${words(UNITS.slice(15))}|twenty)[- ](?:hundred and )?(?:(?:${words(TENS)})(?:[- ](?:${UNIT}))?|${words(UNITS.slice(10))})`;

/** Pattern of the ordinal of a birthday from the tenth on: "21st", "fortieth", "thirty-first". */
export const BIRTHDAY = `(?:1\\d|[2-9]\\d)(?:st|nd|rd|th)|(?:${words(TENS)})[- ](?:${words(ORDINALS.slice(0, 9))})|${words(TENS.map((ten) => ten.replace(/y$/, "ieth")))}|${words(ORDINALS.slice(9, 19))}`;

/** The number that an ordinal says: 21 of "21st", 40 of "fortieth", 31 of "thirty-first"; undefined for anything else. */
export function ordinalOf(text: string): number | undefined {
  const lower = text.toLowerCase();
  if (/^\d/.test(lower)) return Number.parseInt(lower, 10);
  const [first = "", second] = lower.split(/[- ]/);
  const ten = TENS.indexOf(first.replace(/ieth$/, "y"));
  if (ten >= 0) return (ten + 2) * 10 + (second === undefined ? 0 : ORDINALS.indexOf(second) + 1);
  const ordinal = ORDINALS.indexOf(lower);
  return ordinal < 0 ? undefined : ordinal + 1;
}

/** The number that a word or digits say; undefined for anything else. */
export function numberOf(text: string): number | undefined {
  const lower = text.toLowerCase();
  if (/^\d+$/.test(lower)) return Number(lower);
  const [first = "", second] = lower.split(/[- ]/);
  const ten = TENS.indexOf(first);
  if (ten >= 0) return (ten + 2) * 10 + (second === undefined ? 0 : Math.max(0, UNITS.indexOf(second)));
  const unit = UNITS.indexOf(lower);
  return unit > 0 ? unit : undefined;
}

/** The year that "1953" or "nineteen fifty-three" says. */
export function yearOf(text: string): number | undefined {
  const lower = text.toLowerCase();
  if (/^\d+$/.test(lower)) return Number(lower);
  const [, century = "", rest = ""] = /^([a-z]+)[- ](?:hundred and )?(.+)$/.exec(lower) ?? [];
  const hundreds = numberOf(century);
  const years = numberOf(rest);
  return hundreds === undefined || years === undefined ? undefined : hundreds * 100 + years;
}

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
