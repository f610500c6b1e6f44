import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBook } from "../../../src/service/books/books.ts";
import { createChapter } from "../../../src/service/books/chapters.ts";
import { findChapter, updateChapter } from "../../../src/store/rows/chapters.ts";
import { OWNER } from "../../support/sample.ts";
import { manuscript } from "../../support/sandbox.ts";

describe("findChapter", () => {
  it("recalls a chapter until it is written, in an act by that act too", (t) => {
    const own = manuscript(t);
    const { store } = own;
    const { id: bookId } = createBook(own, { title: "Book" }, OWNER);
    const { id } = createChapter(own, bookId, { title: "One", markdown: "Text." }, OWNER);
    const write = (title: string, dryRun: boolean) => {
      const before = findChapter(store, id);
      const { result } = store.act({ kind: "trial", source: "cli", dryRun }, () => {
        assert.equal(findChapter(store, id), before, "the very same");
        updateChapter(store, id, { title });
        assert.equal(findChapter(store, id)?.title, title);
        return () => findChapter(store, id)?.version;
      });
      assert.equal(result, Number(before?.version) + 1);
      return findChapter(store, id)?.title;
    };
    assert.equal(write("Tried", true), "One");
    assert.equal(write("Two", false), "Two");
  });
});
