import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { BookId, ChapterId } from "../../src/ids.ts";
import { createSnippet } from "../../src/service/annotations/snippets.ts";
import { createBook } from "../../src/service/books/books.ts";
import { BLANK, createChapter } from "../../src/service/books/chapters.ts";
import { isDear } from "../../src/service/dear.ts";
import { createMilestone } from "../../src/service/history/milestones.ts";
import { restoreBook } from "../../src/service/history/restore-book.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { deleteParagraph } from "../../src/service/prose/paragraphs.ts";
import { replaceInBook } from "../../src/service/prose/replace-text.ts";
import { insertChapter } from "../../src/store/rows/chapters.ts";
import { ranksBetween } from "../../src/store/rows/rank.ts";
import { OWNER } from "../support/sample.ts";
import { manuscript } from "../support/sandbox.ts";
import { type Work, worked } from "../support/worked.ts";

interface Book {
  own: Manuscript;
  bookId: BookId;
}

function bookOf(t: TestContext, chapters: number): Book {
  const own = manuscript(t);
  const bookId = createBook(own, { title: "Many" }, OWNER).id as BookId;
  for (let at = 0; at < chapters; at++)
    createChapter(
      own,
      bookId,
      { title: `Chapter ${at}`, markdown: "The lamp.\n\nA rope.\n\nThe lamp.\n" },
      OWNER,
    );
  return { own, bookId };
}

const SIZE = 4;

/**
 * Asserts that one chapter more costs the same in a book of any number of them, and no more than so many statements.
 */
function assertLinear(most: number, work: (size: number) => Work): void {
  const [one, two, four] = [work(SIZE), work(2 * SIZE), work(4 * SIZE)];
  for (const key of ["statements", "walked"] as const) {
    const [first, then] = [(two[key] - one[key]) / SIZE, (four[key] - two[key]) / (2 * SIZE)];
    assert.ok(then <= first * 1.1 + 0.5, `${first} ${key} a chapter, then ${then}`);
  }
  const each = (four.statements - two.statements) / (2 * SIZE);
  assert.ok(each <= most, `${each} statements a chapter`);
}

describe("a book of very many chapters", () => {
  it("is named as a draft by reading each revision a few times, however many there are", (t) => {
    assertLinear(4, (size) => {
      const { own, bookId } = bookOf(t, size);
      return worked(own, () => createMilestone(own, bookId, { name: "First draft" }, OWNER));
    });
  });
  it("takes a chapter in at its start by writing each other once", (t) => {
    assertLinear(2, (size) => {
      const { own, bookId } = bookOf(t, size);
      return worked(own, () => createChapter(own, bookId, { title: "New", position: 1 }, OWNER));
    });
  });
  it("has words replaced without a look at all that is written already for each chapter", (t) => {
    assertLinear(31, (size) => {
      const { own, bookId } = bookOf(t, size);
      return worked(own, () => replaceInBook(own, bookId, { find: "lamp", with: "light" }, OWNER));
    });
  });
  it("is restored in a few statements a paragraph", (t) => {
    assertLinear(12, (size) => {
      const { own, bookId } = bookOf(t, size);
      const { id: to } = createMilestone(own, bookId, { name: "First draft" }, OWNER);
      replaceInBook(own, bookId, { find: "lamp", with: "light" }, OWNER);
      return worked(own, () => restoreBook(own, bookId, { to }, OWNER));
    });
  });
});

it("is written beside the server, where all of its chapters are counted or moved", (t) => {
  const own = manuscript(t);
  const bookId = createBook(own, { title: "Many" }, OWNER).id as BookId;
  const asked = { params: { bookId }, url: "", bodyBytes: 100 };
  const areDear = () =>
    (["createMilestone", "createChapter"] as const).map((id) => isDear(own, { id, ...asked }));
  assert.deepEqual(areDear(), [false, false]);
  const blank = { ...BLANK, bookId, partId: null, title: "", status: "draft", createdAt: 0 } as const;
  own.store.act({ kind: "many", source: "cli" }, () => {
    for (const rank of ranksBetween(undefined, undefined, 1001))
      insertChapter(own.store, { ...blank, id: own.store.mint("chapter"), rank });
    return () => ({});
  });
  assert.deepEqual(areDear(), [true, true]);
});

it("a paragraph goes with many notes beside it, each read once", (t) => {
  assertLinear(4, (size) => {
    const { own, bookId } = bookOf(t, 1);
    const [chapterId] = own.store.list<ChapterId>("SELECT id FROM chapters");
    const [blockId] = own.store.list<string>("SELECT id FROM leaves");
    for (let at = 0; at < size; at++)
      createSnippet(own, bookId, { kind: "note", text: `Note ${at}`, chapterId, blockId } as never, OWNER);
    return worked(own, () => deleteParagraph(own, { chapterId, blockId } as never, OWNER));
  });
});
