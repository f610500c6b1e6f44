import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { updateBook } from "../../../src/service/books/books.ts";
import { createChapter } from "../../../src/service/books/chapters.ts";
import type { ImportAnswer } from "../../../src/service/interchange/import-book.ts";
import { OWNER } from "../../../test/support/sample.ts";
import { copyOf, headingOf, type Side } from "./edits.ts";
import { type Exchanged, fieldsOf, markdownOf, readMine } from "./exchange.ts";
import { chapterOf, type Leaf, linesOf, render, titleOf } from "./prose.ts";

/** What became new in one round, on either side. */
export interface News {
  /** My new chapters by their files. */
  files: Map<string, Leaf[]>;
  /** The manuscript's new chapters by their ids. */
  ids: Map<string, Leaf[]>;
}

/** Adds chapters on either side, and gives the book other titles. */
export function editBook(exchanged: Exchanged, edits: Record<string, number>): News {
  const { open, words, bookId, path, title } = exchanged;
  const { pick } = words;
  const news: News = { files: new Map(), ids: new Map() };
  const isNow = (kind: string) => {
    const is = pick([true, false, false, false, false, false]);
    if (is) edits[kind] = (edits[kind] ?? 0) + 1;
    return is;
  };
  if (!exchanged.isPlain && isNow("new file")) {
    const file = `${words.key() + 1000}-new.md`;
    news.files.set(file, chapterOf(words));
    const front = pick(["", `---\ntitle: Chapter ${words.key()}\n---\n\n`]);
    writeFileSync(join(path, file), front + render(news.files.get(file) ?? []));
  }
  if (isNow("new chapter")) {
    const leaves = chapterOf(words);
    const title = pick([titleOf(words), headingOf({ leaves })?.text ?? ""]);
    const asked = { title, markdown: render(leaves) };
    news.ids.set(createChapter(open, bookId, asked, OWNER).id, leaves);
  }
  if (isNow("book's title, file")) {
    title.mine = `Mine ${words.key()}`;
    const list = readFileSync(join(path, "book.yaml"), "utf8");
    writeFileSync(join(path, "book.yaml"), list.replace(/^title: .*$/m, `title: ${title.mine}`));
  }
  if (isNow("book's title, manuscript")) {
    title.theirs = `Theirs ${words.key()}`;
    updateBook(open, bookId, { title: title.theirs }, OWNER);
  }
  return news;
}

/** Asserts that new chapters came over, and that the book's title is that of the side that changed it. */
export function expectNews(exchanged: Exchanged, news: News, answer: ImportAnswer, isSync: boolean): void {
  const { open, path, title, chapters } = exchanged;
  const isClash = title.mine !== title.base && title.theirs !== title.base && title.mine !== title.theirs;
  assert.equal(answer.book.conflicts.includes("title"), isClash, "the book's title");
  if (!isClash) {
    title.theirs = title.mine === title.base ? title.theirs : title.mine;
    if (isSync) title.mine = title.theirs;
    title.base = title.mine;
  }
  assert.equal(answer.title, title.theirs);
  const add = (id: string, file: string, leaves: Leaf[]) => {
    const side: Side = { leaves, fields: fieldsOf(open, id), gone: new Map(), isMoved: false };
    const sides = { base: copyOf(side), mine: copyOf(side), theirs: copyOf(side) };
    const rest = { front: "", eol: "\n", marks: new Map(), isGone: false, isDeleted: false };
    chapters.push({ id, file, ...sides, ...rest });
    readMine(exchanged, chapters.at(-1)!); // just pushed
  };
  for (const [file, leaves] of news.files) {
    const found = answer.chapters.find((one) => one.file === file);
    assert.equal(found?.status, "created", `${file} becomes a chapter`);
    assert.deepEqual(linesOf(markdownOf(open, String(found?.id))), linesOf(render(leaves)));
    add(String(found?.id), file, leaves);
  }
  if (!isSync) return;
  const files = (answer as { files?: { file: string; chapterId: string | null }[] }).files ?? [];
  for (const [id, leaves] of exchanged.waiting) {
    const file = files.find(({ chapterId }) => chapterId === id)?.file;
    assert.ok(file, "a new chapter gets its file");
    const body = readFileSync(join(path, file), "utf8").replace(/^---\n[\s\S]*?\n---\n\n/, "");
    assert.deepEqual(linesOf(body), linesOf(render(leaves)));
    add(id, file, leaves);
  }
  exchanged.waiting.clear();
}
