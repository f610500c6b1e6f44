import {
  DATE,
  dateOf,
  serialOf,
  WEEKDAY,
  WEEKDAYS,
  weekdayAt,
  weekdayOf,
} from "../../../reading/calendar.ts";
import { DAY_WORDS } from "../../../reading/learn-times.ts";
import { evidenceAt, type Found, type ProsePassage, type Rule } from "./passages.ts";
import { findSpans } from "./spans.ts";

const BEFORE = new RegExp(
  `\\b(?<weekday>${WEEKDAY})\\b\\.?(?: (?:night|morning|afternoon|evening))?(?:,? (?:on |that is |being )?| ?[—–-] ?|: | \\()(?<date>${DATE})(?![\\w])`,
  "gd",
);
const BEHIND = new RegExp(
  `\\b(?<date>${DATE}),? (?:\\(|(?:which )?(?:was(?: (?:headed|marked|put down as|entered as|dated))?|is|had been|fell on|falls on|being) (?:to be )?)?(?:an? |the )?(?<weekday>${WEEKDAY})\\b`,
  "gd",
);
/**
 * Dates whose weekday is another: "Sunday, 2 February 1953" was a Monday. Only dates with their year are read. And days
 * that do not fit the day told before.
 */
export const weekdays: Rule = {
  reads: DAY_WORDS,
  find: (_, passages) => [...findWeekdays(passages), ...findSpans(passages)],
};

function findWeekdays(passages: readonly ProsePassage[]): Found[] {
  return passages.flatMap((passage) =>
    datesIn(passage).flatMap(({ weekday, date, serial }) => {
      const day = weekdayAt(serial);
      const stated = passage.text.slice(...weekday);
      if (day === undefined || day === weekdayOf(stated)) return [];
      const real = WEEKDAYS[day]!; // there are seven
      const written = passage.text.slice(...date);
      return [
        {
          type: "contradiction" as const,
          severity: "warn" as const,
          message: `“${stated}” does not go with “${written}”, which was a ${real}.`,
          factId: null,
          evidence: [evidenceAt(passage, ...weekday), evidenceAt(passage, ...date)],
          suggestion: stated.endsWith("day") ? real : real.slice(0, 3),
          confidence: 0.95,
          claim: ["weekday", stated, written],
        },
      ];
    }),
  );
}

interface Dated {
  weekday: [number, number];
  date: [number, number];
  /** Days since 1970-01-01. */
  serial: number;
}

/** The full dates of a passage that have a weekday next to them. */
function datesIn({ text }: ProsePassage): Dated[] {
  const found = [...text.matchAll(BEFORE), ...text.matchAll(BEHIND)].flatMap(({ groups = {}, indices }) => {
    const { weekday, date } = indices?.groups ?? {};
    const { year, month, day } = dateOf(groups);
    if (year === undefined || weekday === undefined || date === undefined) return [];
    const serial = serialOf(year, month, day);
    return serial === undefined ? [] : [{ weekday, date, serial }];
  });
  // A date between two weekdays belongs to the one before it.
  return found.filter((one, index) => !found.slice(0, index).some((other) => other.date[0] === one.date[0]));
}
