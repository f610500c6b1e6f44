import { DAY, ordinalOf, YEAR, yearOf } from "./text/numbers.ts";

/** The days of the week as `Date` counts them. */
export const WEEKDAYS: readonly string[] = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
];

const MONTHS: readonly string[] =
  "January February March April May June July August September October November December".split(" ");

/** A regular expression's source for a weekday, cut short or not. */
export const WEEKDAY = "(?:Sun|Mon|Tues?|Wed(?:nes)?|Thur?s?|Fri|Sat(?:ur)?)(?:day)?";
/** Pattern of a month. */
const MONTH =
  "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)";
/** Pattern of a day of a month, with its year or without: `dateOf` reads its groups. */
export const DATE = `(?:(?:the )?(?<day>${DAY}) (?:day )?(?:of )?(?<month>${MONTH})\\.?|(?<month2>${MONTH})\\.? (?:the )?(?<day2>${DAY}))(?:,? (?:in )?(?:the year )?(?<year>${YEAR})\\b)?`;

/** A day of the calendar, of some year or of none. */
export interface CalendarDate {
  year: number | undefined;
  /** 1 for January. */
  month: number;
  day: number;
}

/** The date that the groups of `DATE` say. */
export function dateOf(groups: Readonly<Record<string, string | undefined>>): CalendarDate {
  const { day, day2, month, month2, year } = groups;
  return {
    year: year === undefined ? undefined : yearOf(year),
    month: monthOf(month ?? month2 ?? ""),
    day: ordinalOf(day ?? day2 ?? "") ?? 0,
  };
}

/** The number of a month's name, cut short or not: 1 for "Jan"; 0 for anything else. */
export function monthOf(name: string): number {
  const start = name.slice(0, 3);
  return start.length < 3 ? 0 : MONTHS.findIndex((month) => month.startsWith(start)) + 1;
}

/** The number of a weekday's name, cut short or not: 5 for "Fri"; -1 for anything else. */
export function weekdayOf(name: string): number {
  const start = name.slice(0, 3);
  return start.length < 3 ? -1 : WEEKDAYS.findIndex((day) => day.startsWith(start));
}

const DAY_MS = 86_400_000;
/** Britain's first day of the calendar that weekdays are counted in. */
const FIRST_DAY = Date.UTC(1752, 8, 14) / DAY_MS;

/** Days since 1970-01-01; undefined for a day that its month does not have. */
export function serialOf(year: number, month: number, day: number): number | undefined {
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day ? at.getTime() / DAY_MS : undefined;
}

/** The date of so many days since 1970-01-01. */
export function dateAt(serial: number): CalendarDate & { year: number } {
  const at = new Date(serial * DAY_MS);
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
}

/** The weekday of so many days since 1970-01-01; undefined before weekdays are counted as they are now. */
export function weekdayAt(serial: number): number | undefined {
  return serial < FIRST_DAY ? undefined : new Date(serial * DAY_MS).getUTCDay();
}
