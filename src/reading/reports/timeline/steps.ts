import { NUMBER, numberOf } from "../../text/numbers.ts";
import type { Groups, Pattern } from "./pattern.ts";
import type { Step } from "./time-marks.ts";

const UNIT = "(?<unit>hour|day|night|morning|evening|week|fortnight|month|year)s?";
const ABOUT =
  "(?:(?<about>about|nearly|almost|some|perhaps|roughly|around|over|more than|less than|scarcely|barely|hardly|not quite|close on) )?";
const VAGUE =
  "an? (?:few|couple of|number of|good many|great many)|some(?: few)?|several|many|two or three|three or four|four or five|a dozen or so|not many";
const COUNT = `(?:(?<vague>${VAGUE}) |${ABOUT}(?<count>${NUMBER}|an?|another|half a dozen|a dozen|a whole|a full|a) )(?:more |long |whole |full |short |busy |weary |or so )*`;
const PART = "(?<part>day|morning|forenoon|noon|afternoon|evening|night|dawn|week|month|year)";
/** Behind "after" and "before": nothing that it would be counted from. */
const ALONE =
  "(?=[,.;:!?…—)”\"]|\\s*$| (?:that|this)\\b| (?:when|the (?:whole|old|two|three)|he|she|they|we|I|it|a|an|there)\\b (?!\\w+['’]s))";

const SIZES: Readonly<Record<string, Step>> = {
  day: { days: 1 },
  night: { days: 1 },
  morning: { days: 1 },
  evening: { days: 1 },
  week: { days: 7 },
  fortnight: { days: 14 },
  month: { months: 1 },
  year: { years: 1 },
};

function countOf(written: string): number | undefined {
  const text = written.toLowerCase();
  if (/^(?:an?|another|a (?:whole|full))$/.test(text)) return 1;
  if (text === "half a dozen") return 6;
  if (text === "a dozen") return 12;
  return numberOf(text);
}

/** So many units, forward or back; without its number if none is said. */
function stepOf(unit: string, count: number | undefined, sign: 1 | -1): Step {
  if (count === undefined) return {};
  if (unit === "hour") return { days: (sign * Math.floor(count / 24)) | 0 };
  const { days, months, years } = SIZES[unit] ?? {};
  if (days !== undefined) return { days: sign * days * count };
  return months === undefined ? { years: sign * (years ?? 1) * count } : { months: sign * months * count };
}

/** How a number of days lies to the one that it is counted from. */
interface Relation {
  words: RegExp;
  sign: 1 | -1;
  /** True if its origin may follow: "a week before the wedding". */
  mayName?: boolean;
  fromSaying?: boolean;
}

const RELATIONS: readonly Relation[] = [
  { words: /^(?:later|afterwards?|hence|on)$/, sign: 1 },
  { words: /(?:passed|elapsed|by|past)$/, sign: 1 },
  { words: /^time$/, sign: 1, fromSaying: true },
  { words: /^after$/, sign: 1, mayName: true },
  { words: /^before$/, sign: -1, mayName: true },
  { words: /^ago$/, sign: -1, fromSaying: true },
  { words: /^(?:earlier|previously|back)$/, sign: -1 },
];

/** "three days later", "a week before the wedding", "some years ago", "after two nights", "ten days passed". */
const COUNTED: Pattern = {
  words: new RegExp(
    `\\b(?:(?<lead>after|in|within) )?(?:${COUNT})?\\b${UNIT}(?:['’] (?<hence>time)\\b| (?<relation>later|afterwards?|hence|on(?=[,.;])|after|ago|earlier|previously|back(?=[,.;])|before|(?:had |have )?(?:passed|elapsed|went by|gone by|slipped by|went past|rolled by)))?\\b`,
    "giu",
  ),
  stays: ({ lead = "", relation = "" }) =>
    /^(?:in|within)$/i.test(lead) ||
    RELATIONS.some(({ words, sign }) => sign < 0 && words.test(relation.toLowerCase())),
  read: (groups, match) => {
    const { count, vague, about, unit = "" } = groups;
    const relation = relationOf(groups);
    const isMany = match[0].toLowerCase().includes(`${unit.toLowerCase()}s`);
    // "the day before" is for `BESIDE`.
    if (relation === undefined || ((count ?? vague) === undefined && !isMany)) return undefined;
    const number = count === undefined ? undefined : countOf(count);
    const step: Step = stepOf(unit.toLowerCase(), number, relation.sign);
    if (about !== undefined) step.about = true;
    if (relation.mayName && namesWhat(match)) step.fromElse = true;
    if (relation.fromSaying) step.fromSaying = true;
    return { kind: "relative", step };
  },
};

function relationOf({ lead = "", count, vague, hence, relation }: Groups): Relation | undefined {
  const isLed = /^after$/i.test(lead) && (count ?? vague) !== undefined;
  const said = relation ?? hence ?? (isLed ? "later" : "");
  return RELATIONS.find(({ words }) => words.test(said.toLowerCase()));
}

const LONE = new RegExp(`^${ALONE}`);

/** True if what the days are counted from follows: "after the wedding", and not "after that". */
function namesWhat({ input, index, 0: written }: RegExpExecArray): boolean {
  return !LONE.test(input.slice(index + written.length));
}

/** "the next morning", "the following week", "the previous evening". */
const NEXT: Pattern = {
  words: new RegExp(
    `\\b(?:(?<the>the|on the|upon the|all the) )?(?<which>next|following|ensuing|succeeding|previous|preceding) ${PART}\\b`,
    "giu",
  ),
  stays: ({ the, which = "", part = "" }, before) =>
    /^pre/i.test(which) ||
    (the === undefined && LONG_UNIT.test(part)) ||
    /\b(?:for|by|until|till|before) $/i.test(before),
  read: ({ the, which = "", part = "" }) => {
    const unit = part.toLowerCase();
    const step: Step = stepOf(unit in SIZES ? unit : "day", 1, /^pre/i.test(which) ? -1 : 1);
    if (the === undefined && LONG_UNIT.test(unit)) step.fromSaying = true; // "next week"
    return { kind: "relative", step, ...timeOf(unit) };
  },
};
const LONG_UNIT = /^(?:week|month|year)$/i;

/** "the day after", "the night before", "the week before last". */
const BESIDE: Pattern = {
  words:
    /\bthe (?:very )?(?<part>day|morning|evening|night|week|month|year) (?<side>after|before)(?<last> last)?(?! (?:tomorrow|to-morrow|yesterday))\b/gi,
  stays: ({ side = "" }) => /^before$/i.test(side),
  read: ({ part = "", side = "", last }, match) => {
    const unit = part.toLowerCase();
    const step: Step = stepOf(unit, last === undefined ? 1 : 2, /^before$/i.test(side) ? -1 : 1);
    if (last !== undefined) step.fromSaying = true;
    else if (namesWhat(match)) step.fromElse = true;
    return { kind: "relative", step, ...timeOf(unit) };
  },
};

function timeOf(unit: string): { time?: string } {
  return /^(?:day|week|month|year)$/.test(unit) ? {} : { time: unit };
}

const SPOKEN: Readonly<Record<string, number>> = {
  today: 0,
  tonight: 0,
  tomorrow: 1,
  yesterday: -1,
};

/** "tomorrow", "the day before yesterday", "last night", "last week". */
const FROM_TODAY: Pattern = {
  words:
    /\b(?:(?<beyond>(?:the )?day (?:after|before) )?(?<day>to-?day|to-?night|to-?morrow|yesterday)(?: (?<part>morning|afternoon|evening|night|noon))?(?!['’]s)|last (?<last>night|evening|week|month|year))\b/gi,
  stays: () => true,
  read: ({ beyond, day = "", part, last }) => {
    if (last !== undefined) {
      const unit = last.toLowerCase();
      const time = /^(?:night|evening)$/.test(unit) ? { time: unit } : {};
      return { kind: "relative", step: { ...stepOf(unit, 1, -1), fromSaying: true }, ...time };
    }
    const word = day.toLowerCase().replace("-", "");
    const days = (SPOKEN[word] ?? 0) * (beyond === undefined ? 1 : 2);
    const time = word === "tonight" ? "night" : part?.toLowerCase();
    return { kind: "relative", step: { days, fromSaying: true }, ...(time === undefined ? {} : { time }) };
  },
};

/** "that night", "the same evening", "this morning". */
const SAME_DAY: Pattern = {
  words:
    /\b(?:that(?: very| same)?|the(?: very)? same|this) (?<part>morning|forenoon|afternoon|evening|night|day)\b(?!s|['’]s)/gi,
  stays: () => true,
  read: ({ part = "" }) => {
    const time = part.toLowerCase() === "day" ? {} : { time: part.toLowerCase() };
    return { kind: "relative", step: { days: 0 }, ...time };
  },
};

/** "One morning", at the beginning of a sentence: which is not said. */
const ONE_DAY: Pattern = {
  words: /(?<=^|[.!?…”"] )One (?:[a-z]+ )?(?<part>morning|afternoon|evening|night|day)\b(?= |,)/g,
  stays: () => false,
  read: ({ part = "" }) => ({ kind: "relative", step: {}, ...(part === "day" ? {} : { time: part }) }),
};

/** Patterns of times counted from another one; where two overlap, the first counts. */
export const STEP_PATTERNS: readonly Pattern[] = [COUNTED, NEXT, BESIDE, FROM_TODAY, SAME_DAY, ONE_DAY];
