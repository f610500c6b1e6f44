import { type PageLab, pageLab, SKIP } from "../../test/page/support/page-lab.ts";
import { suite } from "../../test/support/sandbox.ts";
import { chapterOf, type Line, median, report } from "./report.ts";

// What the browser's main thread spends until what the window shows of a view is there and can be used, with its fonts; until
// all of the view is there; and the longest task in between, beside an empty page in the same browser. A chapter of 20,000
// words, and an outline of 400 chapters.
const WORDS = 20_000;
const CHAPTERS = 400;
const ROUNDS = 9;
const BAR_MS = 80;
/** What comes later may not be felt. */
const SLICE_BAR_MS = 16;
/** By then every view is there and at rest. */
const SETTLED_MS = 1500;

/** A view, and what is true in it when the window is full. */
interface View {
  path: string;
  isThere: string;
}

/** One loading of a view, in ms of the main thread. */
interface Loading {
  ready: number;
  all: number;
  longestAfter: number;
}

/** An event of Chromium's trace; times in µs, `tdur` of the thread's own. */
interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
}

// Runs in the page: marks the moment behind the frame in which all is seen that the window shows, in the page's fonts.
const MARK_WHEN = `(isThere) => {
  const look = () => {
    if (!isThere()) return;
    watcher.disconnect();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => performance.mark("ready");
    const frame = () => requestAnimationFrame(() => port2.postMessage(0));
    requestAnimationFrame(() => document.fonts.ready.then(frame));
  };
  const watcher = new MutationObserver(look);
  watcher.observe(document, { childList: true, subtree: true });
  addEventListener("load", look);
}`;

if (SKIP !== undefined) {
  console.error(`page-ready is left out: ${SKIP}`);
  process.exit(0);
}

const scope = suite();
const lab = await pageLab(scope);
const views = await viewsOf(lab);
const lines: Line[] = [];
for (const [what, view] of Object.entries(views)) {
  const loadings: Loading[] = [];
  for (let round = 0; round < ROUNDS; round++) loadings.push(await load(view));
  const of = (pick: keyof Loading) => median(loadings.map((loading) => loading[pick]));
  const line = (said: string, value: number, bar?: number): Line => ({
    what: `${what}${said}`,
    value,
    unit: "ms",
    ...(bar === undefined ? {} : { bar: `≤ ${bar}`, met: value <= bar }),
  });
  if (what === "an empty page") lines.push(line("", of("all")));
  else
    lines.push(
      line(": what the window shows", of("ready"), BAR_MS),
      line(": all of it", of("all")),
      line(": the longest task after the first", of("longestAfter"), SLICE_BAR_MS),
    );
}
await scope.end();
report(`page-ready: main-thread CPU of loading a view, the median of ${ROUNDS}`, lines);

async function viewsOf({ script }: PageLab): Promise<Record<string, View>> {
  const { body: long } = await script("POST", "/books", { title: "Long" });
  const { body: chapter } = await script("POST", `/books/${long.id}/chapters`, {
    title: "Long",
    markdown: chapterOf(WORDS),
  });
  const { body: many } = await script("POST", "/books", { title: "Many" });
  for (let count = 1; count <= CHAPTERS; count++)
    await script("POST", `/books/${many.id}/chapters`, {
      title: `Chapter ${count}`,
      markdown: "Some words.\n",
    });
  return {
    "an empty page": { path: "/assets/icon.svg", isThere: "true" },
    [`a chapter of ${WORDS} words`]: {
      path: `/b/${long.id}/c/${chapter.id}`,
      // A paragraph of it takes three lines.
      isThere: "document.querySelectorAll('.prose p').length > innerHeight / 90",
    },
    [`an outline of ${CHAPTERS} chapters`]: {
      path: `/b/${many.id}`,
      // The last row of the window can be changed, and the side is full.
      isThere:
        "document.querySelectorAll('.row select').length > innerHeight / 80 && document.querySelector('aside .rows')",
    },
  };
}

/** Loads a view in a fresh tab, under a trace of what the main thread does. */
async function load({ path, isThere }: View): Promise<Loading> {
  const { page, context } = await lab.open("/assets/icon.svg");
  await page.addInitScript({ content: `(${MARK_WHEN})(() => ${isThere})` });
  const cdp = await lab.browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  cdp.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const complete = new Promise((resolve) => cdp.once("Tracing.tracingComplete", resolve));
  await cdp.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel", "blink.user_timing"], excludedCategories: ["*"] },
  });
  await page.goto(lab.url + path);
  // Nothing is asked of the page meanwhile: what asks runs in its main thread, too.
  await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
  await cdp.send("Tracing.end");
  await complete;
  await context.close();
  return spent(events);
}

function spent(events: readonly TraceEvent[]): Loading {
  const mark = events.findLast(({ name }) => name === "ready");
  if (mark === undefined) throw new Error("the view was never there");
  const own = events
    .filter(({ ph, pid, tid }) => ph === "X" && pid === mark.pid && tid === mark.tid)
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const tasks: TraceEvent[] = [];
  let end = 0;
  for (const event of own) {
    if (event.ts < end) continue; // within the task before
    tasks.push(event);
    end = event.ts + (event.dur ?? 0);
  }
  const ms = ({ tdur = 0 }: TraceEvent) => tdur / 1000;
  const sum = (of: readonly TraceEvent[]) => of.reduce((total, task) => total + ms(task), 0);
  const after = tasks.filter(({ ts }) => ts > mark.ts);
  return {
    ready: sum(tasks.filter(({ ts }) => ts <= mark.ts)),
    all: sum(tasks),
    longestAfter: Math.max(0, ...after.map(ms)),
  };
}
