import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LIMITS } from "../../src/contract/limits.ts";
import type { BookId, ChapterId } from "../../src/ids.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { PayloadTooLarge } from "../../src/refusals.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { theChapter } from "../../src/service/guards.ts";
import { write } from "../../src/service/manuscript.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { replaceIn, replaceProse } from "../../src/service/prose/replace-prose.ts";
import { OWNER } from "../support/sample.ts";
import { manuscript, suite } from "../support/sandbox.ts";

const scope = suite();
const own = manuscript(scope);
const bookId = createBook(own, { title: "Old" }, OWNER).id as BookId;
const chapterId = createChapter(own, bookId, { title: "Long" }, OWNER).id as ChapterId;
const entries = (count: number) => Array.from({ length: count }, (_, at) => `- Entry ${at}\n`);
const COUNT = LIMITS.chapterBlocks + 10;
// As an earlier version took it.
write(own, "replaceProse", OWNER, (act, store) => {
  const prose = parseMarkdown(entries(COUNT).join(""));
  replaceIn(store, act, theChapter(own, chapterId), {
    kind: "markdown",
    prose,
    mentions: "drop",
    mayBeLarge: true,
  });
  return () => ({});
});

describe("a chapter of more paragraphs than one takes, from an earlier version", {
  concurrency: false,
}, () => {
  const put = (markdown: string) => replaceProse(own, chapterId, { markdown }, OWNER);
  const refused = (error: unknown) =>
    error instanceof PayloadTooLarge && /10,000 paragraphs/.test(error.message);

  it("is read, and takes edits that add nothing", () => {
    const read = readChapterAnswer(own, chapterId, { format: "markdown" });
    assert.ok("markdown" in read && read.markdown === entries(COUNT).join(""));
    assert.equal(put(entries(COUNT).with(7, "- Another\n").join("")).blocks.length, COUNT);
    const [blockId = ""] = own.store.list<string>("SELECT id FROM leaves WHERE place = 9");
    assert.ok(replaceParagraph(own, { chapterId, blockId }, { markdown: "Edited" }, OWNER).changed);
    assert.equal(put(entries(COUNT - 2).join("")).blocks.length, COUNT - 2);
  });

  it("does not grow, and stays below the limit once it is there", () => {
    assert.throws(() => put(entries(COUNT).join("")), refused);
    assert.equal(put(entries(10).join("")).blocks.length, 10);
    assert.throws(() => put(entries(COUNT - 2).join("")), refused);
  });

  it("ends with the suite", scope.end);
});
