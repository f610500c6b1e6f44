import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBook, updateBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import {
  findBookOfFile,
  isCopied,
  lastCopied,
  listCopied,
  listCopiesOf,
  listCopiesOfText,
  readCopiedText,
  recordCopied,
} from "../../src/store/working-copies.ts";
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

  it("adds a row only where the newest says something else, or would go with an undo", (t) => {
    const opened = manuscript(t);
    const { store } = opened;
    const by = { source: "cli" } as const;
    const { book, act } = createBook(opened, { title: "One" }, by);
    const place = { folder: "/a", bookId: book.id };
    const chapterId = createChapter(opened, book.id, { title: "Chapter" }, by).id;
    const text = {
      file: "facts.yaml",
      hash: "h",
      isWritten: 0 as 0 | 1,
      text: "t",
      stored: "s" as string | null,
    };
    const fields = {
      revision: 1,
      title: "T",
      status: "draft" as const,
      synopsis: "",
      part: null as string | null,
      text: null as string | null,
    };
    const chapter = { chapterId, file: "a.md", hash: "h", isWritten: 0 as 0 | 1, ...fields };
    const recorded = (next: Partial<typeof text>, by: number | null = null) => {
      const before = lastCopied(store);
      store.setAside(() => recordCopied(store, place, { texts: [{ ...text, ...next }] }, by));
      return lastCopied(store) > before;
    };
    const chapterRecorded = (next: Partial<typeof chapter>) => {
      const before = lastCopied(store);
      store.setAside(() => recordCopied(store, place, { chapters: [{ ...chapter, ...next }] }, null));
      return lastCopied(store) > before;
    };
    assert.ok(act !== undefined && recorded({}, 1), "an import's");
    assert.ok(!recorded({}, 1), "the same by another import");
    assert.ok(recorded({}), "the same, which stays if the import is undone");
    assert.ok(!recorded({}));
    assert.ok(!recorded({ stored: null }), "an unknown signature is not compared");
    assert.ok(!recorded({ stored: "other" }), "but for its signature, which is brought up to date");
    assert.equal(listCopied(store, place).texts[0]?.stored, "other");
    assert.ok(recorded({ hash: "other" }) && recorded({ text: "other" }));
    assert.ok(recorded({ isWritten: 1 }), "now as this program writes it");
    assert.ok(!recorded({ isWritten: 0 }), "which it is once and for all");
    assert.ok(recorded({ file: "notes.yaml" }) && !recorded({ isWritten: 1 }), "each file by itself");
    assert.ok(chapterRecorded({}) && !chapterRecorded({}));
    const others: Partial<typeof chapter>[] = [
      { file: "b.md" },
      { title: "U" },
      { revision: 2 },
      { text: "held" },
      { isWritten: 1 },
      { part: "One" },
      { part: null },
    ];
    for (const next of others) assert.ok(chapterRecorded(next), JSON.stringify(next));
    assert.equal(findBookOfFile(store, "/a", "b.md"), book.id);
    assert.equal(findBookOfFile(store, "/b", "b.md"), undefined);
    assert.deepEqual([isCopied(store, "h"), isCopied(store, "none")], [true, false]);
    assert.equal(listCopied(store, place).chapters.length, 1);
    assert.equal(listCopiesOf(store, chapterId).length, 1 + others.length);
    const texts = listCopiesOfText(store, { bookId: book.id, file: "facts.yaml" });
    assert.deepEqual(
      texts.map(({ seq }) => seq),
      texts.map(({ seq }) => seq).toSorted((a, b) => b - a),
    );
  });

  it("stores a long text once, and each former one by what differs from a newer", (t) => {
    const opened = manuscript(t);
    const { store } = opened;
    const bookId = createBook(opened, { title: "One" }, { source: "cli" }).book.id;
    const where = { bookId, file: "notes.yaml" };
    const words = [
      "before light",
      "alone",
      "in the rain \u{1f327}",
      "",
      "again \u{1f326}",
      "again \u{1f326}",
    ];
    const texts = words.map((word) =>
      JSON.stringify(
        [..."abcdefgh"].map((id) => ({ id, text: `${"Ask. ".repeat(200)}${id === "d" ? word : ""}` })),
      ),
    );
    for (const [at, text] of texts.entries()) {
      const row = { ...where, hash: String(at), isWritten: 1 as const, text, stored: null };
      store.setAside(() => recordCopied(store, { folder: `/${at % 3}`, bookId }, { texts: [row] }, null));
    }
    const rows = listCopiesOfText(store, where);
    assert.deepEqual(
      rows.map((row) => readCopiedText(store, row)?.text),
      texts.toReversed(),
    );
    const stored = store.list<string>("SELECT text FROM working_copies ORDER BY seq");
    assert.deepEqual(
      stored.map((text) => (text.length < 150 ? JSON.parse(text).length : text)),
      [1, 1, 1, 1, 1, texts.at(-1)],
    );
    store.setAside(() => store.run("DELETE FROM working_copies WHERE hash = '3'"));
    assert.deepEqual(
      rows.map((row) => readCopiedText(store, row)?.hash),
      ["5", "4", undefined, undefined, undefined, undefined],
    );
  });
});
