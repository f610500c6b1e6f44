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
