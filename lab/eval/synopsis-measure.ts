/**
 * What a synopsis tells of the chapters of public-domain novels, beside a chapter's first sentences of the same length.
 * Needs `MANUSCRIPT_CORPUS`, a folder of novels with one Markdown file a chapter.
 */
import { join } from "node:path";
import { createDetector } from "../../src/ai/embedded/index.ts";
import { createSynopsis } from "../../src/ai/embedded/synopsis/synopsis.ts";
import type { ReadingChapter } from "../../src/reading/reading.ts";
import { splitSentences } from "../../src/reading/sentences.ts";
import { tokenize } from "../../src/reading/tokens.ts";
import { isHonorific } from "../../src/reading/word-lists.ts";
import { type Line, median } from "../bench/report.ts";
import { castOf } from "./casts.ts";
import { bookOf, listCorpus, readNovel } from "./novels.ts";

const TOP = 5;

/** Names among the chapter's top five that are named, sentences word for word, length and cost. */
export function evaluateSynopsis(
  corpus: string,
  { novels = listCorpus(corpus), withCast = true } = {},
): Line[] {
  const tallies = { names: 0, ours: 0, told: 0, lead: 0, sentences: 0, verbatim: 0, within: 0, long: 0 };
  const costs: number[] = [];
  for (const novel of novels) {
    const chapters = readNovel(join(corpus, novel));
    const book = bookOf(novel, chapters, withCast ? (castOf(novel) ?? []) : []);
    const draft = createSynopsis(createDetector().detect);
    for (const chapter of chapters) {
      const start = performance.now();
      const synopsis = draft(chapter, book);
      costs.push(performance.now() - start);
      tally(tallies, chapter, synopsis);
    }
  }
  const share = (part: number, whole: number) => (100 * part) / whole;
  const named = share(tallies.ours, tallies.names);
  const verbatim = share(tallies.verbatim, tallies.sentences);
  return [
    { what: `names of the top ${TOP} named`, value: named, unit: "%", bar: ">= 59 %", met: named >= 59 },
    { what: "  in its sentences alone", value: share(tallies.told, tallies.names), unit: "%" },
    { what: "  in the first sentences", value: share(tallies.lead, tallies.names), unit: "%" },
    { what: "sentences word for word", value: verbatim, unit: "%", bar: "100 %", met: verbatim === 100 },
    { what: "of 60 to 150 words, of longer chapters", value: share(tallies.within, tallies.long), unit: "%" },
    { what: "a chapter, median", value: median(costs), unit: "ms" },
    { what: "a chapter, at most", value: Math.max(...costs), unit: "ms" },
  ];
}

function tally(
  tallies: Record<"names" | "ours" | "told" | "lead" | "sentences" | "verbatim" | "within" | "long", number>,
  chapter: ReadingChapter,
  synopsis: string,
): void {
  const told = synopsis.replace(/\n.*$/, "");
  const names = topNames(chapter);
  const lead = leadOf(chapter, told.split(/\s+/).length);
  tallies.names += names.length;
  const count = (text: string) =>
    names.filter((name) => tokenize(text).some(({ key }) => key === name)).length;
  tallies.ours += count(synopsis);
  tallies.told += count(told);
  tallies.lead += count(lead);
  const quoted = splitSentences({ ...chapter, blocks: [{ blockId: "", text: told }] });
  tallies.sentences += quoted.length;
  tallies.verbatim += quoted.filter(({ text }) =>
    chapter.blocks.some((block) => block.text.includes(text)),
  ).length;
  const words = synopsis.split(/\s+/).length;
  if (chapter.blocks.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0) < 200) return;
  tallies.long++;
  tallies.within += Number(words >= 60 && words <= 150);
}

/** Keys of the words that are most often written with a capital within a sentence and never without: its names. */
function topNames({ blocks }: ReadingChapter): string[] {
  const tokens = blocks
    .flatMap(({ text }) => tokenize(text))
    .filter(({ kind, key }) => kind === "word" && key.length > 2);
  const lower = new Set(tokens.filter(({ shape }) => shape === "lower").map(({ key }) => key));
  const counts = new Map<string, number>();
  for (const { key, shape, isStart } of tokens) {
    if (shape === "capital" && !isStart && !lower.has(key) && !isHonorific(key))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const ranked = [...counts]
    .filter(([, count]) => count > 1)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return ranked.slice(0, TOP).map(([key]) => key);
}

function leadOf(chapter: ReadingChapter, words: number): string {
  const whole = splitSentences(chapter).filter(({ isWhole }) => isWhole);
  return whole
    .map(({ text }) => text)
    .join(" ")
    .split(/\s+/)
    .slice(0, words)
    .join(" ");
}
