import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { readOutline } from "../../src/service/books/outline.ts";
import { listRevisions, readChapter } from "../../src/service/books/read-chapter.ts";
import { compareBooks } from "../../src/service/history/compare-books.ts";
import { listMilestones } from "../../src/service/history/milestones.ts";
import { undoAct, undoActs } from "../../src/service/history/undo.ts";
import { type Caller, type Manuscript, openManuscript } from "../../src/service/manuscript.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { searchBook } from "../../src/service/search/search.ts";
import { inMemory } from "../../test/in-memory.ts";
import { PROGRAM } from "../../test/support/program.ts";
import { cpuSince, type Line, median, report } from "./report.ts";
import { type WrittenBook, writeYears, YearsClock } from "./ten-years/generate.ts";

// MANUSCRIPT_SAVES makes it shorter: 500,000 saves take some ten minutes to write.
const SAVES = Number(process.env.MANUSCRIPT_SAVES ?? 500_000);
const YEARS = { books: 3, wordsPerBook: 120_000, saves: SAVES, notes: SAVES / 167, milestones: SAVES / 1667 };
const caller: Caller = { source: "page" };
const folder = mkdtempSync(join(inMemory(), "manuscript-years-"));
const at = (name: string) => join(folder, `${name}.manuscript`);

try {
  const clock = new YearsClock(SAVES);
  const old = openManuscript(at("old"), { create: true, clock: clock.now });
  const start = process.cpuUsage();
  const books = writeYears(old, YEARS, clock, 7);
  const saveUs = cpuSince(start) / SAVES;
  old.close();
  const fresh = openManuscript(at("fresh"), { create: true });
  const copies = books.map((book) => copyBook(fresh, book));
  fresh.close();
  const bytes = (statSync(at("old")).size - statSync(at("fresh")).size) / SAVES;
  const lines: Line[] = [
    { what: "saves", value: SAVES, unit: "" },
    atMost("bytes a save, all tables and indexes", bytes, "B", 350),
    atMost("the file", statSync(at("old")).size / 1e6, "MB", 200),
    { what: "a save in process, CPU", value: saveUs, unit: "µs" },
    ...besideFresh(books, copies),
    ...ofHistory(books),
  ];
  report(`ten years: ${SAVES} saves`, lines, HOW());
} finally {
  rmSync(folder, { recursive: true });
}

function HOW(): string {
  return "Three novels of 120,000 words, written in sittings as people type, with notes and milestones; the fresh file holds the same text and no history. CPU of the process, medians.";
}

function atMost(what: string, value: number, unit: string, bar: number): Line {
  return { what, value, unit, bar: `≤ ${bar}`, met: value <= bar };
}

/** The same text in a new file. */
function copyBook(fresh: Manuscript, book: WrittenBook): WrittenBook {
  const { id } = createBook(fresh, { title: "Novel" }, caller);
  const chapters = book.chapters.map(({ blockIds }, index) => {
    const markdown = blockIds.map((blockId) => book.texts.get(blockId)).join("\n\n");
    const chapter = createChapter(fresh, id, { title: `Chapter ${index + 1}`, markdown }, caller);
    return { id: chapter.id, blockIds: leavesOf(fresh, chapter.id) };
  });
  return { id, chapters, texts: new Map() };
}

function leavesOf({ store }: Manuscript, chapterId: string): string[] {
  return store.list(
    "SELECT l.id FROM leaves l JOIN blocks b ON b.id = l.row_id WHERE b.chapter_id = ? ORDER BY b.rank, b.id, l.place",
    chapterId,
  );
}

/** What is done every day, in the old file and in the fresh one by turns: ratios. */
function besideFresh(books: readonly WrittenBook[], copies: readonly WrittenBook[]): Line[] {
  const times: Record<string, [number[], number[]]> = {};
  const took = (what: string, side: 0 | 1, us: number) => {
    times[what] ??= [[], []];
    times[what][side].push(us);
  };
  for (let round = 0; round < 15; round++) {
    for (const side of [0, 1] as const) {
      const [name, [book]] = side === 0 ? ["old", books] : ["fresh", copies];
      if (book === undefined) continue;
      let file: Manuscript | undefined;
      took(
        "open",
        side,
        cpuOf(() => (file = openManuscript(at(name)))),
      );
      const manuscript = file!; // just opened
      took(
        "outline",
        side,
        cpuOf(() => readOutline(manuscript, book.id)),
      );
      const chapter = book.chapters[round % book.chapters.length]!; // there are some
      const write = (index: number) => {
        const blockId = chapter.blockIds[index % chapter.blockIds.length]!;
        replaceParagraph(
          manuscript,
          { chapterId: chapter.id, blockId },
          { markdown: `Saved ${round} ${index}.` },
          caller,
        );
      };
      write(0);
      took(
        "save",
        side,
        cpuOf(() => repeat(20, (index) => write(index + 1))),
      );
      searchBook(manuscript, book.id, { q: "letter" });
      const questions = ["morning harbour", "stone bell", "captain", "waited window", "never again"];
      took(
        "search",
        side,
        cpuOf(() => repeat(20, (index) => searchBook(manuscript, book.id, { q: questions[index % 5]! }))),
      );
      manuscript.close();
    }
  }
  return Object.entries(times).map(([what, [old, fresh]]) =>
    atMost(`${what} ÷ the fresh file`, median(old) / median(fresh), "×", 1.2),
  );
}

/** What is asked of the history. */
function ofHistory([book]: readonly WrittenBook[]): Line[] {
  if (book === undefined) return [];
  const history = () =>
    spawnSync(process.execPath, [PROGRAM, "history", "--limit", "20", "--file", at("old")], {
      encoding: "utf8",
    });
  if (history().status !== 0) throw new Error(history().stderr);
  const wall = median(
    Array.from({ length: 5 }, () => {
      const start = performance.now();
      history();
      return performance.now() - start;
    }),
  );
  const manuscript = openManuscript(at("old"));
  try {
    const busiest = book.chapters
      .map(({ id }) => ({ id, total: listRevisions(manuscript, id, { limit: 1 }).total }))
      .sort((a, b) => b.total - a.total)[0]!; // there are some
    const revisionMs = [1, 0.25, 0.5, 0.75].map((part) => {
      const revision = Math.max(1, Math.floor(busiest.total * (1 - part)));
      return cpuOf(() => readChapter(manuscript, busiest.id, { format: "markdown", revision })) / 1000;
    });
    const milestones = listMilestones(manuscript, book.id).milestones;
    const [first, last] = [milestones[0], milestones.at(-1)];
    const compareMs =
      first && last
        ? cpuOf(() => compareBooks(manuscript, book.id, { from: first.id, to: last.id })) / 1000
        : Number.NaN;
    const { id: chapterId, blockIds } = book.chapters[1]!;
    const save = (index: number) =>
      String(
        replaceParagraph(
          manuscript,
          { chapterId, blockId: blockIds[0]! },
          { markdown: `Again ${index}.` },
          caller,
        ).act,
      );
    const acts = Array.from({ length: 301 }, (_, index) => save(index));
    return [
      { what: "history --limit 20, with start", value: wall, unit: "ms", bar: "≤ 150", met: wall <= 150 },
      { what: "revisions of the busiest chapter", value: busiest.total, unit: "" },
      atMost(
        "revisions?limit=50, CPU",
        cpuOf(() => listRevisions(manuscript, busiest.id, { limit: 50 })) / 1000,
        "ms",
        10,
      ),
      atMost("a revision, the slowest of four, the first among them, CPU", Math.max(...revisionMs), "ms", 50),
      atMost("compare of the first and the last milestone, CPU", compareMs, "ms", 1000),
      atMost(
        "undo of the last save, CPU",
        cpuOf(() => undoAct(manuscript, acts.pop()!, caller)) / 1000,
        "ms",
        10,
      ),
      atMost(
        "undo of a sitting of 300 saves, CPU",
        cpuOf(() => undoActs(manuscript, { acts: acts.reverse() }, caller)) / 1000,
        "ms",
        300,
      ),
    ];
  } finally {
    manuscript.close();
  }
}

function repeat(times: number, run: (index: number) => void): void {
  for (let index = 0; index < times; index++) run(index);
}

/** CPU of a run, in µs. */
function cpuOf(run: () => unknown): number {
  const start = process.cpuUsage();
  run();
  return cpuSince(start);
}
