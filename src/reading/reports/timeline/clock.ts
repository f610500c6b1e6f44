import { dateAt, serialOf, weekdayAt } from "../../calendar.ts";
import type { Step } from "./time-marks.ts";

/** A day of which each part may be unknown. */
export interface Known {
  year?: number | undefined;
  /** 1 for January. */
  month?: number | undefined;
  day?: number | undefined;
  /** 0 for Sunday; told, or counted from one that was told. */
  weekday?: number | undefined;
}

/** Where a date without a year is reckoned: a year without a 29 February. */
const SOME_YEAR = 2001;

/** A day in days since 1970-01-01; of a date without its year in some year. Undefined if month or day is not known. */
function serialIn({ year, month, day }: Known): number | undefined {
  if (month === undefined || day === undefined) return undefined;
  return (
    serialOf(year ?? SOME_YEAR, month, day) ?? (year === undefined ? serialOf(2000, month, day) : undefined)
  );
}

/** The weekday of a day, counted from its date if that has a year. */
export function weekdayOfKnown(known: Known): number | undefined {
  const serial = known.year === undefined ? undefined : serialIn(known);
  return (serial === undefined ? undefined : weekdayAt(serial)) ?? known.weekday;
}

/** The date in as much of ISO 8601 as is known: `1893-05-12`, `--05-12`, `1893-05`, `--05`, `1893`; null of nothing. */
export function isoOf({ year, month, day }: Known): string | null {
  const two = (value: number) => String(value).padStart(2, "0");
  const years = year === undefined ? "-" : String(year).padStart(4, "0");
  if (month === undefined) return year === undefined ? null : years;
  return day === undefined ? `${years}-${two(month)}` : `${years}-${two(month)}-${two(day)}`;
}

/** The day so far from another. Months and years say no day: "three months later" is some day of that month. */
export function shifted(known: Known, { days, months, years }: Step): Known {
  if (years !== undefined) return known.year === undefined ? {} : { year: known.year + years };
  if (months !== undefined) {
    if (known.month === undefined) return {};
    const total = known.month - 1 + months;
    const year = known.year === undefined ? undefined : known.year + Math.floor(total / 12);
    return { year, month: (((total % 12) + 12) % 12) + 1 };
  }
  if (days === undefined) return {};
  if (days === 0) return known;
  const from = weekdayOfKnown(known);
  const weekday = from === undefined ? undefined : (((from + days) % 7) + 7) % 7;
  const serial = serialIn(known);
  if (serial === undefined) return { weekday };
  const { year, month, day } = dateAt(serial + days);
  return { year: known.year === undefined ? undefined : year, month, day, weekday };
}

/** A date so far behind the day that is told is one of the next year: January after December. In days. */
const TOO_FAR_BACK = 180;
/** And so far ahead it is one of the year before. */
const TOO_FAR_AHEAD = 270;

/** The day with its year: that of the day that is told, where that has one, unless it would lie too far away then. */
export function withYear(date: Known, told: Known): Known {
  if (date.year !== undefined || told.year === undefined || date.month === undefined) return date;
  const { year, month = 6, day = 15 } = told;
  const start = serialIn({ year, month, day });
  const end = serialIn({ year, month: date.month, day: date.day ?? 15 });
  const ahead = start === undefined || end === undefined ? 0 : end - start;
  return { ...date, year: ahead < -TOO_FAR_BACK ? year + 1 : ahead > TOO_FAR_AHEAD ? year - 1 : year };
}

/** How many days lie between two days, if both are known well enough. */
export function daysBetween(from: Known, to: Known): number | undefined {
  if ((from.year === undefined) !== (to.year === undefined)) return undefined;
  const [start, end] = [serialIn(from), serialIn(to)];
  return start === undefined || end === undefined ? undefined : end - start;
}
