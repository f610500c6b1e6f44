import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cost, costOf, cpuOfProgram } from "./processes.ts";
import { chapterOf, type Line, median, report } from "./report.ts";

// What taking a writer's files in costs: whole processes, ours and the references turn by turn, there and back again.
const ROUNDS = 5;
const CHAPTER_WORDS = 10_000;
const MILLION = 100 * CHAPTER_WORDS;
const root = join(import.meta.dirname, "../..");
const bin = join(root, "bin/manuscript.js");
const folder = mkdtempSync(join(tmpdir(), "manuscript-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const READ = (place: string) =>
  `const fs=require("fs"),d=${JSON.stringify(place)},texts=fs.readdirSync(d).filter(f=>f.endsWith(".md")).map(f=>fs.readFileSync(d+"/"+f,"utf8"));`;
const fromHere = (path: string) => JSON.stringify(join(root, path));
const MARKDOWN_IT = (place: string) =>
  `${READ(place)}const md=require(${fromHere("node_modules/markdown-it")})("commonmark");for(const x of texts)md.parse(x,{})`;
const REMARK = (place: string) =>
  `${READ(place)}import(${fromHere("lab/node_modules/remark/index.js")}).then(({remark})=>{const to=remark();for(const x of texts)String(to.processSync(x))})`;

type Variant = "read" | "parse" | "remark" | "folder" | "one file";
const VARIANTS: readonly Variant[] = ["read", "parse", "folder", "one file", "remark"];

/** A folder of chapters, the same as one file with a heading for each, and how many words they have. */
interface Book {
  folder: string;
  file: string;
  chapters: number;
  words: number;
}

const million = layOut("million", MILLION);
const costs = rounds(million, VARIANTS, ROUNDS);
const cpu = (variant: Variant) => median(costs[variant].map(({ cpuMs }) => cpuMs));
const pandoc = cpuOfProgram("pandoc", ["-f", "commonmark", "-t", "json", million.file]);
const HOW = `Beside what is parsed, an import writes every paragraph with its ids, its journal and two hashes by which damage is seen, in one
act that is there as a whole or not at all. Of its time SQLite takes about two fifths (rows, their indexes and triggers, commit and
checkpoint), starting and loading a sixth, compiling and collecting garbage a seventh, the hashes a tenth, reading and
parsing a tenth. SQLite, the hashes and the start alone come near the bar against markdown-it.`;
report(
  `import: ${million.words} words, ${million.chapters} files, one act; CPU of whole processes, median of ${ROUNDS}`,
  [
    { what: "node reads the files", value: cpu("read"), unit: "ms" },
    { what: "… and markdown-it parses them", value: cpu("parse"), unit: "ms" },
    { what: "… and remark parses and writes them", value: cpu("remark"), unit: "ms" },
    ...(pandoc === undefined ? [] : [{ what: "pandoc, Markdown to JSON", value: pandoc, unit: "ms" }]),
    { what: "manuscript import, the folder", value: cpu("folder"), unit: "ms" },
    { what: "manuscript import, one file with headings", value: cpu("one file"), unit: "ms" },
    atMost("folder ÷ markdown-it", cpu("folder") / cpu("parse"), 2.5),
    atMost("folder ÷ remark", cpu("folder") / cpu("remark"), 0.5),
    atMost("one file ÷ remark", cpu("one file") / cpu("remark"), 0.5),
  ],
  HOW,
);

const tenMillion = layOut("ten-million", 10 * MILLION);
const [large] = rounds(tenMillion, ["folder"], 1).folder as [Cost];
report("import: ten times as much, 1,000 files", [
  { what: "manuscript import", value: large.cpuMs, unit: "ms" },
  atMost(
    "growth: exponent of CPU from a million words",
    Math.log(large.cpuMs / cpu("folder")) / Math.log(tenMillion.words / million.words),
    1.05,
  ),
  { what: "most memory, a million words", value: median(costs.folder.map(({ rssMb }) => rssMb)), unit: "MB" },
  {
    what: "most memory, ten million",
    value: large.rssMb,
    unit: "MB",
    bar: "≤ 250 MB",
    met: large.rssMb <= 250,
  },
]);

// What a writer really brings: `MANUSCRIPT_CORPUS` has a folder a novel.
const corpus = process.env.MANUSCRIPT_CORPUS;
if (corpus !== undefined && existsSync(join(corpus, "moby-dick"))) {
  const novel = { folder: join(corpus, "moby-dick"), file: "", chapters: 0, words: 0 };
  const measured = rounds(novel, ["parse", "folder", "remark"], ROUNDS);
  const of = (variant: Variant) => median(measured[variant].map(({ cpuMs }) => cpuMs));
  report(`import: a novel; CPU of whole processes, median of ${ROUNDS}`, [
    { what: "markdown-it", value: of("parse"), unit: "ms" },
    { what: "remark", value: of("remark"), unit: "ms" },
    { what: "manuscript import", value: of("folder"), unit: "ms" },
    { what: "import ÷ markdown-it", value: of("folder") / of("parse"), unit: "×" },
    { what: "import ÷ remark", value: of("folder") / of("remark"), unit: "×" },
  ]);
}

function atMost(what: string, value: number, most: number): Line {
  return { what, value, unit: "×", bar: `≤ ${most}`, met: value <= most };
}

function layOut(name: string, words: number): Book {
  const place = join(folder, name);
  mkdirSync(place);
  const texts = Array.from(
    { length: words / CHAPTER_WORDS },
    (_, index) => `# Chapter ${index + 1}\n\n${chapterOf(CHAPTER_WORDS, index + 1)}`,
  );
  for (const [index, text] of texts.entries())
    writeFileSync(join(place, `${String(index + 1).padStart(4, "0")}-chapter.md`), text);
  const file = `${place}.md`;
  writeFileSync(file, texts.join("\n"));
  return { folder: place, file, chapters: texts.length, words };
}

function rounds(book: Book, variants: readonly Variant[], count: number): Record<Variant, Cost[]> {
  const measured: Record<Variant, Cost[]> = { read: [], parse: [], remark: [], folder: [], "one file": [] };
  for (let round = 0; round < count; round++) {
    const order = round % 2 === 0 ? variants : variants.toReversed();
    for (const variant of order) measured[variant].push(once(book, variant));
  }
  return measured;
}

function once(book: Book, variant: Variant): Cost {
  if (variant === "read") return costOf(["-e", READ(book.folder)]);
  if (variant === "parse") return costOf(["-e", MARKDOWN_IT(book.folder)]);
  if (variant === "remark") return costOf(["-e", REMARK(book.folder)]);
  const file = join(folder, "bench.manuscript");
  for (const ending of ["", "-wal", "-shm"]) rmSync(file + ending, { force: true });
  costOf([bin, "init", file]);
  return costOf([bin, "import", variant === "folder" ? book.folder : book.file, "--file", file]);
}
