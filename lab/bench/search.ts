// Search, side by side: npm run bench -- search; or node --expose-gc --import tsx lab/bench/search.ts [sentences] [seed].
// Quality is the known-item test of lab/bench/search-questions.ts; costs are milliseconds of CPU. MANUSCRIPT_CORPUS names
// a folder of novels, each a folder with one Markdown file a chapter.
import { readdirSync } from "node:fs";
import { englishStem } from "../../src/search/index/vocabulary.ts";
import { type Line, report } from "./report.ts";
import { type Book, readBooks } from "./search-corpus.ts";
import { type Costs, measureCosts } from "./search-costs.ts";
import { measureFile } from "./search-file.ts";
import { measureQuality, type Quality } from "./search-quality.ts";
import { KINDS, knownQuestions } from "./search-questions.ts";
import { measureHan, measureSpelling } from "./search-spelling.ts";
import { driftedQuestions, unhandledRejections } from "./search-steady.ts";

/** The one book on which the settings were tried; the others judge them. */
const TUNED_ON = "pride-and-prejudice";
/** How often the library holds each novel. Ten million words take 17 copies of the five public ones, and minutes. */
const COPIES = Number(process.env.MANUSCRIPT_BENCH_COPIES ?? 2);

/** Held-out novels that are measured as one long book; of the five public ones these three hold 266,000 words. */
const LONG_BOOK = 3;
/** Most that a question to the long book may cost. */
const BARS = { p50Ms: 10, worstMs: 15, stopWordsOnlyMs: 80, hostileMs: 60 };
/** Most that a word may cost: 1.5 s of CPU and 30 MB for 250,000. */
const WORD_BARS = { enteredUs: 6, bytes: 120 };

const stem = englishStem;
const root = process.env.MANUSCRIPT_CORPUS;
if (root === undefined) console.error("MANUSCRIPT_CORPUS names no folder of novels: nothing to measure.");
else await bench(root, Number(process.argv[2] ?? 100), Number(process.argv[3] ?? 1));

async function bench(folder: string, count: number, seed: number): Promise<void> {
  const sampling = { count, seed, stem };
  const names = readdirSync(folder)
    .filter((name) => name !== "README.md")
    .sort();
  const heldOut = names.filter((name) => name !== TUNED_ON);
  const novel = readBooks(folder, [TUNED_ON]);
  const together = readBooks(folder, heldOut, `${heldOut.length} held-out novels as one book`);
  for (const book of [novel, ...heldOut.map((name) => readBooks(folder, [name])), together]) {
    const rows = measureQuality(book, sampling);
    printQuality(book, rows);
    if (book === novel || book === together) reportQuality(book, rows);
    else reportWrong(book, rows);
  }
  reportSpelling(seed);
  reportCosts(measureCosts(readBooks(folder, heldOut.slice(0, LONG_BOOK), "a long book"), stem));
  await reportSteadiness(novel, seed);
  const questions = knownQuestions(novel, { count: 6, seed, stem }).map(({ query }) => query);
  await reportFile(folder, { book: TUNED_ON, names, copies: COPIES, questions });
}

function printQuality(book: Book, rows: readonly Quality[]): void {
  console.error(`\n${book.name}: ${book.wordCount} words. Mean reciprocal rank at 10, paragraph / chapter`);
  console.error(row("", [...KINDS, "mean"]));
  for (const { engine, paragraph, chapter, paragraphMean, chapterMean } of rows) {
    const kinds = KINDS.map((kind) => `${paragraph[kind]?.toFixed(3) ?? "–"}/${chapter[kind].toFixed(3)}`);
    console.error(row(engine, [...kinds, `${paragraphMean.toFixed(3)}/${chapterMean.toFixed(3)}`]));
  }
}

function row(head: string, cells: readonly string[]): string {
  return head.padEnd(12) + cells.map((cell) => cell.padStart(14)).join("");
}

/** Ours against fixed bars, and against the better peer of the same run. */
function reportQuality(book: Book, rows: readonly Quality[]): void {
  const [ours, ...peers] = rows;
  if (ours === undefined) return;
  const isTuned = book.name === TUNED_ON;
  const line = (what: string, of: (quality: Quality) => number, least: number): Line => {
    const best = Math.max(...peers.map(of));
    const bar = `≥ ${least}, best peer ${best.toFixed(3)}`;
    return { what, value: of(ours), unit: "", bar, met: of(ours) >= Math.max(least, best) };
  };
  const kinds = [
    line("typo, paragraph", ({ paragraph }) => paragraph.typo ?? 0, 0.956),
    line("inflected, paragraph", ({ paragraph }) => paragraph.inflect ?? 0, 0.979),
    line("scattered, chapter", ({ chapter }) => chapter.scatter, 0.66),
  ];
  report(`search: known items in ${book.name}`, [
    line("paragraph, mean of six kinds", ({ paragraphMean }) => paragraphMean, isTuned ? 0.975 : 0.966),
    line("chapter, mean of seven kinds", ({ chapterMean }) => chapterMean, isTuned ? 0.937 : 0.925),
    ...(isTuned ? kinds : []),
    wrongLine(rows),
  ]);
}

function reportWrong(book: Book, rows: readonly Quality[]): void {
  report(`search: known items in ${book.name}`, [wrongLine(rows)]);
}

/** Six words of which one is remembered wrong: the bar is for each novel. */
function wrongLine([ours, ...peers]: readonly Quality[]): Line {
  const value = ours?.chapter.wrong ?? 0;
  const best = Math.max(...peers.map(({ chapter }) => chapter.wrong));
  const bar = `≥ 0.9, best peer ${best.toFixed(3)}`;
  return { what: "one of six words wrong, chapter", value, unit: "", bar, met: value >= 0.9 };
}

function reportSpelling(seed: number): void {
  const pairs = measureSpelling(stem).map(({ engine, found, of }): Line => {
    const least = Math.ceil((of * 43) / 44);
    const isOurs = engine === "ours";
    const bar = isOurs ? { bar: `≥ ${least}`, met: found >= least } : {};
    return { what: `spelling pairs: ${engine}`, value: found, unit: `of ${of}`, ...bar };
  });
  const { recall, zeroHits, falseHits } = measureHan(seed);
  report("search: spellings, and runs of Han in made-up text", [
    ...pairs,
    { what: "Han substrings: recall", value: recall, unit: "", bar: "1", met: recall === 1 },
    { what: "Han substrings: nothing found", value: zeroHits, unit: "", bar: "0", met: zeroHits === 0 },
    { what: "Han substrings: wrong chapters", value: falseHits, unit: "", bar: "0", met: falseHits === 0 },
  ]);
}

function reportCosts(costs: Costs): void {
  const line = (what: string, value: number, unit: string, most?: number): Line => ({
    what,
    value,
    unit,
    ...(most === undefined || Number.isNaN(value) ? {} : { bar: `≤ ${most}`, met: value <= most }),
  });
  const kinds = KINDS.flatMap((kind) => {
    const { p50Ms, worstMs } = costs.kinds[kind] ?? { p50Ms: Number.NaN, worstMs: Number.NaN };
    return [
      line(`${kind}: p50`, p50Ms, "ms", BARS.p50Ms),
      line(`${kind}: worst`, worstMs, "ms", BARS.worstMs),
    ];
  });
  report(`search: ${costs.words} words, CPU, excerpts included`, [
    ...kinds,
    line("stop words only, worst", costs.stopWordsOnlyMs, "ms", BARS.stopWordsOnlyMs),
    line(
      "first search: all entered, then asked",
      costs.firstSearchMs,
      "ms",
      (costs.words * WORD_BARS.enteredUs) / 1000,
    ),
    line("heap without the texts", costs.bytesPerWord, "bytes a word", WORD_BARS.bytes),
    line("heap by our own estimate, with them", costs.estimatedBytesPerWord, "bytes a word"),
    line("one paragraph changed", costs.changedParagraphMs, "ms", 0.2),
    line("one paragraph of 1,000 words changed", costs.changedLongMs, "ms"),
    line(`hostile, worst: ${costs.hostileWorst}`, costs.hostileWorstMs, "ms", BARS.hostileMs),
  ]);
}

async function reportSteadiness(novel: Book, seed: number): Promise<void> {
  const drifted = driftedQuestions(novel, { edits: 3000, questions: 330, seed, stem });
  const rejections = await unhandledRejections(novel, { edits: 3000, everyMs: 1, stem });
  report("search: 3,000 edits", [
    {
      what: "of 330 questions answered otherwise",
      value: drifted.length,
      unit: "",
      bar: "0",
      met: drifted.length === 0,
    },
    {
      what: "1 ms apart: unhandled rejections",
      value: rejections,
      unit: "",
      bar: "0",
      met: rejections === 0,
    },
  ]);
}

async function reportFile(folder: string, asked: Parameters<typeof measureFile>[1]): Promise<void> {
  const costs = await measureFile(folder, asked);
  const most = (what: string, value: number, unit: string, bar: number): Line => ({
    what,
    value,
    unit,
    bar: `≤ ${bar}`,
    met: value <= bar,
  });
  report(`search: ${asked.book} in a writer's file`, [
    most("first search", costs.firstSearchMs, "ms CPU", 730),
    most("is anything new? no", costs.unchangedUs, "µs CPU", 10),
    { what: "a paragraph written: the next search pays", value: costs.writtenParagraphMs, unit: "ms CPU" },
    {
      what: "imports by another program, seen at once",
      value: costs.seenImports,
      unit: "of 100",
      bar: "100",
      met: costs.seenImports === 100,
    },
    most("questions over all limits, worst", costs.bombWorstMs, "ms CPU", 60),
    {
      what: "… neither answered nor 400",
      value: costs.bombFaults,
      unit: "",
      bar: "0",
      met: costs.bombFaults === 0,
    },
    most("warming: a slice, p99", costs.longSliceMs, "ms CPU", 12),
    most("warming: a slice, longest", costs.longestSliceMs, "ms CPU", 12),
    most(`in a library of ${costs.libraryWords} words ÷ alone, p50`, costs.libraryRatio, "×", 1.2),
  ]);
}
