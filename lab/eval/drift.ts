/**
 * Prints how many misspelt names the check finds, by kind of slip, and how seldom it speaks on clean novels: those of
 * LitBank whose errors were never read, with the cast that the product's own detection is sure of.
 */

import { calibratedDrift } from "../../src/ai/embedded/calibration.ts";
import { createDetector } from "../../src/ai/embedded/index.ts";
import type { ReadingBook, ReadingChapter, ReadingFact } from "../../src/reading/reading.ts";
import { createStatistics } from "../../src/reading/statistics.ts";
import { tokenize } from "../../src/reading/tokens.ts";
import { randomFrom } from "../../test/support/random.ts";
import { type Line, report } from "../bench/report.ts";
import { checkAll, replaceOne } from "./check-measure.ts";
import { litbankFiles, litbankFolder, readNovel } from "./litbank.ts";
import { SLIPS } from "./misspell.ts";
import { bookOf } from "./novels.ts";
import { type Case, tenthsOf } from "./tenths.ts";

const SURE = 0.8;
const LEAST_OFTEN = 5;
const ROUNDS = 2;
const isVerbose = process.env.MANUSCRIPT_VERBOSE !== undefined;

/** 0 for the files that the rules were written with. */
const half = Number(process.env.MANUSCRIPT_HALF ?? 1);
const files = litbankFiles(litbankFolder()).filter((_, index) => index % 2 === half);
const cases: Case[] = [];
const sums = { words: 0, drift: 0, all: 0 };
const kinds = new Map(Object.keys(SLIPS).map((kind) => [kind, { seeded: 0, found: 0 }]));
for (const [index, file] of files.entries()) measure(readNovel(file).book, index);
report(
  `drift: novels ${half === 1 ? "whose errors were never read" : "that the rules were written with"}`,
  lines(),
);
report("  its confidence, one slip of each kind in a novel", tenthsOf(cases, half === 1));

function measure(book: ReadingBook, index: number): void {
  const chapters = book.chapters.map(({ read }) => read());
  const cast = castOf(book);
  const clean = checkAll(bookOf(book.bookId, chapters, cast));
  for (const { blocks } of chapters)
    for (const { text } of blocks) sums.words += tokenize(text).filter(({ kind }) => kind === "word").length;
  sums.all += clean.length;
  for (const { type, severity, message } of clean) {
    sums.drift += Number(type === "name_drift" && severity !== "info");
    if (isVerbose) console.error(book.bookId, message);
  }
  for (let round = 0; round < ROUNDS; round++) seed(book, { chapters, cast, seed: index * ROUNDS + round });
}

/** One slip of each kind, each in a name of its own. */
function seed(
  book: ReadingBook,
  { chapters, cast, seed }: { chapters: ReadingChapter[]; cast: ReadingFact[]; seed: number },
): void {
  const random = randomFrom(seed);
  const { total } = createStatistics()(book);
  const names = [...new Set(cast.flatMap(({ name, aliases }) => [name, ...aliases].join(" ").split(/\s+/)))]
    .filter((word) => /^[A-Z][a-z]{3,}$/.test(word) && !total.lower.has(word.toLowerCase()))
    .filter((word) => (total.capital.get(word.toLowerCase())?.middle ?? 0) >= LEAST_OFTEN);
  let changed: readonly ReadingChapter[] = chapters;
  const slips: { kind: string; name: string; variant: string }[] = [];
  for (const [kind, slip] of Object.entries(SLIPS)) {
    const at = Math.floor(random() * names.length);
    const name = kind === "undoubled" ? names.find((one) => /(.)\1/.test(one)) : names[at];
    const key = name === undefined ? undefined : slip(name.toLowerCase(), random);
    if (name === undefined || key === undefined || key === name.toLowerCase()) continue;
    if (total.lower.has(key) || total.capital.has(key)) continue;
    const variant = key.charAt(0).toUpperCase() + key.slice(1);
    changed = replaceOne(changed, name, variant, random);
    slips.push({ kind, name, variant });
    names.splice(names.indexOf(name), 1);
  }
  const findings = checkAll(bookOf(book.bookId, changed, cast));
  for (const { type, severity, confidence, evidence } of findings) {
    const isRight = evidence.some(({ text }) => slips.some(({ variant }) => variant === text));
    if (type === "name_drift" && severity !== "info")
      cases.push({ stated: calibratedDrift(confidence), isRight });
  }
  for (const { kind, name, variant } of slips) {
    const isFound = findings.some(({ evidence }) => evidence.some(({ text }) => text === variant));
    const sum = kinds.get(kind)!; // a key of the same table
    sum.seeded++;
    sum.found += Number(isFound);
    if (isVerbose && !isFound) console.error("missed", kind, name, variant);
  }
}

/** The people and places that detection proposes with this confidence, as facts. */
function castOf(book: ReadingBook): ReadingFact[] {
  const detector = createDetector();
  const facts = new Map<string, ReadingFact>();
  for (const chapter of book.chapters)
    for (const proposal of detector.detect(chapter.read(), book)) {
      const { type, name, kind, confidence, aliases = [] } = proposal;
      if (type !== "new_fact" || confidence < SURE) continue;
      facts.set(name, { id: `fa_${name}`, name, kind, aliases, attributes: [], summary: "" });
    }
  return [...facts.values()];
}

function lines(): Line[] {
  const all = [...kinds.values()];
  const share = (some: typeof all) =>
    (100 * some.reduce((sum, { found }) => sum + found, 0)) /
    some.reduce((sum, { seeded }) => sum + seeded, 0);
  const rate = (count: number) => (count / sums.words) * 10_000;
  return [
    { what: "slips found", value: share(all), unit: "%", bar: ">= 95 %", met: share(all) >= 95 },
    ...[...kinds].map(([kind, sum]): Line => {
      const value = share([sum]);
      const bar = kind === "keyboard" ? { bar: ">= 90 %", met: value >= 90 } : {};
      return { what: `  ${kind}, ${sum.seeded}`, value, unit: "%", ...bar };
    }),
    {
      what: `alarms of drift on clean novels, ${sums.words} words`,
      value: rate(sums.drift),
      unit: "/10k",
      bar: "<= 0.2",
      met: rate(sums.drift) <= 0.2,
    },
    { what: "  of every rule", value: rate(sums.all), unit: "/10k" },
  ];
}
