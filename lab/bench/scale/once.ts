/** Measures a book of so many words in a process of its own, and prints it as JSON: `once.ts WORDS`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importFiles } from "../../../src/files/import.ts";
import { readOwnFolder } from "../../../src/files/layouts/read-path.ts";
import { readOutline } from "../../../src/service/books/outline.ts";
import { readChapterAnswer } from "../../../src/service/books/read-chapter.ts";
import { type Manuscript, openManuscript } from "../../../src/service/manuscript.ts";
import { replaceParagraph } from "../../../src/service/prose/replace-paragraph.ts";
import { searchBook } from "../../../src/service/search/search.ts";
import { writeLargeBook } from "../../trust/large-book.ts";
import { cpuSince, median } from "../report.ts";

/** What a book came to: CPU in µs, memory in MiB of the whole process at its most. */
export interface Cost {
  importUs: number;
  openUs: number;
  outlineUs: number;
  chapterUs: number;
  patchUs: number;
  searchUs: number;
  frequentUs: number;
  buildUs: number;
  searchMib: number;
}

const ROUNDS = 15;
const words = Number(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), "manuscript-scale-"));
const path = join(folder, "scale.manuscript");
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
console.log(JSON.stringify(await measure()));

async function measure(): Promise<Cost> {
  const book = join(folder, "book");
  writeLargeBook(book, words);
  globalThis.gc?.();
  const started = process.cpuUsage();
  const bookId = await take(book);
  const importUs = cpuSince(started);
  const openUs = middle(50, () => openManuscript(path).close());
  const manuscript = openManuscript(path);
  const { chapters } = JSON.parse(String(readOutline(manuscript, bookId).body));
  const { id } = chapters[Math.floor(chapters.length / 2)]!; // a book has chapters
  const blockIds = paragraphsOf(manuscript, id);
  const reads = {
    outlineUs: middle(200, () => readOutline(manuscript, bookId)),
    chapterUs: middle(50, () => readChapterAnswer(manuscript, id, { format: "text" })),
    patchUs: middle(60, (at) => {
      const blockId = blockIds[(at * 37) % blockIds.length]!; // within the list
      const markdown = `A new text, number ${at}, of a paragraph that holds as many words as most of the others.`;
      replaceParagraph(
        manuscript,
        { chapterId: id, blockId: blockId as never },
        { markdown },
        { source: "cli" },
      );
    }),
  };
  const searches = measureSearch(manuscript, bookId, book);
  manuscript.close();
  return { importUs, openUs, ...reads, ...searches };
}

async function take(book: string) {
  const manuscript = openManuscript(path, { create: true });
  const { bookId } = await importFiles(manuscript, await readOwnFolder(book), { title: "Scale" });
  manuscript.close();
  return bookId;
}

/** Questions are three words side by side, as a writer remembers them; then one word that most paragraphs hold. */
function measureSearch(
  manuscript: Manuscript,
  bookId: Parameters<typeof searchBook>[1],
  book: string,
): Pick<Cost, "searchUs" | "frequentUs" | "buildUs" | "searchMib"> {
  globalThis.gc?.();
  resetPeak();
  const started = process.cpuUsage();
  searchBook(manuscript, bookId, { q: "nothing" });
  const buildUs = cpuSince(started);
  const text = readFileSync(join(book, "0001.md"), "utf8").split("\n\n");
  const questions = Array.from({ length: 40 }, (_, at) => {
    const said = text[1 + at * 7]!.toLowerCase().replaceAll(".", "").split(" "); // a chapter has 500
    return said.slice(at % 20, (at % 20) + 3).join(" ");
  });
  for (const q of questions) searchBook(manuscript, bookId, { q });
  const times = questions.map((q) => middle(3, () => searchBook(manuscript, bookId, { q })));
  const frequentUs = middle(3, () => searchBook(manuscript, bookId, { q: "the" }));
  return { searchUs: median(times), frequentUs, buildUs, searchMib: readPeakMib() };
}

function paragraphsOf(manuscript: Manuscript, id: Parameters<typeof readChapterAnswer>[1]): string[] {
  const answer = readChapterAnswer(manuscript, id, { format: "doc" });
  const content = ("doc" in answer ? answer.doc.content : []) as unknown as { attrs: { blockId: string } }[];
  return content.map(({ attrs }) => attrs.blockId).slice(1);
}

/** The middle of some rounds of so many runs, for one run. */
function middle(runs: number, run: (at: number) => unknown): number {
  let count = 0;
  const once = () => {
    const started = process.cpuUsage();
    for (let at = 0; at < runs; at++) run(count++);
    return cpuSince(started) / runs;
  };
  return median(Array.from({ length: runs > 10 ? ROUNDS : 1 }, once));
}

/** Lets Linux count the peak anew; elsewhere it is that of the whole process. */
function resetPeak(): void {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // no such file
  }
}

function readPeakMib(): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}
