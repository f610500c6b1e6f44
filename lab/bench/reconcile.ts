/**
 * Prints how well and how fast `reconcile` keeps ids, beside the bars: a table, then the same as one line of JSON.
 * `MANUSCRIPT_CORPUS=folder node --import tsx lab/bench/reconcile.ts [seed]`; without it invented chapters only.
 */
import type { ParagraphText } from "../../src/prose/reconcile/pairs.ts";
import { edits } from "../../test/prose/edits.ts";
import { costs } from "../../test/prose/edits-costs.ts";
import { bars, listNovels, percent, readChapters, tallyEdit } from "../../test/prose/edits-measure.ts";
import { inventChapters, scriptNames } from "../../test/prose/edits-texts.ts";
import { inventTwins } from "../../test/prose/twins.ts";
import { type TwinTally, tallyTwins } from "../../test/prose/twins-measure.ts";

/** Ids kept by one kind of edit in one book, in per cent; `into` is the precision and recall of named survivors. */
interface Quality {
  book: string;
  edit: string;
  precision: number;
  recall: number;
  into?: [precision: number, recall: number];
}

const seed = Number(process.argv[2] ?? 2);
const corpus = process.env.MANUSCRIPT_CORPUS;
const books = new Map<string, ParagraphText[][]>();
for (const novel of corpus === undefined ? [] : listNovels(corpus))
  books.set(novel, readChapters(corpus!, novel)); // listed
for (const script of scriptNames)
  books.set(script, inventChapters({ script, seed, chapters: 8, paragraphs: 150 }));

const quality = Object.keys(edits).flatMap((edit) =>
  [...books].map(([book, chapters]) => rate(book, edit, chapters)),
);
const twins = rateTwins();
const times = costs().map(({ name, mostMs, run }) => ({ name, mostMs, medianMs: timeMedian(run) }));

printQuality();
printTwins();
printTimes();
console.log(JSON.stringify({ seed, quality, twins, times }));

function rate(book: string, edit: string, chapters: ParagraphText[][]): Quality {
  const tally = tallyEdit(edit, chapters, seed);
  const rated = {
    book,
    edit,
    precision: percent(tally.right, tally.kept),
    recall: percent(tally.right, tally.due),
  };
  if (tally.intoDue === 0) return rated;
  return {
    ...rated,
    into: [percent(tally.intoRight, tally.intoNamed), percent(tally.intoRight, tally.intoDue)],
  };
}

/** 1,000 cases of neighbours that differ only in what was changed, by kind. */
function rateTwins(): ({ kind: string; cases: number } & Omit<TwinTally, "crossedIn">)[] {
  const all = inventTwins(1000, seed);
  return [...new Set(all.map(({ kind }) => kind))].map((kind) => {
    const cases = all.filter((one) => one.kind === kind);
    const { due, kept, crossed } = tallyTwins(cases);
    return { kind, cases: cases.length, due, kept, crossed };
  });
}

/** The first run is not counted: it compiles. */
function timeMedian(run: () => unknown): number {
  const runs = Array.from({ length: 8 }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return runs.slice(1).sort((a, b) => a - b)[3]!; // the middle one of seven
}

function printQuality(): void {
  const names = [...books.keys()];
  console.log(`ids kept: precision/recall in per cent, seed ${seed}`);
  console.log(row("edit", "at least", names));
  for (const edit of Object.keys(edits)) {
    const bar = bars[edit]!; // every edit has one
    const cells = quality.filter((rated) => rated.edit === edit);
    console.log(
      row(
        edit,
        `${bar.precision}/${bar.recall}`,
        cells.map(({ precision, recall }) => pair(precision, recall)),
      ),
    );
    const survivors = cells.map(({ into }) => (into === undefined ? "" : pair(...into)));
    if (survivors.some((cell) => cell !== "")) console.log(row("  survivors named", "", survivors));
  }
}

function printTwins(): void {
  console.log("\ntwins: cases, ids due, kept and crossed; none may be crossed");
  for (const { kind, cases, due, kept, crossed } of twins) {
    const counts = [cases, due, kept, crossed].map((count) => String(count).padStart(7));
    console.log(kind.padEnd(27) + counts.join(""));
  }
}

function printTimes(): void {
  console.log("\nmilliseconds: median of seven, at most");
  for (const { name, mostMs, medianMs } of times) {
    console.log(`${name.padEnd(52)}${medianMs.toFixed(2).padStart(9)}${String(mostMs).padStart(7)}`);
  }
}

function pair(precision: number, recall: number): string {
  return `${precision.toFixed(2)}/${recall.toFixed(2)}`;
}

function row(name: string, bar: string, cells: readonly string[]): string {
  return name.padEnd(27) + bar.padEnd(13) + cells.map((cell) => cell.slice(0, 13).padEnd(15)).join("");
}
