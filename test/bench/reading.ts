import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FactId } from "../../src/ids.ts";
import { createFact } from "../../src/service/annotations/facts.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { castOfNovel } from "../eval/contradictions.ts";
import { type Line, median, report } from "./report.ts";

// The reports of a book of 200,000 words, by CPU: cold is the first answer in a process that has read the file before, as a
// server has; warm the next ones. A file's first reading, which proves every row, is told by itself.
const WORDS = 200_000;
const ROUNDS = 7;
const NOVEL = join(import.meta.dirname, "../../fixtures/novel");

const folder = mkdtempSync(join(tmpdir(), "manuscript-bench-"));
const file = join(folder, "bench.manuscript");
const { bookId, factId } = write();

interface Measured {
  first: number;
  cold: number;
  warm: number;
  stall: number;
}

/** The question, as a module that a process of its own runs: CPU of the first answer, of the next, and the longest stall. */
function measure(module: string, ask: string): Measured {
  const at = (path: string) => JSON.stringify(join(import.meta.dirname, "../../src", path));
  const code = `
    const { openManuscript } = await import(${at("service/manuscript.ts")});
    const report = await import(${at(module)});
    const manuscript = openManuscript(${JSON.stringify(file)});
    const { bookLearner } = await import(${at("service/reading/learn-book.ts")});
    const cpu = (since) => { const { user, system } = process.cpuUsage(since); return (user + system) / 1000; };
    const opened = process.cpuUsage();
    await bookLearner({ *learn() {} })(manuscript, ${JSON.stringify(bookId)}, {});
    const first = cpu(opened);
    const ask = () => ${ask};
    const times = [];
    let [stall, last] = [0, performance.now()];
    const watch = setInterval(() => { const now = performance.now(); stall = Math.max(stall, now - last - 1); last = now; }, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    stall = 0;
    for (let round = 0; round < 6; round++) {
      const before = process.cpuUsage();
      await ask();
      times.push(cpu(before));
    }
    clearInterval(watch);
    console.log(JSON.stringify({ first, cold: times[0], warm: times.slice(1).sort((a, b) => a - b)[2], stall }));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "-e", code],
    { encoding: "utf8" },
  );
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

function linesOf(what: string, module: string, ask: string): Line[] {
  const rounds = Array.from({ length: ROUNDS }, () => measure(module, ask));
  const line = (name: string, of: keyof Measured, bar: number): Line => {
    const value = median(rounds.map((round) => round[of]));
    return { what: `${what}, ${name}`, value, unit: "ms", bar: `<= ${bar}`, met: value <= bar };
  };
  const first = median(rounds.map((round) => round.first));
  return [
    { what: "the file's first reading, CPU", value: first, unit: "ms" },
    line("cold, CPU", "cold", 300),
    line("warm, CPU", "warm", 20),
    line("longest stall", "stall", 50),
  ];
}

function write(): { bookId: string; factId: FactId } {
  const manuscript = openManuscript(file, { create: true });
  const { id } = createBook(manuscript, { title: "Bench" }, { source: "cli" });
  const chapters = readdirSync(NOVEL)
    .filter((name) => /^\d.*\.md$/.test(name))
    .sort()
    .map((name) => readFileSync(join(NOVEL, name), "utf8"));
  for (let chapter = 0, left = WORDS; left > 0; chapter++) {
    const markdown = chapters[chapter % chapters.length]!; // there are some
    left -= markdown.split(/\s+/).length;
    createChapter(manuscript, id, { title: `Chapter ${chapter + 1}`, markdown }, { source: "cli" });
  }
  const [first] = castOfNovel().map(
    ({ name, kind, aliases }) =>
      createFact(manuscript, id, { name, kind, aliases: [...aliases] }, { source: "cli" }).id,
  );
  manuscript.close();
  return { bookId: id, factId: first! }; // it has a cast
}

const lines = [
  ...linesOf("passages", "service/reading/passages.ts", `report.readPassages(manuscript, "${factId}")`),
  ...linesOf(
    "appearances",
    "service/reading/appearances.ts",
    `report.readAppearances(manuscript, "${bookId}")`,
  ),
];
rmSync(folder, { recursive: true });
report("reading: a book of 200,000 words", lines);
