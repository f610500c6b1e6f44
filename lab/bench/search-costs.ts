import type { BookIndex } from "../../src/search/book-index.ts";
import type { Book } from "./search-corpus.ts";
import { builtIndex, putChapterProse, putEdited } from "./search-engines.ts";
import { KINDS, knownQuestions } from "./search-questions.ts";

/** Milliseconds of CPU, in process, excerpts included; each question is the median of five. */
export interface Costs {
  words: number;
  firstSearchMs: number;
  /** Of the heap, without the texts themselves; NaN unless run with --expose-gc. */
  bytesPerWord: number;
  estimatedBytesPerWord: number;
  kinds: Record<string, { p50Ms: number; worstMs: number }>;
  stopWordsOnlyMs: number;
  hostileWorstMs: number;
  hostileWorst: string;
  changedParagraphMs: number;
  /** Of a paragraph of 1,000 words. */
  changedLongMs: number;
}

const STOP_ONLY = ["the", "of the man", "of the and", "to be or not to be", "it was the"];
const HOSTILE = [
  ...[
    "of the and",
    "a*",
    "th*",
    "a* ".repeat(166),
    "the* and* of* to* a* in* that* it* his* her* was* he* she*",
  ],
  ...[
    "the and of to a in that it his her was he she with as for",
    '"of the"',
    '"the the the the"',
    "the -of",
  ],
  ...[
    '-"of the" and',
    "x".repeat(500),
    "abcdefghijklmnopqrstuvwxyzabcdefghijklmn",
    '"'.repeat(500),
    "-a ".repeat(166),
  ],
  ...['"of the" "to the" "in the" "and the" "of a" "to a" "in a" "and a"', "é".repeat(500), "a-".repeat(250)],
];

/** What one book costs to enter, to search and to change. */
export function measureCosts(book: Book, stem: (word: string) => string): Costs {
  const heapBefore = heap();
  const started = cpuMs();
  const index = builtIndex(book, stem);
  index.find("letter evening", 20);
  const firstSearchMs = cpuMs() - started;
  const bytesPerWord = (heap() - heapBefore) / book.wordCount;
  const questions = knownQuestions(book, { count: 40, seed: 9, stem });
  for (const { query } of questions) index.find(query, 20);
  const kinds = KINDS.map((kind) => {
    const times = questions.filter((known) => known.kind === kind).map(({ query }) => askedMs(index, query));
    times.sort((a, b) => a - b);
    return [kind, { p50Ms: times[times.length >> 1] ?? 0, worstMs: times.at(-1) ?? 0 }] as const;
  });
  const hostile = HOSTILE.map((query) => ({ query, ms: askedMs(index, query) })).sort((a, b) => b.ms - a.ms);
  return {
    words: book.wordCount,
    firstSearchMs,
    bytesPerWord,
    estimatedBytesPerWord: index.bytes / book.wordCount,
    kinds: Object.fromEntries(kinds),
    stopWordsOnlyMs: Math.max(...STOP_ONLY.map((query) => askedMs(index, query))),
    hostileWorstMs: hostile[0]?.ms ?? 0,
    hostileWorst: hostile[0]?.query.slice(0, 40) ?? "",
    changedParagraphMs: changedMs(index, book),
    changedLongMs: changedLongMs(index, book),
  };
}

function askedMs(index: BookIndex, query: string): number {
  const times = Array.from({ length: 5 }, () => {
    const started = cpuMs();
    index.find(query, 20);
    return cpuMs() - started;
  });
  return times.sort((a, b) => a - b)[2] ?? 0;
}

function changedMs(index: BookIndex, book: Book): number {
  const rounds = Array.from({ length: 3 }, (_, round) => {
    const started = cpuMs();
    for (let edit = 0; edit < 1000; edit += 1) {
      const place = (edit * 7919 + round) % book.paragraphs.length;
      const { text } = book.paragraphs[place]!; // place is below the length
      putEdited(index, book.paragraphs, place, `${text} Edited ${round}.`);
    }
    return (cpuMs() - started) / 1000;
  });
  return rounds.sort((a, b) => a - b)[1] ?? 0;
}

function changedLongMs(index: BookIndex, book: Book): number {
  const words = book.paragraphs
    .slice(0, 400)
    .flatMap(({ text }) => text.split(/\s+/))
    .slice(0, 1000)
    .join(" ");
  const put = (edit: number) =>
    putChapterProse(index, [{ id: "long", chapterId: "long", text: `${words} Edited ${edit}.` }]);
  for (let edit = 0; edit < 20; edit += 1) put(edit);
  const started = cpuMs();
  for (let edit = 20; edit < 120; edit += 1) put(edit);
  const took = (cpuMs() - started) / 100;
  index.retain(new Set(book.chapters), new Set());
  return took;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function heap(): number {
  const { gc } = globalThis as { gc?: () => void };
  if (gc === undefined) return Number.NaN;
  gc();
  gc();
  return process.memoryUsage().heapUsed;
}
