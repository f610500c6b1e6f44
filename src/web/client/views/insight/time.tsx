import type { JSX } from "preact";
import { groupBy } from "../../../../text/group-by.ts";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { counted, day } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { Highlighted, useMost } from "../../parts/view-head.tsx";
import { Strip } from "./strip.tsx";

type Told = Answer<"readTimeline">["times"][number];

const STEP = 60;
const DAY_MS = 86_400_000;
/** Days without a time from which on that is said, and how many such gaps are. */
const LONG_GAP = 7;
const GAPS = 3;

/** The times that the prose tells: those that do not fit, a calendar of the story, and all of them in reading order. */
export function Time({ bookId }: { bookId: string }): JSX.Element {
  const read = useRead("readTimeline", { params: { bookId } });
  return <Await read={read}>{({ times }) => <Times bookId={bookId} times={times} />}</Await>;
}

function Times({ bookId, times }: { bookId: string; times: readonly Told[] }): JSX.Element {
  const [most, more] = useMost(times.length, STEP);
  if (times.length === 0) return <p class="empty">The prose tells no day and no hour.</p>;
  const clashes = times.filter(({ differs }) => differs !== null);
  return (
    <>
      {clashes.length > 0 && (
        <section>
          <h2>Does not fit</h2>
          <List bookId={bookId} times={clashes} />
        </section>
      )}
      <Calendar bookId={bookId} times={times} />
      <section>
        <h2>In reading order</h2>
        <List bookId={bookId} times={times.slice(0, most)} />
        {more}
      </section>
    </>
  );
}

/** A time, and the day that it stands for, counted from any day that is the same for all. */
interface Point {
  time: Told;
  at: number;
}

/** The times of the story whose date is known; where fewer than two are, those whose days can be counted from its beginning. */
function placed(times: readonly Told[]): Point[] {
  const told = times.filter(({ quoted }) => !quoted);
  let last = Number.NEGATIVE_INFINITY;
  const dated = told.flatMap((time): Point[] => {
    const at = dayOf(time.value, last);
    if (at === undefined) return [];
    last = at;
    return [{ time, at }];
  });
  if (dated.length > 1) return dated;
  const days = new Map<number, number>();
  for (const { number, anchor, days: after } of told) {
    const from = anchor === null ? 0 : days.get(anchor);
    if (after !== null && from !== undefined) days.set(number, from + after);
  }
  return told.flatMap((time): Point[] => {
    const at = days.get(time.number);
    return at === undefined ? [] : [{ time, at }];
  });
}

/** A date as days of any count; one without a year in the year in which it is nearest to the day before. */
function dayOf(value: string | null, last: number): number | undefined {
  const date = /^(?<year>\d{4}|-)-(?<rest>\d\d-\d\d)$/.exec(value ?? "")?.groups;
  if (date === undefined) return undefined;
  if (date.year !== "-") return Date.parse(`${date.year}-${date.rest}`) / DAY_MS;
  const years = [0, 1, 2, 3].map((more) => Date.parse(`${2000 + more}-${date.rest}`) / DAY_MS);
  if (last === Number.NEGATIVE_INFINITY) return years[0];
  return years.reduce((best, at) => (Math.abs(at - last) < Math.abs(best - last) ? at : best));
}

/** The days of the story, each with a mark in every chapter that tells of it, and the longest gaps between them. */
function Calendar({ bookId, times }: { bookId: string; times: readonly Told[] }): JSX.Element | null {
  const points = placed(times);
  const chapters = [...new Map(points.map(({ time }) => [time.chapterId, time.chapterTitle]))];
  const days = [...groupBy(points, ({ at }) => at)].sort(([one], [other]) => one - other);
  const [most, more] = useMost(days.length, STEP);
  if (days.length < 2) return null;
  const gaps = days
    .flatMap(([at, [{ time }]], index) => {
      const before = days[index - 1];
      return before === undefined
        ? []
        : [{ days: at - before[0], from: nameOf(before[1][0].time), to: nameOf(time) }];
    })
    .filter((gap) => gap.days >= LONG_GAP)
    .sort((one, other) => other.days - one.days);
  return (
    <section>
      <h2>Day by day</h2>
      <p class="soft">
        Each line is a day, from left to right the chapters that tell of one.
        {gaps.slice(0, GAPS).map((gap) => ` ${counted(gap.days, "day")} from ${gap.from} to ${gap.to}.`)}
      </p>
      <ul class="lines days">
        {days.slice(0, most).map(([at, own]) => (
          <li key={at}>
            <span>{nameOf(own[0].time)}</span>
            <Strip
              label={nameOf(own[0].time)}
              cells={chapters.length}
              marks={[...groupBy(own, ({ time }) => time.chapterId)].map(([id, [{ time }]]) => ({
                at: chapters.findIndex(([one]) => one === id),
                href: addressOf(bookId, time),
                said: `${time.chapterTitle}: ${time.text}`,
              }))}
            />
            <small>{counted(own.length, "time")}</small>
          </li>
        ))}
      </ul>
      {more}
    </section>
  );
}

function nameOf(time: Told): string {
  return whenOf({ ...time, time: null }) || `Day ${(time.days ?? 0) + 1}`;
}

function List({ bookId, times }: { bookId: string; times: readonly Told[] }): JSX.Element {
  return (
    <ul class="rows">
      {times.map((time) => (
        <li key={time.number}>
          <div>
            <a href={addressOf(bookId, time)} class="serif" dir="auto">
              <Highlighted
                text={time.text}
                highlights={[[time.words.from - time.from, time.words.to - time.from]]}
              />
            </a>
            <small>
              {time.chapterTitle}
              {time.differs !== null && ` · ${time.differs}`}
            </small>
          </div>
          <span class="soft">{whenOf(time)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The day as far as it is known, and the hour. */
function whenOf({ value, weekday, time }: Told): string {
  return [weekday, value && dateOf(value), time].filter((part) => part !== null).join(", ");
}

/** A date of which the year, the day or both may be unknown, as it is read: 12 May 1893, 12 May, May 1893, 1893. */
function dateOf(value: string): string {
  const [, year, month, ofMonth] = /^(\d+|-)(?:-(\d\d))?(?:-(\d\d))?$/.exec(value) ?? [];
  if (month === undefined) return value;
  const words = day(`2000-${month}-${ofMonth ?? "01"}`)
    .split(" ")
    .slice(ofMonth === undefined ? 1 : 0, 2);
  return [...words, ...(year === "-" ? [] : [year])].join(" ");
}

function addressOf(bookId: string, { chapterId, blockId }: Told): string {
  return `/b/${bookId}/c/${chapterId}#${blockId}`;
}
