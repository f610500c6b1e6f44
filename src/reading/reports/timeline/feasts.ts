import { dateAt, serialOf, weekdayAt } from "../../calendar.ts";
import type { Pattern } from "./pattern.ts";

/** A feast: its words, and the day of a year on which it falls. */
interface Feast {
  words: string;
  /** Month and day; or days from Easter Sunday; or what counts them out of a year. */
  falls: readonly [month: number, day: number] | number | ((year: number) => number | undefined);
}

/** Thanksgiving, the fourth Thursday of November: it has fallen so, a few years apart, since 1863. */
function thanksgiving(year: number): number | undefined {
  const first = serialOf(year, 11, 1);
  const weekday = first === undefined ? undefined : weekdayAt(first);
  return first === undefined || weekday === undefined ? undefined : first + ((4 - weekday + 7) % 7) + 21;
}

// Of two that begin alike the longer comes first.
const FEASTS: readonly Feast[] = [
  { words: "Christmas Eve", falls: [12, 24] },
  { words: "Boxing Day|St\\.? Stephen['’]s Day", falls: [12, 26] },
  { words: "Christmas(?:[- ](?:Day|time|morning|night|evening))?|Yuletide", falls: [12, 25] },
  { words: "New Year['’]s Eve|Hogmanay", falls: [12, 31] },
  { words: "New Year['’]s(?: Day| morning| night)?", falls: [1, 1] },
  { words: "Twelfth Night", falls: [1, 5] },
  { words: "Epiphany", falls: [1, 6] },
  { words: "Candlemas", falls: [2, 2] },
  { words: "(?:St\\.? |Saint )?Valentine['’]s Day", falls: [2, 14] },
  { words: "(?:St\\.? |Saint )Patrick['’]s Day", falls: [3, 17] },
  { words: "Lady Day", falls: [3, 25] },
  { words: "All Fools['’] Day|April Fools?['’] Day", falls: [4, 1] },
  { words: "May Day", falls: [5, 1] },
  { words: "Midsummer(?:['’]s)? (?:Eve|Night)", falls: [6, 23] },
  { words: "Midsummer(?: Day)?|St\\.? John['’]s Day", falls: [6, 24] },
  { words: "Lammas(?: Day)?", falls: [8, 1] },
  { words: "Michaelmas(?: Day)?", falls: [9, 29] },
  { words: "Hallowe['’]?en|All Hallows['’]? Eve", falls: [10, 31] },
  { words: "All Saints['’]? Day|All Hallows", falls: [11, 1] },
  { words: "All Souls['’]? (?:Day|Night)", falls: [11, 2] },
  { words: "Guy Fawkes (?:Day|Night)|Bonfire Night", falls: [11, 5] },
  { words: "Martinmas", falls: [11, 11] },
  { words: "Thanksgiving(?: Day)?", falls: thanksgiving },
  { words: "Shrove Tuesday|Mardi Gras", falls: -47 },
  { words: "Ash Wednesday", falls: -46 },
  { words: "Palm Sunday", falls: -7 },
  { words: "Maundy Thursday", falls: -3 },
  { words: "Good Friday", falls: -2 },
  { words: "Easter Monday", falls: 1 },
  { words: "Easter(?: (?:Day|Sunday|morning))?", falls: 0 },
  { words: "Ascension Day", falls: 39 },
  { words: "Whit Monday", falls: 50 },
  { words: "Whit(?:sun(?:day|tide)?| Sunday)|Pentecost", falls: 49 },
  { words: "Corpus Christi", falls: 60 },
];

const KNOWN = FEASTS.map(({ words, falls }) => ({ is: new RegExp(`^(?:${words})$`), falls }));
const WORDS = FEASTS.map(({ words }) => words).join("|");

/** "on Christmas Eve", "at Michaelmas", "Easter came"; no Christmas tree, and nobody is wished a merry one. */
export const FEAST: Pattern = {
  words: new RegExp(
    `\\b(?<feast>${WORDS})\\b(?!['’-]| (?:tree|trees|present|presents|card|cards|box|carols?|puddings?|cakes?|stockings?|lists?|shopping|gifts?|holidays|eggs?|bonnets?|daisies|daisy|term|candles?|roses?)\\b)(?:,? (?:of )?(?<year>(?:1\\d|20)\\d\\d)\\b)?`,
    "gu",
  ),
  read: ({ feast = "", year }, _, before) =>
    /\b(?:merry|happy|father|old|mr\.?|mrs\.?|miss) $/i.test(before)
      ? undefined
      : { kind: "feast", feast, year: year === undefined ? undefined : Number(year) },
};

/** The day on which a feast falls every year; undefined if it moves. */
export function fixedDay(feast: string): { month: number; day: number } | undefined {
  const falls = KNOWN.find(({ is }) => is.test(feast))?.falls;
  return typeof falls === "object" ? { month: falls[0], day: falls[1] } : undefined;
}

/** The day on which a feast that moves falls in a year. */
export function movedDay(feast: string, year: number): { month: number; day: number } | undefined {
  const falls = KNOWN.find(({ is }) => is.test(feast))?.falls;
  if (falls === undefined || typeof falls === "object") return undefined;
  const serial = typeof falls === "number" ? easterOf(year) + falls : falls(year);
  return serial === undefined ? undefined : dateAt(serial);
}

/** Easter Sunday of the western churches, in days since 1970-01-01. Source: Meeus 1998, chapter 8. */
function easterOf(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const days = h + l - 7 * m + 114;
  return serialOf(year, Math.floor(days / 31), (days % 31) + 1) ?? 0; // March or April has that day
}
