import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { createBook, setGoal } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { readStats } from "../../src/service/books/stats.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { OWNER } from "../support/sample.ts";
import { manuscript } from "../support/sandbox.ts";
import { fits } from "./fits.ts";
import { shell, withBook } from "./shell.ts";

const DAY_MS = 86_400_000;
const NOON = new Date(2026, 2, 31, 12).getTime();

/** A book whose chapter grows to so many words on each day; the days are counted back from 2026-03-31. */
function written(t: TestContext, lengths: readonly (readonly [daysAgo: number, words: number])[]) {
  let now = NOON - 200 * DAY_MS;
  const opened: Manuscript = manuscript(t, { clock: () => now });
  const { id: bookId } = createBook(opened, { title: "B" }, OWNER);
  const { id } = createChapter(opened, bookId, { title: "C" }, OWNER);
  for (const [daysAgo, words] of lengths) {
    now = NOON - daysAgo * DAY_MS;
    replaceProse(
      opened,
      id,
      { markdown: Array.from({ length: words }, (_, index) => `w${index}`).join(" ") },
      OWNER,
    );
  }
  now = NOON;
  return { opened, bookId };
}

describe("readStats", () => {
  it("counts the last 30 days, the average and the days in a row", (t) => {
    const { opened, bookId } = written(t, [
      [40, 100],
      [29, 130],
      [5, 120],
      [2, 150],
      [1, 200],
      [0, 250],
    ]);
    const stats = readStats(opened, bookId);
    assert.deepEqual([stats.wordCount, stats.streak, stats.average], [250, 3, 5]);
    assert.deepEqual(stats.today, { net: 50, goal: null });
    assert.equal(stats.days.length, 30);
    assert.deepEqual([stats.days[0]?.net, stats.days[24]?.net, stats.days[29]?.net], [30, -10, 50]);
    assert.deepEqual(stats.chapters, { draft: 1, revising: 0, done: 0 });
    assert.equal(stats.daysToTarget, null);
    const more = readStats(opened, bookId, { days: 50 });
    assert.deepEqual([more.days.length, more.days[9]?.net, more.average], [50, 100, 5]);
  });

  it("a day that is not over ends no streak, nor does one day off; two do, and a long one goes past 30 days", (t) => {
    const days = Array.from({ length: 45 }, (_, index) => [45 - index, 10 + index] as const); // up to yesterday
    const { opened, bookId } = written(t, days);
    assert.equal(readStats(opened, bookId).streak, 45);
    for (const [off, streak] of [
      [[1], 44],
      [[1, 2], 0],
      [[3, 5], 43],
      [[3, 4], 2],
    ] as const) {
      const gap = written(
        t,
        days.filter(([daysAgo]) => !off.some((one) => one === daysAgo)),
      );
      assert.equal(readStats(gap.opened, gap.bookId).streak, streak);
    }
  });

  it("holds today against the goal for the day, else against the pace that the deadline needs", (t) => {
    const { opened, bookId } = written(t, [[0, 300]]);
    setGoal(opened, bookId, { targetWords: 1300, deadline: "2026-04-09" }, OWNER);
    const stats = readStats(opened, bookId);
    assert.deepEqual(stats.today, { net: 300, goal: 100 }); // 1,000 words in ten days, today and the last included
    assert.deepEqual([stats.average, stats.daysToTarget], [10, 100]);
    setGoal(opened, bookId, { targetWords: 1300, dailyWords: 40 }, OWNER);
    assert.equal(readStats(opened, bookId).today.goal, 40);
  });
});

describe("stats", () => {
  it("shows as many days as --days says, a year at most", async (t) => {
    const sh = await withBook(t);
    const { days } = (await sh("stats", "--days", "90", "--json")).json<{ days: unknown[] }>();
    assert.equal(days.length, 90);
    const chart = (await sh("stats", "--days", "90")).stdout;
    assert.match(chart, /│[^│]{90}$/m);
    const refused = await sh("stats", "--days", "367");
    assert.equal(refused.exit, EXIT.usage);
    assert.match(refused.stderr, /at most 366/);
  });

  it("sums up weeks from Monday on", async (t) => {
    const sh = await withBook(t);
    const ran = await sh("stats", "--by", "week", "--json");
    const { weeks = [], days } = fits(ran, "stats");
    assert.equal(weeks.length, 12);
    for (const { date } of weeks) assert.equal(new Date(`${date}T00:00Z`).getUTCDay(), 1, date);
    const shown = days.filter(({ date }) => date >= weeks[0]!.date);
    const sum = (all: readonly { net: number }[]) => all.reduce((total, { net }) => total + net, 0);
    assert.equal(sum(weeks), sum(shown));
    assert.match(
      (await sh("stats", "--by", "week")).stdout,
      /│[^│]{12}\n {2,}\d{4}-\d\d-\d\d \d{4}-\d\d-\d\d\n$/,
    );
    const part = fits(await sh("stats", "--by", "week", "--days", "8", "--json"), "stats");
    assert.equal(sum(part.weeks ?? []), sum(part.days));
    assert.equal(part.weeks?.[0]?.date, part.days[0]?.date);
  });

  it("shows a chart, in colour on a terminal alone", async (t) => {
    const sh = await withBook(t);
    await sh.with({ stdin: "One two three four five six.\n" })(
      "api",
      "PUT",
      `/chapters/${await first(sh)}/prose`,
      "--input",
      "-",
      "-H",
      "Content-Type: text/markdown",
    );
    await sh.with({ stdin: '{"targetWords": 1000, "dailyWords": 1}' })(
      "api",
      "PUT",
      `/books/${await only(sh)}/goal`,
      "--input",
      "-",
    );
    const { stdout, exit } = await sh("stats");
    assert.equal(exit, EXIT.done);
    assert.match(stdout, /^The Ferry Book {2}\d+ words\nGoal 1,000 words, 1%, \d+ to go\n/);
    assert.match(stdout, /\n2 chapters: 2 draft, 0 revising, 0 done\n/);
    assert.match(stdout, /\n0 │[·−▁▂▃▄▅▆▇█]{30}\n {3}\d{4}-\d\d-\d\d {10}\d{4}-\d\d-\d\d\n$/);
    assert.ok(!stdout.includes("\u001b"));
    fits(await sh("stats", "1", "--json"), "stats");
  });

  it("marks the days that reached their goal", async (t) => {
    const sh = await withBook(t);
    const id = await first(sh);
    await sh.with({ stdin: `${"word ".repeat(200)}\n` })(
      "api",
      "PUT",
      `/chapters/${id}/prose`,
      "--input",
      "-",
      "-H",
      "Content-Type: text/markdown",
    );
    await sh.with({ stdin: '{"targetWords": 1000, "dailyWords": 50}' })(
      "api",
      "PUT",
      `/books/${await only(sh)}/goal`,
      "--input",
      "-",
    );
    const { stdout } = await sh.with({ isTTY: true })("stats");
    assert.match(stdout, /\u001b\[32m█/);
    assert.doesNotMatch((await sh.with({ isTTY: true, env: { NO_COLOR: "1" } })("stats")).stdout, /\u001b/);
  });

  it("asks for a book where there is none", async (t) => {
    const sh = shell(t);
    await sh("init", "a.manuscript");
    assert.equal((await sh("stats")).exit, EXIT.notFound);
  });
});

type Sh = Awaited<ReturnType<typeof withBook>>;

async function only(sh: Sh): Promise<string> {
  return (await sh("books", "--json")).json<{ books: { id: string }[] }>().books[0]!.id; // withBook made one
}

async function first(sh: Sh): Promise<string> {
  return (await sh("show", "1", "--json")).json<{ id: string }>().id;
}
