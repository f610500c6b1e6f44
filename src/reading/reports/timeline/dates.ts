import { DATE, dateOf, monthOf, WEEKDAY, weekdayOf } from "../../calendar.ts";
import { ordinalOf, YEAR, yearOf } from "../../text/numbers.ts";
import type { Pattern } from "./pattern.ts";

const PART_OF_DAY = "(?:morning|forenoon|noon|afternoon|evening|night|midnight)";
const FULL_WEEKDAY = "(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day";
const YEAR_DIGITS = "(?:1\\d|20)\\d\\d";
const OF_YEAR = `(?:,? (?:of |in )?(?:the year )?(?<year>${YEAR_DIGITS})(?![\\d%]|[.,:]\\d))?`;

const yearIn = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : yearOf(text);

/** "Friday, 12 May 1893", "May 12th", "the twelfth of May", "12 May, a Friday". */
const DATES: Pattern = {
  words: new RegExp(
    `\\b(?:(?<weekday>${WEEKDAY})\\b\\.?(?: ${PART_OF_DAY})?(?:,? (?:on |that is |being )?| ?[—–-] ?|: | \\())?\\b${DATE}(?!\\w|[.,:]\\d)(?:,? (?:which was |it was |being )?(?:an? )?(?<behind>${FULL_WEEKDAY})\\b)?`,
    "gu",
  ),
  read: (groups, [written]) => {
    const { day = "", month2 = "", day2 = "", weekday, behind } = groups;
    const date = dateOf(groups);
    // "They may second it", "March first, talk later": an ordinal in words right behind such a month is no day.
    const isDoubtful = /^Ma(?:y|rch)$/.test(month2) && !/\d/.test(day2) && !written.includes(" the ");
    const stated = weekday ?? behind;
    if (/^[a-z]/i.test(day) && !/ of /.test(written)) return undefined; // "the second June" is no day
    if (date.month === 0 || date.day === 0 || (isDoubtful && stated === undefined)) return undefined;
    return { kind: "date", ...date, ...(stated === undefined ? {} : { weekday: weekdayOf(stated) }) };
  },
};

/** "on the 12th"; no 12th floor. */
const DAYS_OF_MONTH: Pattern = {
  words:
    /(?<day>\b(?:[12]?\d(?:st|nd|rd|th)|3[01](?:st|th)))(?=[,;:!?…)—]|\.(?!\d)| (?:of (?:this|that|the|next) month|inst(?:ant)?|he|she|I|we|they|it|at|in|and|when|there)\b|$)/g,
  after: /\b(?:on|by|until|till|since|before|after) the $/i,
  read: ({ day = "" }) => ({ kind: "dayOfMonth", day: ordinalOf(day) ?? 0 }),
};

/** Words that may not follow the name of a month or a weekday: there it is a person's name. */
const NO_NAME =
  "(?!['’]s\\b|[-’']\\p{L}|\\.\\w|,? (?:said|says|asked|replied|answered|cried|thought|smiled|nodded|laughed|looked|turned|stood|sat|walked|shook|would|who)\\b| (?!I\\b)\\p{Lu}\\p{Ll}+)";
const IN_MONTH =
  /\b(?:(?:in|during|since|until|till|by|through|throughout|before|every|one|of) (?:early |late |mid-?|the following |that same )?|(?:last|next|this|that|early|late|mid|following)[ -])$/i;
/** "May", "March", "April", "June" and "August" may be names or verbs: "of" alone is not enough. */
const IN_DOUBTFUL =
  /\b(?:(?:in|during|since|until|till|throughout|every) (?:early |late |mid-?|the following |that same )?|(?:last|next|this|that|early|late|mid|following)[ -]|(?:month|end|beginning|middle|start|days?|mornings?|evenings?|nights?|afternoons?|weeks?|first|last|ides|part|half) of )$/i;

/** "in May", "the end of October", "that June", "December 1899". */
const MONTHS: Pattern = {
  words: new RegExp(
    `\\b(?<month>January|February|March|April|May|June|July|August|September|October|November|December)\\b${NO_NAME}${OF_YEAR}`,
    "gu",
  ),
  stays: (_, before) =>
    !/(?:^|[.!?…”"]\s*)(?:In|That|One|Early in|Late in)\s+(?:\w+ )?$/.test(before) &&
    !/\bthat $/i.test(before),
  read: ({ month = "", year }, _, before) => {
    const isDoubtful = /^(?:Ma(?:y|rch)|April|June|August)$/.test(month);
    if (year === undefined && !(isDoubtful ? IN_DOUBTFUL : IN_MONTH).test(before)) return undefined;
    return { kind: "month", month: monthOf(month), year: yearIn(year) };
  },
};

/** A noun behind it makes a year a number: "in 1200 houses". */
const NO_COUNT =
  "(?![\\d%]|[.,:]\\d|[-–]\\p{L}|\\s+(?!(?:and|or|to|when|while|where|who|which|that|he|she|it|I|we|you|they|his|her|my|our|their|the|a|an|this|at|by|in|on|of|with|from|until|till|for|as|was|were|had|is|did|there|but|so|if|before|after|during|about|not|no)\\b)\\p{Ll})";
const BEFORE_YEAR =
  /(?:\b(?:in|of|since|by|until|till|during|before|after|early|late|from|to|between|year|and) (?:the year |about |early |late )?|(?:^|\n))$/i;

/** "in 1893", "the year 1812", "of eighteen hundred and twelve"; no "1,200 men". */
const YEARS: Pattern = {
  words: new RegExp(
    `(?:\\b(?<year>${YEAR_DIGITS})${NO_COUNT}|\\b(?<words>(?:ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty)[- ](?:hundred\\b|(?:twen|thir|for|fif|six|seven|eigh|nine)ty\\b|(?:ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen)\\b)(?:(?: and)?[- ](?:twen|thir|for|fif|six|seven|eigh|nine)ty|(?: and)?[- ](?:ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen))?(?:(?: and)?[- ](?:one|two|three|four|five|six|seven|eight|nine))?)\\b(?! \\p{Ll}+s\\b))`,
    "gu",
  ),
  after: BEFORE_YEAR,
  stays: (_, before) => !/(?:^|[.!?…”"]\s*)(?:In |It was (?:in )?)?(?:the year )?$/.test(before),
  read: ({ year, words }, match, before) => {
    if (year !== undefined) {
      // A year on a line of its own is a heading; one that merely begins a paragraph may be any number.
      const rest = match.input.slice(match.index + match[0].length);
      if (/(?:^|\n)$/.test(before) && !/^\.?(?:\n|$)/.test(rest)) return undefined;
      if (/\b(?:from|to|between|and|before|after|by) $/i.test(before) && Number(year) < 1400)
        return undefined;
      return { kind: "year", year: Number(year) };
    }
    const said = words !== undefined && IN_WORDS.test(words) ? yearOf(words) : undefined;
    if (said === undefined || !/\b(?:in|of|since|year|until|till) $/i.test(before)) return undefined;
    return { kind: "year", year: said };
  },
};
const IN_WORDS = new RegExp(`^(?:${YEAR})$`);

const BESIDE_DAY =
  /\b(?:on|upon|by|until|till|since|before|last|next|this|that|following|previous|every|each|early|late|a|one|some|it was|it is|was|were|being|(?:morning|evening|afternoon|night|noon|day) of) (?:the )?(?:following |same |previous |early |late |very )?$/i;

/** "on Friday", "that Friday", "Friday morning", "It was Sunday", "next Monday", "on Fridays". */
const WEEKDAYS: Pattern = {
  words: new RegExp(
    `\\b(?<day>${FULL_WEEKDAY})(?<many>s)?\\b${NO_NAME}(?<part> ${PART_OF_DAY}(?<parts>s)?\\b)?(?! and \\p{Lu})(?:(?=(?<opens>, | came\\b| dawned\\b|[.:—])))?`,
    "gu",
  ),
  read: ({ day = "", many, part, parts, opens }, { input, index, 0: words }, before) => {
    const isOpening = /(?:^|[.!?…”"]\s+)$/.test(before) && opens !== undefined;
    if (!isOpening && part === undefined && !BESIDE_DAY.test(before)) return undefined;
    // In "was Friday" somebody may be called so: only "it was" says a day.
    if (
      /\b(?<!it )(?:was|were|being) $/i.test(before) &&
      part === undefined &&
      !/\b(?:day|morning|evening|night|that|this|next) was $/i.test(before)
    )
      return undefined;
    const isOneOfMany = input.startsWith(" after another", index + words.length);
    const isHabit =
      many !== undefined || parts !== undefined || isOneOfMany || /\b(?:every|each) $/i.test(before);
    const which = isHabit
      ? "habit"
      : /\b(?:last|previous) $/i.test(before)
        ? "last"
        : /\bnext $/i.test(before)
          ? "next"
          : "plain";
    return { kind: "weekday", weekday: weekdayOf(day), which };
  },
};

const IN_SEASON =
  /\b(?:in|during|since|until|till|by|through|throughout|all|last|next|this|that|following|early|late|every|one|whole) (?:the )?(?:early |late |same |following |whole )?$/i;

/** "that summer", "the spring of 1850", "early autumn"; no spring of water, no fall from a horse. */
const SEASONS: Pattern = {
  words: new RegExp(
    `\\b(?:spring|summer|autumn|winter)(?:-?time)?\\b(?!['’]s|-| (?:to|from|water|day|days|dress|dresses|hat|coat|coats|air|house|sun|light|clothes|garments)\\b)${OF_YEAR}|\\bfall\\b(?=[.,;]| of ${YEAR_DIGITS})${OF_YEAR.replace("year>", "year2>")}`,
    "gu",
  ),
  stays: (_, before) => !/\b(?:that|following) (?:same |whole )?$/i.test(before),
  read: ({ year, year2 }, [written], before) => {
    const said = yearIn(year ?? year2);
    if (said === undefined && /\bin $/i.test(before)) return undefined; // "in winter" is every winter
    const isFall = written.startsWith("fall");
    if (
      said === undefined &&
      !(isFall ? /\b(?:that|last|next|this|following|in the|by) $/i : IN_SEASON).test(before)
    )
      return undefined;
    return { kind: "season", year: said };
  },
};

/** Patterns of dates told outright; where two overlap, the first counts. */
export const DATE_PATTERNS: readonly Pattern[] = [DATES, DAYS_OF_MONTH, WEEKDAYS, MONTHS, SEASONS, YEARS];

/** A month's or a weekday's name as somebody's, next to what only people do. */
export const NAMED_SO = new RegExp(
  `\\b(?<name>March|April|May|June|August|${FULL_WEEKDAY})(?:['’]s (?:eyes?|face|hand|head|voice|father|mother|arm|lips)|,? (?:said|says|asked|replied|answered|cried|thought|smiled|nodded|laughed|looked|turned|shook)\\b)`,
  "gu",
);
