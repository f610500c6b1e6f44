import { pageLab, SKIP } from "../page/support/page-lab.ts";
import { suite } from "../support/sandbox.ts";
import { chapterOf, type Line, median, report } from "./report.ts";

// What the browser's main thread spends until a view is there: a chapter of 20,000 words, an outline of 400 chapters, beside
// an empty page in the same browser.
const WORDS = 20_000;
const CHAPTERS = 400;
const ROUNDS = 9;
const BAR_MS = 80;
/** By then every view is there and at rest. */
const SETTLED_MS = 1500;

if (SKIP !== undefined) {
  console.error(`page-ready is left out: ${SKIP}`);
  process.exit(0);
}

const scope = suite();
const lab = await pageLab(scope);
const { body: long } = await lab.script("POST", "/books", { title: "Long" });
const { body: chapter } = await lab.script("POST", `/books/${long.id}/chapters`, {
  title: "Long",
  markdown: chapterOf(WORDS),
});
const { body: many } = await lab.script("POST", "/books", { title: "Many" });
for (let count = 1; count <= CHAPTERS; count++)
  await lab.script("POST", `/books/${many.id}/chapters`, {
    title: `Chapter ${count}`,
    markdown: "Some words.\n",
  });

const told = {
  empty: await cpu("/assets/icon.svg", "svg"),
  chapter: await cpu(`/b/${long.id}/c/${chapter.id}`, ".prose [data-block]"),
  outline: await cpu(`/b/${many.id}`, ".row"),
};
await scope.end();
const lines: Line[] = [
  { what: "an empty page", value: told.empty, unit: "ms" },
  {
    what: `a chapter of ${WORDS} words`,
    value: told.chapter,
    unit: "ms",
    bar: `≤ ${BAR_MS}`,
    met: told.chapter <= BAR_MS,
  },
  {
    what: `an outline of ${CHAPTERS} chapters`,
    value: told.outline,
    unit: "ms",
    bar: `≤ ${BAR_MS}`,
    met: told.outline <= BAR_MS,
  },
];
report(`page-ready: main-thread CPU until a view is there, the median of ${ROUNDS}`, lines);

/** What the main thread spent, in a fresh tab, until the view is there and at rest. */
async function cpu(path: string, wanted: string): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { page, context } = await lab.open("/assets/icon.svg");
    const cdp = await context.newCDPSession(page);
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
    const spent = async () => {
      const { metrics } = await cdp.send("Performance.getMetrics");
      return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
    };
    const start = await spent();
    await page.goto(lab.url + path);
    // Nothing is asked of the page meanwhile: what asks runs in its main thread, too.
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
    taken.push((await spent()) - start);
    await page.locator(wanted).first().waitFor();
    await context.close();
  }
  return median(taken);
}
