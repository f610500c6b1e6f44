import { readBooks } from "./search-corpus.ts";
import { ftsPorter, ours, plainMiniSearch } from "./search-engines.ts";
import { KINDS, knownQuestions } from "./search-questions.ts";

const root = process.env.MANUSCRIPT_CORPUS!;
const { stemmer } = await import("stemmer" as string);
const rr = (list: string[], id: string) => {
  const i = list.indexOf(id);
  return i >= 0 && i < 10 ? 1 / (i + 1) : 0;
};
const names = (process.argv[2] ?? "pride-and-prejudice").split(",");
const book = readBooks(root, names);
const n = Number(process.argv[3] ?? 200),
  seed = Number(process.argv[4] ?? 11);
const qs = knownQuestions(book, n, seed, stemmer);
for (const e of [ours(book, stemmer), ...(process.argv[5] ? [] : [plainMiniSearch(book), ftsPorter(book)])]) {
  const p: Record<string, number> = {},
    c: Record<string, number> = {},
    t: Record<string, number[]> = {};
  for (const q of qs) {
    const t0 = performance.now();
    const r = e.ask(q.query);
    (t[q.kind] ??= []).push(performance.now() - t0);
    if (q.paragraphId) p[q.kind] = (p[q.kind] ?? 0) + rr(r.paragraphs, q.paragraphId) / n;
    c[q.kind] = (c[q.kind] ?? 0) + rr(r.chapters, q.chapterId) / n;
  }
  const f = (o: Record<string, number>) =>
    KINDS.map((k) => (o[k] === undefined ? "    " : o[k]!.toFixed(3))).join(" ") +
    " avg " +
    (Object.values(o).reduce((a, b) => a + b) / Object.values(o).length).toFixed(4);
  console.log(e.name.padEnd(12), "P", f(p), "| C", f(c));
  console.log(
    "   ms p50/max",
    KINDS.map((k) => {
      const a = t[k]!.sort((x, y) => x - y);
      return a[a.length >> 1]!.toFixed(1) + "/" + a.at(-1)!.toFixed(0);
    }).join(" "),
  );
}
console.log(book.wordCount, book.paragraphs.length, process.memoryUsage().heapUsed >> 20);
