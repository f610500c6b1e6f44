import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { type Caller, type Manuscript, openManuscript } from "../../src/service/manuscript.ts";
import { readStyle } from "../../src/service/reading/style.ts";
import { readTimeline } from "../../src/service/reading/timeline.ts";
import { cpuSince, type Line, median, report } from "../bench/report.ts";
import { atMost } from "./score.ts";

// Timeline and style of a novel of some 200,000 words in MANUSCRIPT_CORPUS: cold from a file just opened, then warm.
const corpus = process.env.MANUSCRIPT_CORPUS;
if (corpus === undefined) throw new Error("MANUSCRIPT_CORPUS names a folder of novels, a folder each");
const novel = process.env.MANUSCRIPT_NOVEL ?? "moby-dick";
const caller: Caller = { source: "cli" };
const folder = mkdtempSync(join(tmpdir(), "manuscript-eval-"));
const file = join(folder, "eval.manuscript");
const bookId = write(join(corpus, novel));

const REPORTS = { timeline: readTimeline, style: readStyle } as const;
const ROUNDS = 5;
const lines: Line[] = [];
for (const [name, read] of Object.entries(REPORTS)) {
  const cold: number[] = [];
  const warm: number[] = [];
  let stall = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const manuscript = openManuscript(file);
    const first = await measured(() => read(manuscript, bookId));
    cold.push(first.cpuMs);
    stall = Math.max(stall, first.stallMs);
    warm.push((await measured(async () => JSON.stringify(await read(manuscript, bookId)))).cpuMs);
    manuscript.close();
  }
  lines.push(
    atMost(`${name}, first of all`, cold[0] ?? Number.NaN, "ms CPU", 300),
    atMost(`${name}, cold`, median(cold), "ms CPU", 300),
    atMost(`${name}, warm`, median(warm), "ms CPU", 20),
    atMost(`${name}, the longest stall`, stall, "ms", 50),
  );
}
rmSync(folder, { recursive: true });
report(`reports: ${novel}`, lines);

/** What a call takes of the processor, and the longest that a timer had to wait meanwhile. */
async function measured(run: () => Promise<unknown>): Promise<{ cpuMs: number; stallMs: number }> {
  let [stallMs, last] = [0, performance.now()];
  const timer = setInterval(() => {
    const now = performance.now();
    stallMs = Math.max(stallMs, now - last - 1);
    last = now;
  }, 1);
  const start = process.cpuUsage();
  await run();
  const cpuMs = cpuSince(start) / 1000;
  clearInterval(timer);
  return { cpuMs, stallMs };
}

function write(from: string): string {
  const manuscript: Manuscript = openManuscript(file, { create: true });
  const { id } = createBook(manuscript, { title: novel }, caller);
  for (const name of readdirSync(from).filter((each) => each.endsWith(".md"))) {
    createChapter(manuscript, id, { title: name, markdown: readFileSync(join(from, name), "utf8") }, caller);
  }
  manuscript.close();
  return id;
}
