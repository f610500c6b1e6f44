import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readLeaves } from "../../src/prose/document/leaves.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import type { ReadingBook, ReadingChapter, ReadingFact } from "../../src/reading/reading.ts";

/** The folders of a corpus: one Markdown file a chapter in each. */
export function listCorpus(corpus: string): string[] {
  const folders = existsSync(corpus) ? readdirSync(corpus, { withFileTypes: true }) : [];
  return folders.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

/** The chapters of a folder as engines read them, in order of their file names. */
export function readNovel(folder: string): ReadingChapter[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".md") && /^\d/.test(name));
  return names.sort().map((name) => {
    const markdown = readFileSync(join(folder, name), "utf8").replace(/^---\n[\s\S]*?\n---\n/, "");
    return readingOf(name.replace(/\.md$/, ""), markdown);
  });
}

/** Markdown as a chapter that engines read; block ids count from 1. */
export function readingOf(chapterId: string, markdown: string): ReadingChapter {
  const leaves = parseMarkdown(markdown).blocks.flatMap(({ node }) => readLeaves(node));
  const blocks = leaves.map(({ text }, index) => ({ blockId: `${chapterId}-${index + 1}`, text }));
  return { chapterId, revision: 1, title: chapterId, blocks };
}

/** The chapters on a shelf, with a cast. */
export function bookOf(
  bookId: string,
  chapters: readonly ReadingChapter[],
  cast: readonly ReadingFact[],
): ReadingBook {
  return {
    bookId,
    cast,
    chapters: chapters.map((chapter) => {
      const { blocks: _, ...shelved } = chapter;
      return { ...shelved, read: () => chapter };
    }),
  };
}

/** The sample novel. */
export const NOVEL = join(import.meta.dirname, "../../fixtures/novel");

/** The facts of the sample novel. */
export function castOfNovel(): ReadingFact[] {
  const { facts } = JSON.parse(readFileSync(join(NOVEL, "cast.json"), "utf8")) as {
    facts: Omit<ReadingFact, "id">[];
  };
  return facts.map((fact, index) => ({ id: `fa_${index}`, ...fact }));
}
