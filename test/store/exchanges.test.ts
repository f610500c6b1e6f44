import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBook, updateBook } from "../../src/service/books/books.ts";
import { undoAct } from "../../src/service/history/acts.ts";
import { findExchangedFile, noteExchangedFile } from "../../src/store/exchanges.ts";
import { manuscript } from "../support/sandbox.ts";

describe("files beside the chapters", () => {
  it("remembers what a folder last had, per book and file, and passes over what was undone", (t) => {
    const opened = manuscript(t);
    const { store } = opened;
    const by = { source: "cli" } as const;
    const bookId = createBook(opened, { title: "One" }, by).book.id;
    const where = { folder: "/a", bookId, file: "facts.yaml" };
    const note = (text: string, act: number | null) =>
      store.setAside(() => noteExchangedFile(store, where, text, act));
    assert.equal(findExchangedFile(store, where), undefined);
    note("of an export", null);
    const { act } = updateBook(opened, bookId, { title: "Two" }, by);
    note("of an import", 2);
    assert.equal(findExchangedFile(store, where), "of an import");
    assert.equal(findExchangedFile(store, { ...where, folder: "/b" }), undefined);
    assert.equal(findExchangedFile(store, { ...where, file: "notes.yaml" }), undefined);
    undoAct(opened, String(act), by);
    assert.equal(findExchangedFile(store, where), "of an export");
  });
});
