import type { JSX } from "preact";
import { streakOf } from "../../../../text/day.ts";
import { useRead } from "../../api/reads.ts";
import { kept } from "../../parts/choices/kept.ts";
import { Switch } from "../../parts/choices/switch.tsx";
import { Meter } from "../../parts/meter.tsx";
import { counted, number, shortDay } from "../../parts/numbers.ts";
import type { Outline } from "../../parts/view.tsx";

type Day = Outline["progress"][number];

/** "1" for the longer span of days. */
const long = kept<"" | "1">("manuscript.long-progress", "");
/** The weekdays on which one does not write, such as "06" for Sunday and Saturday. */
export const daysOff = kept<string>("manuscript.days-off", "");
const LONG_DAYS = 90;
const WIDTH = 312;
const HEIGHT = 74;
const BELOW = 18;
const FULL_STEP = 10.4;

/** The words of today, the days in a row, and a chart of the last days: added above the line, cut below. */
export function Progress({ book }: { book: Outline }): JSX.Element {
  const longer = useRead(
    "readOutline",
    long.value ? { params: { bookId: book.id }, query: { days: LONG_DAYS } } : undefined,
  );
  const days = longer.answer?.progress ?? book.progress;
  const { goal } = book;
  const today = days.at(-1);
  const daily = goal?.dailyWords ?? null;
  return (
    <>
      <section>
        <h2 class="caps">Today</h2>
        <p class="today">
          <b>{number(today?.added ?? 0)}</b>
          <span class="soft">{daily === null ? "words" : `of ${number(daily)} words`}</span>
        </p>
        {daily !== null && <Meter part={(today?.added ?? 0) / daily} />}
        <p class="soft">
          {today?.removed ? `${number(today.removed)} cut. ` : ""}
          {weekWords(days, daily)}
        </p>
      </section>
      <section>
        <header>
          <h2 class="caps">{days.length} days</h2>
          <Switch
            label="Days shown"
            kind="seg small"
            options={[
              ["", "30"],
              ["1", "90"],
            ]}
            chosen={long}
          />
        </header>
        <Chart days={days} daily={daily} />
        <p class="soft">{totals(days)}</p>
      </section>
    </>
  );
}

/** Before the first that is known. */
const NO_DAY = { date: "", added: 0, removed: 0 };

/** The words of the last seven days against the plan, and the days in a row. */
function weekWords(days: readonly Day[], daily: number | null): string {
  const week = days.slice(-7);
  const written = week.reduce((sum, { added }) => sum + added, 0);
  const planned = (daily ?? 0) * week.filter(({ date }) => !isDayOff(date)).length;
  const ago = (daysAgo: number) => days.at(-1 - daysAgo) ?? NO_DAY;
  const streak = streakOf(
    (daysAgo) => ago(daysAgo).added + ago(daysAgo).removed > 0,
    (daysAgo) => isDayOff(ago(daysAgo).date),
  );
  return `${number(written)}${daily === null ? "" : ` of ${number(planned)}`} in seven days.${streak < 2 ? "" : ` ${counted(streak, "day")} in a row.`}`;
}

function isDayOff(date: string): boolean {
  return daysOff.value.includes(String(new Date(date).getUTCDay()));
}

function totals(days: readonly Day[]): string {
  const sum = (of: (day: Day) => number) => days.reduce((all, day) => all + of(day), 0);
  const cut = sum(({ removed }) => removed);
  const imported = sum((day) => day.imported);
  const written = counted(
    sum(({ added }) => added),
    "word",
  );
  return `${written} written${cut > 0 ? `, ${number(cut)} cut` : ""}${imported > 0 ? " (imports are not counted)" : ""}.`;
}

function Chart({ days, daily }: { days: readonly Day[]; daily: number | null }): JSX.Element {
  const most = days.reduce((highest, { added }) => Math.max(highest, added), daily ?? 1);
  const mostCut = days.reduce((highest, { removed }) => Math.max(highest, removed), 1);
  const step = WIDTH / days.length;
  const width = step * (7.8 / FULL_STEP);
  const written = days.filter(({ added }) => added > 0).length;
  const met =
    daily === null
      ? ""
      : `, ${days.filter(({ added }) => added >= daily).length} of them at the goal of ${number(daily)}`;
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT + BELOW + 22}`}
        role="img"
        aria-label={`Words a day: ${written} days written${met}`}
      >
        {days.map(({ date, added, removed }, index) => {
          const height = (HEIGHT * added) / most;
          const cut = (BELOW * removed) / mostCut;
          if (added + removed === 0) return null; // there is nothing to see or to point at
          return (
            <g key={date}>
              <title>{`${shortDay(date)}: ${number(added)} written, ${number(removed)} cut`}</title>
              <rect
                class={daily !== null && added >= daily ? "met" : "add"}
                x={index * step}
                y={HEIGHT - height}
                width={width}
                height={height}
                rx="1"
              />
              {cut > 0 && (
                <rect
                  class="cut"
                  x={index * step + 0.5}
                  y={HEIGHT + 2.5}
                  width={Math.max(0.5, width - 1)}
                  height={cut}
                  rx="1"
                />
              )}
            </g>
          );
        })}
        <line class="zero" x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
        {daily !== null && (
          <line
            class="goal"
            x1="0"
            x2={WIDTH}
            y1={HEIGHT - (HEIGHT * daily) / most}
            y2={HEIGHT - (HEIGHT * daily) / most}
          />
        )}
        <text x="0" y={HEIGHT + BELOW + 18}>
          {shortDay(days[0]?.date ?? "")}
        </text>
        <text x={WIDTH} y={HEIGHT + BELOW + 18} text-anchor="end">
          today
        </text>
      </svg>
    </figure>
  );
}
