import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReadingFact } from "../../src/reading/reading.ts";
import { createFact } from "../../src/service/annotations/facts.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { castOf } from "../eval/casts.ts";
import { castOfNovel } from "../eval/novels.ts";
import { bundled } from "./built.ts";
import type { Measured } from "./reading/measure.ts";
import { type Line, median, report } from "./report.ts";

// The reports of a book of some 200,000 words, by CPU of all threads: first of all in a process that has only read the file,
// with no line of the report compiled yet; cold from a file just opened, where the server has told others before; warm the
// next ones. A file's first reading, which proves every row, is told by itself. The book is MANUSCRIPT_NOVEL in
// MANUSCRIPT_CORPUS, a folder of novels with a folder each; without it the sample novel again and again.
const WORDS = 200_000;
const PROCESSES = 3;
const MEASURE = bundled(join(import.meta.dirname, "reading/measure.ts"));
const SAMPLE = join(import.meta.dirname, "../../fixtures/novel");
const corpus = process.env.MANUSCRIPT_CORPUS;
const novel = corpus === undefined ? "the sample" : (process.env.MANUSCRIPT_NOVEL ?? "moby-dick");

const folder = mkdtempSync(join(tmpdir(), "manuscript-bench-"));
const file = join(folder, "bench.manuscript");
const { bookId, factId } = write();

/** One report in a process of its own, as it is built: all in ms. */
function measure(name: string, of: string): Measured {
  const { stdout, stderr } = spawnSync(process.execPath, [MEASURE, name, file, bookId, of], {
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

function linesOf(name: string, of: string): Line[] {
  const rounds = Array.from({ length: PROCESSES }, () => measure(name, of));
  const line = (what: string, key: keyof Measured, bar?: number): Line => {
    const value = median(rounds.map((round) => round[key]));
    const line: Line = { what: `${name}, ${what}`, value, unit: "ms" };
    return bar === undefined ? line : { ...line, bar: `<= ${bar}`, met: value <= bar };
  };
  return [
    line("the file's first reading, CPU", "reading"),
    line("first of all, CPU", "first", 400),
    line("cold, CPU", "cold", 400),
    line("warm, CPU", "warm", 20),
    line("longest stall", "stall", 50),
  ];
}

function write(): { bookId: string; factId: string } {
  const manuscript = openManuscript(file, { create: true });
  const { id } = createBook(manuscript, { title: "Bench" }, { source: "cli" });
  const chapters = chaptersIn(corpus === undefined ? SAMPLE : join(corpus, novel));
  for (
    let chapter = 0, left = WORDS;
    corpus === undefined ? left > 0 : chapter < chapters.length;
    chapter++
  ) {
    const markdown = chapters[chapter % chapters.length]!; // there are some
    left -= markdown.split(/\s+/).length;
    createChapter(manuscript, id, { title: `Chapter ${chapter + 1}`, markdown }, { source: "cli" });
  }
  const cast: readonly ReadingFact[] = corpus === undefined ? castOfNovel() : (castOf(novel) ?? []);
  const facts = cast.map(
    ({ name, kind, aliases }) =>
      createFact(manuscript, id, { name, kind, aliases: [...aliases] }, { source: "cli" }).id,
  );
  manuscript.close();
  return { bookId: id, factId: facts[0]! }; // it has a cast
}

function chaptersIn(from: string): string[] {
  const names = readdirSync(from).filter((name) => /^\d.*\.md$/.test(name));
  return names.sort().map((name) => readFileSync(join(from, name), "utf8"));
}

const lines = [
  ...linesOf("passages", factId),
  ...["appearances", "timeline", "language", "pace"].flatMap((name) => linesOf(name, bookId)),
];
rmSync(folder, { recursive: true });
report(`reading: ${novel}`, lines);
