import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBook, updateBook } from "../../src/service/books/books.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import { listCopied, recordCopied } from "../../src/store/working-copies.ts";
import { manuscript } from "../support/sandbox.ts";

describe("working copies", () => {
  it("remembers what a folder last had, per book and file, and passes over what was undone", (t) => {
    const opened = manuscript(t);
    const { store } = opened;
    const by = { source: "cli" } as const;
    const bookId = createBook(opened, { title: "One" }, by).book.id;
    const place = { folder: "/a", bookId };
    const record = (text: string, act: number | null) => {
      const row = { file: "facts.yaml", hash: "", isWritten: 0 as const, text, stored: null };
      store.setAside(() => recordCopied(store, place, { texts: [row] }, act));
    };
    const last = (other: Partial<typeof place> = {}, file = "facts.yaml") =>
      listCopied(store, { ...place, ...other }).texts.find((row) => row.file === file)?.text;
    assert.equal(last(), undefined);
    record("of an export", null);
    const { act } = updateBook(opened, bookId, { title: "Two" }, by);
    record("of an import", 2);
    assert.equal(last(), "of an import");
    assert.equal(last({ folder: "/b" }), undefined);
    assert.equal(last({}, "notes.yaml"), undefined);
    undoAct(opened, String(act), by);
    assert.equal(last(), "of an export");
  });
});
