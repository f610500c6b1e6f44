import { DAY, ordinalOf, YEAR, yearOf } from "./numbers.ts";
import { evidenceAt, type Found, type ProsePassage, type Rule } from "./passages.ts";

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);
const WEEKDAY = "(?:Sun|Mon|Tues?|Wed(?:nes)?|Thur?s?|Fri|Sat(?:ur)?)(?:day)?";
const MONTH =
  "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)";
const DATE = `(?:(?:the )?(?<day>${DAY}) (?:day )?(?:of )?(?<month>${MONTH})\\.?|(?<month2>${MONTH})\\.? (?:the )?(?<day2>${DAY}))(?:,? (?:in )?(?:the year )?(?<year>${YEAR})\\b)?`;
const BEFORE = new RegExp(
  `\\b(?<weekday>${WEEKDAY})\\b\\.?(?: (?:night|morning|afternoon|evening))?(?:,? (?:on |that is |being )?| ?[—–-] ?|: | \\()(?<date>${DATE})(?![\\w])`,
  "gd",
);
const BEHIND = new RegExp(
  `\\b(?<date>${DATE}),? (?:\\(|(?:which )?(?:was(?: (?:headed|marked|put down as|entered as|dated))?|is|had been|fell on|falls on|being) (?:to be )?)?(?:an? |the )?(?<weekday>${WEEKDAY})\\b`,
  "gd",
);
/** Britain's first day of the calendar that weekdays are counted in. */
const FIRST_DAY = Date.UTC(1752, 8, 14);

/** Dates whose weekday is another: "Sunday, 2 February 1953" was a Monday. Only dates with their year are read. */
export const weekdays: Rule = {
  reads: new RegExp(`\\b${WEEKDAY}\\b`),
  find: (_, passages) => findWeekdays(passages),
};

function findWeekdays(passages: readonly ProsePassage[]): Found[] {
  return passages.flatMap((passage) =>
    datesIn(passage).flatMap(({ weekday, date, day, month, year }) => {
      const at = Date.UTC(year, month, day);
      const real = WEEKDAYS[new Date(at).getUTCDay()] ?? "";
      if (at < FIRST_DAY || new Date(at).getUTCDate() !== day) return [];
      const stated = passage.text.slice(...weekday);
      if (real.startsWith(stated.slice(0, 3))) return [];
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
  day: number;
  /** 0 for January. */
  month: number;
  year: number;
}

/** The full dates of a passage that have a weekday next to them. */
function datesIn({ text }: ProsePassage): Dated[] {
  const found = [...text.matchAll(BEFORE), ...text.matchAll(BEHIND)].flatMap(({ groups, indices }) => {
    const { day, day2, month, month2, year } = groups ?? {};
    const { weekday, date } = indices?.groups ?? {};
    if (year === undefined || weekday === undefined || date === undefined) return [];
    return {
      weekday,
      date,
      day: ordinalOf(day ?? day2 ?? "") ?? 0,
      month: MONTHS.findIndex((name) => name.startsWith((month ?? month2 ?? "").slice(0, 3))),
      year: yearOf(year) ?? 0,
    };
  });
  // A date between two weekdays belongs to the one before it.
  return found.filter((one, index) => !found.slice(0, index).some((other) => other.date[0] === one.date[0]));
}
