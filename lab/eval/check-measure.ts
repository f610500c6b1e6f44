/**
 * How well the consistency check finds slips that were seeded, and how seldom it speaks on clean novels.
 * Needs `MANUSCRIPT_CORPUS`, a folder of novels with one Markdown file a chapter.
 */
import { join } from "node:path";
import { createChecker } from "../../src/ai/embedded/check/check.ts";
import type { Finding } from "../../src/ai/reader.ts";
import type { ReadingBook, ReadingChapter, ReadingFact } from "../../src/reading/reading.ts";
import { createStatistics } from "../../src/reading/statistics.ts";
import { tokenize } from "../../src/reading/tokens.ts";
import { randomFrom } from "../../test/support/random.ts";
import type { Line } from "../bench/report.ts";
import { castOf } from "./casts.ts";
import { misspell } from "./misspell.ts";
import { bookOf, listCorpus, readNovel } from "./novels.ts";

/** Every finding of a book, chapter by chapter. */
export function checkAll(book: ReadingBook): Finding[] {
  const check = createChecker(createStatistics());
  return book.chapters.flatMap((chapter) => check(chapter.read(), book));
}

interface Seeded {
  chapters: ReadingChapter[];
  slips: { name: string; variant: string }[];
}

const ROUNDS = 4;
const A_ROUND = 8;

/** Drift: share of seeded misspellings found; alarms on the untouched texts. */
export function evaluateDrift(corpus: string, novels = listCorpus(corpus), verbose = false): Line[] {
  const sums = { words: 0, drift: 0, all: 0, seeds: 0, found: 0, long: 0, longFound: 0 };
  for (const novel of novels) {
    const cast = castOf(novel);
    if (cast === undefined) continue;
    const chapters = readNovel(join(corpus, novel));
    const clean = checkAll(bookOf(novel, chapters, cast));
    if (verbose)
      for (const { message, confidence, evidence } of clean)
        console.error(
          novel,
          confidence,
          message,
          "|",
          evidence.map(({ text, chapterId }) => `${chapterId}: ${text}`).join(" / "),
        );
    for (const { blocks } of chapters)
      for (const { text } of blocks)
        sums.words += tokenize(text).filter(({ kind }) => kind === "word").length;
    sums.drift += clean.filter(({ type }) => type === "name_drift").length;
    sums.all += clean.length;
    for (let round = 1; round <= ROUNDS; round++) {
      const { chapters: changed, slips } = seedDrift(chapters, cast, round * 1000 + novels.indexOf(novel));
      const findings = checkAll(bookOf(novel, changed, cast));
      for (const { name, variant } of slips) {
        const isFound = findings.some(({ evidence }) => evidence.some(({ text }) => text === variant));
        const isLong = name.length >= 5;
        sums.seeds++;
        sums.long += Number(isLong);
        sums.found += Number(isFound);
        sums.longFound += Number(isFound && isLong);
        if (verbose && !isFound) console.error("missed", novel, name, variant);
      }
    }
  }
  return lines(sums);
}

function lines(
  sums: Readonly<Record<"words" | "drift" | "all" | "seeds" | "found" | "long" | "longFound", number>>,
): Line[] {
  const recall = (100 * sums.found) / sums.seeds;
  const long = (100 * sums.longFound) / sums.long;
  const rate = (count: number) => (count / sums.words) * 10_000;
  return [
    {
      what: `drift found of ${sums.seeds} seeded`,
      value: recall,
      unit: "%",
      bar: ">= 92 %",
      met: recall >= 92,
    },
    {
      what: `  names of 5 letters and more, ${sums.long}`,
      value: long,
      unit: "%",
      bar: ">= 98 %",
      met: long >= 98,
    },
    {
      what: `drift on clean novels, ${sums.words} words`,
      value: rate(sums.drift),
      unit: "/10k",
      bar: "<= 0.15",
      met: rate(sums.drift) <= 0.15,
    },
    {
      what: "every rule on clean novels",
      value: rate(sums.all),
      unit: "/10k",
      bar: "<= 0.25",
      met: rate(sums.all) <= 0.25,
    },
  ];
}

/** The novel with single occurrences of cast names misspelt. */
function seedDrift(chapters: readonly ReadingChapter[], cast: readonly ReadingFact[], seed: number): Seeded {
  const random = randomFrom(seed);
  const { total } = createStatistics()(bookOf("seeding", chapters, cast));
  const names = [
    ...new Set(cast.flatMap(({ name, aliases }) => [name, ...aliases]).flatMap((name) => name.split(/\s+/))),
  ].filter(
    (word) =>
      /^[A-Z][a-z]{3,}$/.test(word) &&
      !total.lower.has(word.toLowerCase()) &&
      (total.capital.get(word.toLowerCase())?.middle ?? 0) >= 5,
  );
  const slips = new Map<string, { name: string; variant: string }>();
  let changed = [...chapters];
  for (let count = 0; count < A_ROUND; count++) {
    const name = names[Math.floor(random() * names.length)]!;
    const variant = misspell(name, random);
    if (
      variant === undefined ||
      total.lower.has(variant.toLowerCase()) ||
      total.capital.has(variant.toLowerCase()) ||
      slips.has(variant)
    )
      continue;
    changed = replaceOne(changed, name, variant, random);
    slips.set(variant, { name, variant });
  }
  return { chapters: changed, slips: [...slips.values()] };
}

/** The chapters with one occurrence of a name, chosen at random, spelt as its variant. */
export function replaceOne(
  chapters: readonly ReadingChapter[],
  name: string,
  variant: string,
  random: () => number,
): ReadingChapter[] {
  const places = chapters.flatMap(({ blocks }, chapter) =>
    blocks.flatMap(({ text }, block) =>
      tokenize(text)
        .filter((token) => token.text === name)
        .map(({ from, to }) => ({ chapter, block, from, to })),
    ),
  );
  const place = places[Math.floor(random() * places.length)];
  if (place === undefined) return [...chapters];
  return chapters.map((chapter, at) =>
    at !== place.chapter
      ? chapter
      : {
          ...chapter,
          blocks: chapter.blocks.map((block, index) =>
            index !== place.block
              ? block
              : { ...block, text: block.text.slice(0, place.from) + variant + block.text.slice(place.to) },
          ),
        },
  );
}
