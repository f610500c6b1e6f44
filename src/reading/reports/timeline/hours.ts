import { numberOf } from "../../text/numbers.ts";
import type { Pattern } from "./pattern.ts";

const HOUR = "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|1[0-2]|[1-9])";
const HALF_OF_DAY =
  "(?:,? (?:(?<am>a\\.?\\s?m\\b\\.?|in the (?:early )?morning|that morning)|(?<pm>p\\.?\\s?m\\b\\.?|in the (?:early |late )?(?:afternoon|evening)|at night|that (?:afternoon|evening|night))))";

/** "half past nine", "a quarter to ten in the evening", "three o’clock", "7.15 p.m.", "at 14:30". */
const CLOCK: Pattern = {
  words: new RegExp(
    `\\b(?:(?:(?<part>half|(?:a )?quarter|ten minutes|twenty minutes|five minutes)[- ](?<side>past|after|to|before)[- ])(?<hour>${HOUR})\\b(?: o['’]clock)?|(?<hour2>${HOUR}) o['’]clock|(?<digits>(?:[01]?\\d|2[0-3])[:.][0-5]\\d)(?=,? ?(?:a\\.?m|p\\.?m|[a-z]))|(?<hour3>${HOUR}) ?(?=a\\.m\\.|p\\.m\\.|am\\b|pm\\b))${HALF_OF_DAY}?`,
    "giu",
  ),
  stays: () => true,
  read: (groups, match, before) => {
    const { digits, hour, hour2, hour3, am, pm } = groups;
    if (digits !== undefined) {
      const isTime =
        am !== undefined ||
        pm !== undefined ||
        (digits.includes(":") && /\b(?:at|by|until|till|the) $/i.test(before));
      if (!isTime) return undefined;
      const [hours = 0, minutes = 0] = digits.split(/[:.]/).map(Number);
      return { kind: "timeOfDay", time: clockTime(hours, minutes, am, pm) };
    }
    const hours = numberOf(hour ?? hour2 ?? hour3 ?? "");
    if (hours === undefined || match[0] === "") return undefined;
    return { kind: "timeOfDay", time: clockTime(...minutesPast(hours, groups), am, pm) };
  },
};

function minutesPast(
  hours: number,
  { part = "", side = "" }: Readonly<Record<string, string | undefined>>,
): [hours: number, minutes: number] {
  const word = part.toLowerCase();
  const minutes =
    word === "half"
      ? 30
      : word.endsWith("quarter")
        ? 15
        : word === ""
          ? 0
          : (numberOf(word.split(" ")[0] ?? "") ?? 0);
  const isBack = /^(?:to|before)$/i.test(side);
  return isBack ? [hours === 1 ? 12 : hours - 1, 60 - minutes] : [hours, minutes];
}

/** "21:30" where the half of the day is said or plain; else as on the face of a clock, "9:30". */
function clockTime(hours: number, minutes: number, am: string | undefined, pm: string | undefined): string {
  const two = (value: number) => String(value).padStart(2, "0");
  if (am !== undefined && hours <= 12) return `${two(hours % 12)}:${two(minutes)}`;
  // "twelve at night" is midnight, "one at night" an hour later.
  if (pm !== undefined && hours <= 12) {
    const isNight = /night/i.test(pm) && (hours === 12 || hours < 5);
    return `${two(isNight ? hours % 12 : (hours % 12) + 12)}:${two(minutes)}`;
  }
  return hours > 12 ? `${two(hours)}:${two(minutes)}` : `${hours}:${two(minutes)}`;
}

/** "at dawn", "towards midnight", "late in the afternoon". */
const PARTS: Pattern = {
  words:
    /\b(?:(?:at|before|after|about|towards?|until|till|by|past|since) (?<time>noon|midday|mid-day|midnight|dawn|daybreak|sunrise|sunset|sundown|dusk|nightfall|twilight)|(?:in|during|late in|early in) the (?:(?:early|late|small hours of the) )?(?<part>morning|forenoon|afternoon|evening))\b(?![-’']| (?:of life|star|sun|air|light|prayers?|dress|paper|papers|room|meal|service|sky|breeze))/gi,
  stays: () => true,
  read: ({ time, part }) => ({
    kind: "timeOfDay",
    time: (time ?? part ?? "").toLowerCase().replace("mid-day", "midday"),
  }),
};

/** Times of a day; where two overlap, the first counts. */
export const HOUR_PATTERNS: readonly Pattern[] = [CLOCK, PARTS];
