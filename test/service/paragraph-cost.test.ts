import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { manuscript } from "../support/sandbox.ts";

const OWNER = { source: "cli" } as const;
/** A page of the file in its log. */
const FRAME_BYTES = 4096 + 24;

for (const paragraphs of [30, 600]) {
  test(`one paragraph of ${paragraphs} takes so many statements and pages`, (t) => {
    const opened = manuscript(t);
    const { store } = opened;
    const { id: bookId } = createBook(opened, { title: "Book" }, OWNER);
    const markdown = Array.from({ length: paragraphs }, (_, at) => `Paragraph ${at} of them.`).join("\n\n");
    const { id: chapterId } = createChapter(opened, bookId, { title: "One", markdown }, OWNER);
    const answer = readChapterAnswer(opened, chapterId, { format: "doc" });
    const content = ("doc" in answer ? answer.doc.content : []) as unknown as {
      attrs: { blockId: string };
    }[];
    const blockId = content[10]?.attrs.blockId ?? "";
    const write = (text: string) =>
      replaceParagraph(opened, { chapterId, blockId }, { markdown: text }, OWNER);
    for (let at = 0; at < 3; at++) write(`Text ${at}.`);
    store.checkpoint();
    write("The first of a log.");
    const before = statSync(`${store.path}-wal`).size;
    let statements = 0;
    const prepare = store.prepare.bind(store);
    store.prepare = (sql) => {
      statements++;
      return prepare(sql);
    };
    write("Another text.");
    const pages = (statSync(`${store.path}-wal`).size - before) / FRAME_BYTES;
    // Of a chapter of any length: its rows, the journal's, the act's, the revision's and the day's, with their indexes.
    assert.ok(statements <= 45 && pages <= 16, `${statements} statements, ${pages} pages`);
  });
}
