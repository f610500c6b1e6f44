import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importFiles } from "../../src/files/import.ts";
import { readBookFiles } from "../../src/files/layouts/manuscript.ts";
import { BadRequest } from "../../src/refusals.ts";
import { type Manuscript, openManuscript } from "../../src/service/manuscript.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { searchBook } from "../../src/service/search/search.ts";
import { queryIndex } from "../../src/service/search/search-index.ts";
import { warmSearch } from "../../src/service/search/warm-up.ts";
import { cpuSince, median } from "./report.ts";

/** What searching in a writer's file costs, in milliseconds of CPU unless the name says otherwise. */
export interface FileCosts {
  firstSearchMs: number;
  unchangedUs: number;
  /** What the search after a write to one paragraph pays for it. */
  writtenParagraphMs: number;
  /** Imports by another program that the very next search saw, of 100. */
  seenImports: number;
  /** The longest slice of warming; the collector's own threads are in it. */
  longestSliceMs: number;
  /** One slice of a hundred takes longer. */
  longSliceMs: number;
  libraryWords: number;
  /** Time of questions to one book in the whole library, against the same book in a file of its own. */
  libraryRatio: number;
  /** Of questions far over every limit: the longest, and how many ended in anything but an answer or a 400. */
  bombWorstMs: number;
  bombFaults: number;
}

type BookId = Parameters<typeof searchBook>[1];

/** Measures one book in a file of its own, then all of them so many times over in one file. */
export async function measureFile(
  root: string,
  {
    book,
    names,
    copies,
    questions,
  }: { book: string; names: readonly string[]; copies: number; questions: readonly string[] },
): Promise<FileCosts> {
  const folder = mkdtempSync(join(tmpdir(), "manuscript-bench-"));
  try {
    const alone = openManuscript(join(folder, "alone.manuscript"), { create: true });
    const id = await take(alone, root, book);
    const firstSearchMs = cpuOf(() => searchBook(alone, id, { q: "letter evening" }));
    const times = timesOf(alone, id, questions);
    const costs = {
      firstSearchMs,
      unchangedUs: (cpuOf(() => repeat(5000, () => queryIndex(alone.store, id, () => 0))) / 5000) * 1000,
      ...bombs(alone, id),
      writtenParagraphMs: writtenMs(alone, id),
      seenImports: await seenImports(alone, id),
    };
    alone.close();
    const library = openManuscript(join(folder, "library.manuscript"), { create: true });
    const ids: BookId[] = [];
    for (let copy = 0; copy < copies; copy++) {
      for (const name of names) ids.push(await take(library, root, name));
    }
    const slices = (await warm(library)).sort((a, b) => b - a);
    const asked = ids[names.indexOf(book)]!; // the book is one of the names
    const inLibrary = timesOf(library, asked, questions);
    const libraryWords = library.store.get<{ words: number }>(
      "SELECT sum(word_count) AS words FROM chapters",
    )!.words;
    library.close();
    const warming = {
      longestSliceMs: slices[0] ?? 0,
      longSliceMs: slices[Math.floor(slices.length / 100)] ?? 0,
    };
    return { ...costs, ...warming, libraryWords, libraryRatio: median(inLibrary) / median(times) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function take(manuscript: Manuscript, root: string, name: string): Promise<BookId> {
  return (await importFiles(manuscript, await readBookFiles(join(root, name)), { title: name })).bookId;
}

function cpuOf(run: () => unknown): number {
  const start = process.cpuUsage();
  run();
  return cpuSince(start) / 1000;
}

function repeat(times: number, run: () => unknown): void {
  for (let count = 0; count < times; count++) run();
}

function timesOf(manuscript: Manuscript, id: BookId, questions: readonly string[]): number[] {
  const ask = (q: string) => searchBook(manuscript, id, { q });
  for (const q of questions) ask(q);
  return questions.map((q) => median(Array.from({ length: 3 }, () => cpuOf(() => ask(q)))));
}

const BOMBS = [
  Array.from({ length: 1000 }, (_, at) => `term${at}`).join(" "),
  "x".repeat(16_384),
  "a* ".repeat(3000),
  '"'.repeat(3000),
  '"',
  "-",
  "\ud83d",
];

function bombs(manuscript: Manuscript, id: BookId): Pick<FileCosts, "bombWorstMs" | "bombFaults"> {
  let bombFaults = 0;
  const times = BOMBS.map((q) =>
    cpuOf(() => {
      try {
        searchBook(manuscript, id, { q });
      } catch (error) {
        if (!(error instanceof BadRequest)) bombFaults += 1;
      }
    }),
  );
  return { bombWorstMs: Math.max(...times), bombFaults };
}

function writtenMs(manuscript: Manuscript, id: BookId): number {
  const paragraphs = manuscript.store.all<{ chapterId: never; blockId: never; text: string }>(
    "SELECT chapter_id AS chapterId, json_extract(node, '$.attrs.blockId') AS blockId, text FROM blocks WHERE type = 'paragraph' ORDER BY id LIMIT 300",
  );
  const times = paragraphs.map(({ chapterId, blockId, text }) => {
    const markdown = `${text.replace(/[^\p{L}\p{N} ,.]/gu, " ").trim()} Edited.`;
    replaceParagraph(manuscript, { chapterId, blockId }, { markdown }, { source: "cli" });
    return cpuOf(() => queryIndex(manuscript.store, id, () => 0));
  });
  return times.reduce((sum, time) => sum + time, 0) / times.length;
}

async function seenImports(manuscript: Manuscript, id: BookId): Promise<number> {
  const other = openManuscript(manuscript.store.path);
  let seen = 0;
  for (let count = 0; count < 100; count++) {
    const text = `# News\n\nThe zeppelin${count} came down.\n`;
    const files = { folder: undefined, book: undefined, skipped: [], fallbackTitle: undefined };
    await importFiles(
      other,
      { ...files, chapters: [{ file: "news.md", name: "news", text }] },
      { bookId: id },
    );
    if (searchBook(manuscript, id, { q: `zeppelin${count}` }).chapters[0]?.title === "News") seen += 1;
  }
  other.close();
  return seen;
}

/** Warms all books of the file and gives what each slice took, in milliseconds of CPU. */
function warm(manuscript: Manuscript): Promise<number[]> {
  return new Promise((resolve) => {
    const times: number[] = [];
    let isOver = true;
    const turn = (slice: () => void) => {
      isOver = true;
      times.push(cpuOf(slice));
      if (isOver) resolve(times);
    };
    warmSearch([manuscript], {
      later: (slice) => {
        isOver = false;
        setImmediate(turn, slice);
      },
    });
  });
}
