import type { JSX } from "preact";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { counted, day } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { useMost } from "../../parts/view-head.tsx";
import { Sentence } from "./sentence.tsx";

type Told = Answer<"readTimeline">["times"][number];

const STEP = 60;
const DAY_MS = 86_400_000;
const SIZE = { width: 720, height: 220, edge: 6 } as const;

/** The times that the prose tells: as a line through the days, those that do not fit, and all of them in reading order. */
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
      <Days bookId={bookId} times={times} />
      {clashes.length > 0 && (
        <section>
          <h2>Does not fit</h2>
          <List bookId={bookId} times={clashes} />
        </section>
      )}
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
  const dated = told.flatMap((time): Point[] =>
    isDate(time.value) ? [{ time, at: Date.parse(time.value) / DAY_MS }] : [],
  );
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

function isDate(value: string | null): value is string {
  return value !== null && /^\d{4}-\d\d-\d\d$/.test(value);
}

/** Each time as a point: to the right as one reads on, upwards as the days go by. */
function Days({ bookId, times }: { bookId: string; times: readonly Told[] }): JSX.Element | null {
  const points = placed(times);
  const all = points.map(({ at }) => at);
  const [first, last] = [Math.min(...all), Math.max(...all)];
  if (points.length < 2 || first === last) return null;
  const { width, height, edge } = SIZE;
  const x = (index: number) => edge + ((width - 2 * edge) * index) / (points.length - 1);
  const y = (at: number) => height - edge - ((height - 2 * edge) * (at - first)) / (last - first);
  return (
    <figure>
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing whose points are links */}
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label={`${counted(points.length, "time")} over ${counted(last - first, "day")}`}
      >
        <path d={points.map(({ at }, index) => `${index ? "L" : "M"}${x(index)} ${y(at)}`).join("")} />
        {points.map(({ time, at }, index) => (
          <a
            key={time.number}
            href={addressOf(bookId, time)}
            aria-label={`${time.chapterTitle}: ${time.text}`}
          >
            <title>{`${time.chapterTitle}: ${time.text}`}</title>
            <circle cx={x(index)} cy={y(at)} r="4" class={time.differs === null ? "" : "clash"} />
          </a>
        ))}
      </svg>
      <figcaption class="soft">
        To the right as one reads on, upwards as the days go by: {counted(last - first, "day")} in all.
      </figcaption>
    </figure>
  );
}

function List({ bookId, times }: { bookId: string; times: readonly Told[] }): JSX.Element {
  return (
    <ul class="rows">
      {times.map((time) => (
        <li key={time.number}>
          <div>
            <a href={addressOf(bookId, time)} class="serif" dir="auto">
              <Sentence text={time.text} marked={time.words.text} />
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
