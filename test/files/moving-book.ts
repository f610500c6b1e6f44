import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exportFolder } from "../../src/files/export.ts";
import { readLeaves } from "../../src/prose/document/leaves.ts";
import { createFact } from "../../src/service/annotations/facts.ts";
import { reanchorMentions } from "../../src/service/annotations/mentions.ts";
import { createSnippet } from "../../src/service/annotations/snippets.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { storedProse } from "../../src/service/prose/stored-prose.ts";
import { listBlocks } from "../../src/store/rows/blocks.ts";
import { listChapters } from "../../src/store/rows/chapters.ts";
import { listChapterMentions } from "../../src/store/rows/mentions.ts";
import { listSnippets } from "../../src/store/rows/snippets.ts";
import { OWNER } from "../support/sample.ts";
import { exchange } from "./exchange.ts";

/** The word that a paragraph of these tests is known by: `q12`. */
const KEY = /\bq\d+\b/;

/** Where a paragraph is, and what stands beside it. */
export interface Kept {
  chapterId: string;
  blockId: string | null;
  text: string;
  notes: string[];
  mentions: string[];
}

/** A book of chapters, each text with a word of its own, `q12`, and named Mara; every one of those has a note and a mention. */
export async function movingBook(
  own: Manuscript,
  path: string,
  chapters: readonly string[],
  options: { plain?: boolean; blockIds?: boolean } = {},
) {
  const { id: bookId } = createBook(own, { title: "Moves" }, OWNER);
  createFact(own, bookId, { name: "Mara" }, OWNER);
  const ids = chapters.map((markdown, index) => {
    const title = ["One", "Two", "Three", "Four", "Five"][index] ?? `Chapter ${index}`;
    return createChapter(own, bookId, { title, markdown }, OWNER).id;
  });
  reanchorMentions(own, bookId, OWNER);
  for (const [key, { blockId }] of keptIn(own, bookId))
    if (blockId !== null) createSnippet(own, bookId, { kind: "note", blockId, text: `Of ${key}.` }, OWNER);
  await exportFolder(own, bookId, path, { plain: false, ...options });
  const file = (name: string) => join(path, name);
  return {
    bookId,
    ids,
    ...exchange(own, bookId, path),
    kept: () => keptIn(own, bookId),
    files: () =>
      readdirSync(path)
        .filter((name) => name.endsWith(".md"))
        .sort(),
    read: (name: string) => readFileSync(file(name), "utf8"),
    write: (name: string, text: string) => writeFileSync(file(name), text),
    remove: (name: string) => rmSync(file(name)),
  };
}

/** Every paragraph that has a word of its own, with what stands beside it; of one that stands twice, neither. */
function keptIn({ store }: Manuscript, bookId: string): Map<string, Kept> {
  const kept = new Map<string, Kept>();
  const doubled = new Set<string>();
  const snippets = listSnippets(store, bookId);
  for (const chapter of listChapters(store, bookId)) {
    const mentions = listChapterMentions(store, chapter.id);
    for (const { node } of storedProse(chapter, listBlocks(store, chapter.id)).blocks) {
      for (const { text, blockId } of readLeaves(node)) {
        const [key] = KEY.exec(text) ?? [];
        if (key === undefined) continue;
        if (kept.has(key)) doubled.add(key);
        const isBeside = (one: { blockId: string | null; chapterId: string | null }) =>
          one.blockId === blockId && one.chapterId === chapter.id;
        kept.set(key, {
          chapterId: chapter.id,
          blockId,
          text,
          notes: snippets.filter(isBeside).map(({ id, text: said }) => `${id} ${said}`),
          mentions: mentions.filter(isBeside).map(({ id, from, to }) => `${id} ${text.slice(from, to)}`),
        });
      }
    }
  }
  for (const key of doubled) kept.delete(key);
  return kept;
}
