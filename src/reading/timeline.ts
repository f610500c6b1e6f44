import { WEEKDAYS } from "./calendar.ts";
import type { ChapterTimes } from "./learn-times.ts";
import {
  daysBetween,
  isoOf,
  type Known,
  shifted,
  weekdayOfKnown,
  withYear,
} from "./reports/timeline/clock.ts";
import { fixedDay, movedDay } from "./reports/timeline/feasts.ts";
import type { PlacedMark, Said, Step } from "./reports/timeline/time-marks.ts";

/** A time that the book tells, counted as far as it can be. */
export interface TimeTold {
  mark: PlacedMark;
  /** The date in as much of ISO 8601 as is known. */
  value: string | null;
  weekday: string | null;
  time: string | null;
  /** Days from the anchor; null where months or years lie between, or it cannot be placed. */
  days: number | null;
  /** The place in the list of what days are counted from; null is the beginning of the book. */
  anchor: number | null;
  years: number | null;
  differs: string | null;
  unplaced: string | null;
}

/** The story's present. */
interface Clock {
  known: Known;
  /** Undefined if it cannot be said how many days have passed since the anchor. */
  days: number | undefined;
  anchor: number | null;
}

/** The day that was told last. */
interface Told {
  /** The story's present before it. */
  clock: Clock;
  hasMoved: boolean;
  known: Known;
  days: number | undefined;
}

/** A mark's result: a day, or why there is none. */
interface Reckoned {
  known?: Known | undefined;
  days?: number | undefined;
  /** The story is there from now on; `anchor` if days are counted from here. */
  moves?: "on" | "anchor";
  differs?: string | undefined;
  unplaced?: string | undefined;
}

/** How often a month's or a weekday's name must be somebody's, so that it says a time only with a number beside it. */
const NAMED_OFTEN = 2;

/** The times of a book's chapters, in reading order, each counted from those before it. */
export function timelineOf(chapters: readonly ChapterTimes[]): TimeTold[][] {
  const names = new Map<string, number>();
  for (const chapter of chapters)
    for (const [name, count] of chapter.names) names.set(name, (names.get(name) ?? 0) + count);
  const reckoner = new Reckoner();
  return chapters.map(({ marks }) =>
    marks.filter((mark) => !isName(mark, names)).map((mark) => reckoner.tell(mark)),
  );
}

function isName({ said, words }: PlacedMark, names: ReadonlyMap<string, number>): boolean {
  if (said.kind !== "weekday" && !(said.kind === "month" && said.year === undefined)) return false;
  if (names.size === 0) return false;
  const name = /\p{Lu}\p{Ll}+/u.exec(words)?.[0] ?? "";
  return (names.get(name.replace(/days$/, "day")) ?? 0) >= NAMED_OFTEN;
}

class Reckoner {
  #clock: Clock = { known: {}, days: 0, anchor: null };
  #before: Told | undefined;
  #count = 0;

  tell(mark: PlacedMark): TimeTold {
    const place = this.#count++;
    const before = mark.joined ? this.#before : undefined;
    const reckoned = before === undefined ? reckon(mark, this.#clock) : restated(mark, this.#clock, before);
    const { known = {}, moves, unplaced } = reckoned;
    const hasMoved = moves !== undefined && !mark.quoted && !(mark.stays && mark.said.kind !== "relative");
    const isAnchor = hasMoved && moves === "anchor";
    const days = isAnchor ? 0 : reckoned.days;
    const was = before?.clock ?? this.#clock;
    const anchor = isAnchor ? place : this.#clock.anchor;
    if (hasMoved) this.#clock = { known, days, anchor };
    // An hour between two days parts them, and of a guess no day is sure: "about three days later, on a Tuesday".
    this.#before =
      saysADay(mark.said) && unplaced === undefined && !isAbout(mark.said)
        ? { clock: was, hasMoved: hasMoved || before?.hasMoved === true, known, days }
        : undefined;
    return { mark, ...shown(mark.said, reckoned), days: days ?? null, anchor };
  }
}

const isAbout = (said: Said): boolean => said.kind === "relative" && said.step.about === true;
const saysADay = ({ kind }: Said): boolean => kind !== "age" && kind !== "timeOfDay";

function shown(
  said: Said,
  { known = {}, differs, unplaced }: Reckoned,
): Omit<TimeTold, "mark" | "days" | "anchor"> {
  const weekday = weekdayOfKnown(known);
  return {
    value: isoOf(known),
    weekday: WEEKDAYS[weekday ?? -1] ?? null,
    time: said.kind === "timeOfDay" || said.kind === "relative" ? (said.time ?? null) : null,
    years: said.kind === "age" ? said.years : null,
    differs: differs ?? null,
    unplaced: unplaced ?? null,
  };
}

/** Words that say once more what those right before them say: "three days later, on Tuesday 16 May". */
function restated(mark: PlacedMark, clock: Clock, before: Told): Reckoned {
  const { said } = mark;
  const { known, days, hasMoved } = before;
  if (said.kind === "weekday" && said.which !== "habit") {
    const expected = weekdayOfKnown(known);
    const differs = expected === undefined || expected === said.weekday ? undefined : isA(expected, known);
    return { known: { ...known, weekday: said.weekday }, days, ...(hasMoved ? ON : {}), differs };
  }
  if (said.kind === "relative" && hasMoved && !mark.stays && countsOn(said.step)) {
    const counted = shifted(before.clock.known, said.step);
    return { known, days, differs: said.step.about ? undefined : mismatch(counted, known) };
  }
  if (said.kind !== "date") return reckon(mark, clock);
  const reckoned = reckon(mark, hasMoved ? before.clock : clock);
  return { ...reckoned, differs: reckoned.differs ?? mismatch(known, reckoned.known ?? {}) };
}

const ON = { moves: "on" } as const;
const ANCHOR = { moves: "anchor" } as const;

function countsOn({ days = 0, fromElse, fromSaying }: Step): boolean {
  return days > 0 && !fromElse && !fromSaying;
}

/** Why two counts of one day do not go together: undefined if they do, or if that cannot be said. */
function mismatch(counted: Known, told: Known): string | undefined {
  const between = daysBetween(counted, told);
  const weekdays = [weekdayOfKnown(counted), weekdayOfKnown(told)];
  const isOther =
    between === undefined
      ? weekdays[0] !== undefined && weekdays[1] !== undefined && weekdays[0] !== weekdays[1]
      : between !== 0;
  return isOther ? `counted from the day before, it is ${dayInWords(counted)}` : undefined;
}

function isA(weekday: number, known: Known): string {
  const date = isoOf(known);
  return `${date ?? "counted from the day before, it"} is a ${WEEKDAYS[weekday] ?? ""}`;
}

function dayInWords(known: Known): string {
  const weekday = weekdayOfKnown(known);
  return [weekday === undefined ? undefined : WEEKDAYS[weekday], isoOf(known)].filter(Boolean).join(" ");
}

/** Where a mark is, counted from where the story is. */
function reckon(mark: PlacedMark, clock: Clock): Reckoned {
  const { said } = mark;
  switch (said.kind) {
    case "age":
      return {};
    case "timeOfDay":
      return { known: clock.known, days: clock.days };
    case "date":
      return reckonDate(said, clock, said.weekday);
    case "dayOfMonth":
      return reckonDayOfMonth(said.day, clock);
    case "feast":
      return reckonFeast(said, clock);
    case "weekday":
      return reckonWeekday(said, clock);
    case "relative":
      return reckonStep(mark, said, clock);
    default:
      return reckonSpan(said, clock);
  }
}

function reckonDate(date: Known, { known: told }: Clock, stated: number | undefined): Reckoned {
  const known: Known = withYear({ year: date.year, month: date.month, day: date.day }, told);
  const between = daysBetween(told, known);
  const toldWeekday = weekdayOfKnown(told);
  // Without a year, weekdays are counted on from the last one for a while: beyond that there may be a 29 February.
  const counted =
    known.year === undefined && between !== undefined && toldWeekday !== undefined && Math.abs(between) < 60
      ? (((toldWeekday + between) % 7) + 7) % 7
      : weekdayOfKnown(known);
  const weekday = stated ?? counted;
  const differs =
    stated !== undefined && counted !== undefined && stated !== counted ? isA(counted, known) : undefined;
  return { known: { ...known, weekday }, moves: "anchor", differs };
}

function reckonDayOfMonth(day: number, clock: Clock): Reckoned {
  const { year, month, day: today = 0 } = clock.known;
  if (month === undefined) return { unplaced: "no month is told before it" };
  const next = day < today ? shifted({ year, month }, { months: 1 }) : { year, month };
  return reckonDate({ ...next, day }, clock, undefined);
}

function reckonFeast(said: Extract<Said, { kind: "feast" }>, clock: Clock): Reckoned {
  const year = said.year ?? clock.known.year;
  const day = fixedDay(said.feast) ?? (year === undefined ? undefined : movedDay(said.feast, year));
  if (day === undefined)
    return { unplaced: "its day moves with the year, and no year is told before it", moves: "anchor" };
  return reckonDate(
    { ...day, year: fixedDay(said.feast) === undefined ? year : said.year },
    clock,
    undefined,
  );
}

function reckonWeekday({ weekday, which }: Extract<Said, { kind: "weekday" }>, clock: Clock): Reckoned {
  if (which === "habit") return { unplaced: "a habit, and no one day" };
  const today = weekdayOfKnown(clock.known);
  if (today === undefined)
    return {
      known: { weekday },
      ...(which === "plain" ? { moves: "anchor" as const } : {}),
      unplaced: "no weekday is told before it to count from",
    };
  const ahead = (weekday - today + 7) % 7;
  const days = which === "next" ? ahead || 7 : which === "last" ? ahead - 7 : ahead;
  return {
    known: shifted(clock.known, { days }),
    days: clock.days === undefined ? undefined : clock.days + days,
    ...(which === "plain" ? { moves: "on" as const } : {}),
  };
}

function reckonStep(
  { quoted, stays }: PlacedMark,
  { step }: Extract<Said, { kind: "relative" }>,
  clock: Clock,
): Reckoned {
  if (step.fromElse) return { unplaced: "it is counted from something that the sentence names" };
  if (quoted && !step.fromSaying && step.days !== 0)
    return { unplaced: "somebody says it, and counts from what is spoken of" };
  const hasNoSize = (step.days ?? step.months ?? step.years) === undefined;
  // A month or a year on, days cannot be counted any more: they begin anew.
  const moves = stays ? {} : step.days === undefined ? ANCHOR : ON;
  if (hasNoSize) return { known: {}, ...moves, unplaced: "how long is not said" };
  const days = step.days === undefined || clock.days === undefined ? undefined : clock.days + step.days;
  const known = shifted(clock.known, step);
  const isKnown = (days ?? isoOf(known) ?? weekdayOfKnown(known) ?? null) !== null;
  return {
    known,
    days,
    ...moves,
    ...(isKnown ? {} : { unplaced: "no day is told before it to count from" }),
  };
}

function reckonSpan(
  said: Extract<Said, { kind: "month" | "year" | "season" }>,
  { known: told, days }: Clock,
): Reckoned {
  if (said.kind === "season")
    return said.year === undefined
      ? { known: {}, moves: "anchor", unplaced: "no year is told with it" }
      : { known: { year: said.year }, moves: "anchor" };
  if (said.kind === "year")
    return { known: { year: said.year }, ...(told.year === said.year ? {} : { moves: "anchor" }) };
  const known = withYear({ year: said.year, month: said.month }, told);
  const isNow = told.month === said.month && (known.year === undefined || known.year === told.year);
  return isNow ? { known, days } : { known, moves: "anchor" };
}
