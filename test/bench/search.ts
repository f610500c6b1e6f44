// Search, side by side: node --import tsx test/bench/search.ts [sentences] [seed]; with --expose-gc it weighs the heap too.
// Quality is the known-item test of test/bench/search-questions.ts; costs are milliseconds of CPU. MANUSCRIPT_CORPUS names
// a folder of novels, each a folder with one Markdown file a chapter.
import { readdirSync } from "node:fs";
import { type Book, readBooks, repeated } from "./search-corpus.ts";
import { type Costs, measureCosts } from "./search-costs.ts";
import { englishStem } from "./search-engines.ts";
import { measureQuality, type Quality } from "./search-quality.ts";
import { KINDS } from "./search-questions.ts";

/** The one book on which the settings were tried; the others judge them. */
const TUNED_ON = "pride-and-prejudice";

const root = process.env.MANUSCRIPT_CORPUS;
if (root === undefined) console.error("MANUSCRIPT_CORPUS names no folder of novels: nothing to measure.");
else await bench(root, Number(process.argv[2] ?? 100), Number(process.argv[3] ?? 1));

async function bench(folder: string, sentences: number, seed: number): Promise<void> {
  const { name: stemmer, stem } = await englishStem();
  const sampling = { count: sentences, seed, stem };
  const names = readdirSync(folder)
    .filter((name) => name !== "README.md")
    .sort();
  const heldOut = names.filter((name) => name !== TUNED_ON);
  const quality: Record<string, Quality[]> = {};
  for (const book of [TUNED_ON, ...heldOut].map((name) => readBooks(folder, [name]))) {
    quality[book.name] = measureQuality(book, sampling);
    printQuality(book, quality[book.name] ?? []);
  }
  const together = readBooks(folder, heldOut, `${heldOut.length} held-out novels as one book`);
  quality[together.name] = measureQuality(together, sampling);
  printQuality(together, quality[together.name] ?? []);
  const all = repeated(readBooks(folder, names, "all novels"), 2);
  const costs = [readBooks(folder, [TUNED_ON]), all].map((book) => ({
    book: book.name,
    ...measureCosts(book, stem),
  }));
  for (const cost of costs) printCosts(cost);
  console.log(JSON.stringify({ sentences, seed, stemmer, quality, costs }));
}

function printQuality(book: Book, rows: readonly Quality[]): void {
  console.log(`\n${book.name}: ${book.wordCount} words. Mean reciprocal rank at 10, paragraph / chapter`);
  console.log(line("", [...KINDS, "mean"]));
  for (const { engine, paragraph, chapter, paragraphMean, chapterMean } of rows) {
    const kinds = KINDS.map((kind) => `${paragraph[kind]?.toFixed(3) ?? "–"}/${chapter[kind].toFixed(3)}`);
    console.log(line(engine, [...kinds, `${paragraphMean.toFixed(3)}/${chapterMean.toFixed(3)}`]));
  }
}

function printCosts({ book, ...cost }: Costs & { book: string }): void {
  console.log(`\n${book}: ${cost.words} words. Milliseconds of CPU, p50 / worst`);
  console.log(line("", [...KINDS]));
  const kinds = KINDS.map(
    (kind) => `${cost.kinds[kind]?.p50Ms.toFixed(1)}/${cost.kinds[kind]?.worstMs.toFixed(1)}`,
  );
  console.log(line("ours", kinds));
  console.log(
    `first search ${cost.firstSearchMs.toFixed(0)} ms; one paragraph changed ${cost.changedParagraphMs.toFixed(3)} ms`,
  );
  console.log(
    `stop words only ${cost.stopWordsOnlyMs.toFixed(1)} ms; hostile ${cost.hostileWorstMs.toFixed(1)} ms (${cost.hostileWorst})`,
  );
  console.log(
    `heap ${cost.bytesPerWord.toFixed(1)} bytes a word without the texts; estimate with them ${cost.estimatedBytesPerWord.toFixed(1)}`,
  );
}

function line(head: string, cells: readonly string[]): string {
  return head.padEnd(12) + cells.map((cell) => cell.padStart(14)).join("");
}
