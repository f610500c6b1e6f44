import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDetector } from "../../src/ai/embedded/index.ts";
import type { ReadingBook, ReadingChapter } from "../../src/reading/reading.ts";
import { detectMentions } from "../../src/service/ai/metered-call.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { type Caller, openManuscript } from "../../src/service/manuscript.ts";
import { type Line, median, report } from "../bench/report.ts";
import { litbankFiles, litbankFolder, readNovel } from "./litbank.ts";
import { atMost } from "./score.ts";

// A chapter of 5,000 words in a book of 150,000: cold through the whole service, from a file just opened; warm in the engine.
const WORDS = { chapter: 5000, book: 150_000 };
const ROUNDS = 9;
const caller: Caller = { source: "cli" };
const root = join(import.meta.dirname, "../..");

const chapters = bookOfWords();
const folder = mkdtempSync(join(tmpdir(), "manuscript-eval-"));
const file = join(folder, "eval.manuscript");
const ids = write();
const asked = ids[Math.floor(ids.length / 2)] ?? "";
const cold: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const manuscript = openManuscript(file);
  const start = performance.now();
  await detectMentions(manuscript, asked);
  cold.push(performance.now() - start);
  manuscript.close();
}
globalThis.gc?.();
const before = process.memoryUsage().heapUsed;
const manuscript = openManuscript(file);
await detectMentions(manuscript, asked);
const grown = (process.memoryUsage().heapUsed - before) / 1e6;
globalThis.gc?.();
const kept = (process.memoryUsage().heapUsed - before) / 1e6;
manuscript.close();
rmSync(folder, { recursive: true });

const detector = createDetector();
const book = shelved(chapters);
const middle = chapters[Math.floor(chapters.length / 2)]!; // there are some
detector.detect(middle, book);
const warm = times(() => detector.detect(middle, book));
const edited = times((round) => {
  const next = { ...middle, revision: round + 2 };
  detector.detect(next, shelved(chapters.map((chapter) => (chapter === middle ? next : chapter))));
});
const long: ReadingChapter = {
  ...middle,
  chapterId: "long",
  blocks: [{ blockId: "one", text: textOf(chapters) }],
};
const split: ReadingChapter = {
  ...long,
  chapterId: "split",
  blocks: chapters.flatMap(({ blocks }) => blocks),
};
const [longTime, splitTime] = [long, split].map((chapter) =>
  times(() => createDetector().detect(chapter, shelved([chapter])), 5),
) as [number, number];
report("speed: a chapter of 5,000 words in a book of 150,000", [
  atMost("detect, warm", warm, "ms", 50),
  atMost("detect, the chapter just changed", edited, "ms"),
  atMost("detect, cold, through the service", median(cold), "ms", 400),
  atMost("the whole book as one paragraph, cold", longTime, "ms"),
  atMost("the same ÷ one chapter of many paragraphs", longTime / splitTime, "×", 3),
  atMost("heap that a cold detect adds, before collection", grown, "MB", 150),
  atMost("heap that stays", kept, "MB"),
  sameLine("chapters that differ between two runs or orders", differences()),
  atMost("what the tier adds to opening a manuscript", loading("service/embedded-engine.js"), "ms", 20),
  atMost("loading the engine when detect is first asked", loading("ai/embedded/index.js"), "ms"),
  atMost("lists, source", listBytes() / 1000, "kB", 250),
]);

function bookOfWords(): ReadingChapter[] {
  const words: string[][] = [];
  for (const path of litbankFiles(litbankFolder())) {
    for (const chapter of readNovel(path).book.chapters) {
      for (const { text } of chapter.read().blocks) words.push(text.split(" "));
    }
    if (words.reduce((sum, { length }) => sum + length, 0) >= WORDS.book) break;
    words.length = 0; // one novel, long enough by itself
  }
  const made: ReadingChapter[] = [];
  let [blocks, count] = [[] as { blockId: string; text: string }[], 0];
  for (const paragraph of words) {
    blocks.push({ blockId: `${made.length}-${blocks.length}`, text: paragraph.join(" ") });
    count += paragraph.length;
    if (count < WORDS.chapter) continue;
    made.push({ chapterId: `c${made.length}`, revision: 1, title: "", blocks });
    [blocks, count] = [[], 0];
    if (made.length * WORDS.chapter >= WORDS.book) break;
  }
  return made;
}

function write(): string[] {
  const opened = openManuscript(file, { create: true });
  const { id } = createBook(opened, { title: "Speed" }, caller);
  const made = chapters.map(({ chapterId, blocks }) => {
    const markdown = blocks.map(({ text }) => text).join("\n\n");
    return createChapter(opened, id, { title: chapterId, markdown }, caller).id;
  });
  opened.close();
  return made;
}

function shelved(all: readonly ReadingChapter[]): ReadingBook {
  return { bookId: "speed", cast: [], chapters: all.map((chapter) => ({ ...chapter, read: () => chapter })) };
}

function textOf(all: readonly ReadingChapter[]): string {
  return all.flatMap(({ blocks }) => blocks.map(({ text }) => text)).join(" ");
}

function times(run: (round: number) => void, rounds = ROUNDS): number {
  return median(
    Array.from({ length: rounds }, (_, round) => {
      const start = performance.now();
      run(round);
      return performance.now() - start;
    }),
  );
}

/** Chapters whose proposals are not the same bytes in reading order, in reverse order, and asked of a fresh engine. */
function differences(): number {
  const some = chapters.slice(0, 12);
  const all = shelved(some);
  const [forth, back] = [createDetector(), createDetector()];
  const first = some.map((chapter) => JSON.stringify(forth.detect(chapter, all)));
  const second = [...some]
    .reverse()
    .map((chapter) => JSON.stringify(back.detect(chapter, all)))
    .reverse();
  return first.filter((text, index) => {
    const fresh = JSON.stringify(createDetector().detect(some[index]!, all)); // as many
    return text !== second[index] || text !== fresh || text === "[]";
  }).length;
}

function sameLine(what: string, value: number): Line {
  return { what, value, unit: "", bar: "0", met: value === 0 };
}

/** Import of a compiled module where the store is loaded already, in a process of its own; median, in ms. */
function loading(module: string): number {
  const [store, part] = ["store/file/store.js", module].map((path) =>
    JSON.stringify(join(root, "dist", path)),
  );
  const code = `await import(${store}); const start = performance.now(); await import(${part}); console.log(performance.now() - start);`;
  return median(
    Array.from({ length: ROUNDS }, () => {
      const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
        encoding: "utf8",
      });
      return Number.parseFloat(stdout);
    }),
  );
}

function listBytes(): number {
  const folderOfLists = join(root, "src/ai/embedded");
  const lists = readdirSync(folderOfLists).filter((name) => name.startsWith("lists-"));
  return lists.reduce((sum, name) => sum + statSync(join(folderOfLists, name)).size, 0);
}
