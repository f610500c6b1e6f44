import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readBookJson } from "../../src/files/book-json.ts";
import { hash, hashOfBookJson, writeBookJson } from "../../src/files/write-book-json.ts";
import type { BookExport } from "../../src/service/export-book.ts";

const read = (book: object) => readBookJson(JSON.stringify(book));

describe("readBookJson", () => {
  it("a chapter's part is a title, a slug, an id or an index", () => {
    const parts = [{ title: "Book One", slug: "b1" }, { title: "Book Two", id: 22 }, "Book Three"];
    const of = (...refs: unknown[]) =>
      read({ parts, chapters: refs.map((part, index) => ({ file: `${index}.md`, part })) }).chapters.map(
        ({ part }) => part,
      );
    assert.deepEqual(of("Book Two", "b1", "book-three", 22, null), [
      "Book Two",
      "Book One",
      "Book Three",
      "Book Two",
      null,
    ]);
    assert.deepEqual(of(0, 1, 2), ["Book One", "Book Two", "Book Three"], "an index counts from 0");
    assert.deepEqual(of(1, 2, 3), ["Book One", "Book Two", "Book Three"], "unless the numbers count from 1");
    assert.deepEqual(of("Coda"), ["Coda"]);
    assert.deepEqual(read({ parts: ["Interlude", "", "Interlude"] }).parts, [
      "Interlude",
      "Part 2",
      "Interlude (2)",
    ]);
  });

  it("keeps every key that it does not know, by part and file too, but no counts of others", () => {
    const { manifest, goal, title } = read({
      title: "T",
      author: "A",
      goal: { targetWords: 1000 },
      parts: [{ title: "One", epigraph: "E" }],
      chapters: [{ file: "1.md", pov: "Mara", words: 7, bytes: 40 }, "2.md"],
    });
    assert.equal(title, "T");
    assert.deepEqual(goal, { targetWords: 1000, deadline: null, dailyWords: null });
    assert.deepEqual(manifest, {
      author: "A",
      parts: { One: { epigraph: "E" } },
      chapters: { "1.md": { pov: "Mara" } },
    });
    assert.deepEqual(read({ goal: "finish" }).manifest, { goal: "finish" });
  });

  it("refuses what does not describe a book, naming the key", () => {
    assert.throws(() => readBookJson("{"), /book\.json is not valid JSON/);
    assert.throws(() => readBookJson("[]"), /one object/);
    assert.throws(() => read({ title: 7 }), /title must be text/);
    assert.throws(() => read({ chapters: {} }), /chapters must be a list/);
    assert.throws(() => read({ chapters: [{}] }), /chapters\[0\]\.file must be text/);
    assert.throws(() => read({ chapters: [{ file: "a.md", part: [] }] }), /chapters\[0\]\.part/);
  });
});

describe("writeBookJson", () => {
  const book: BookExport = {
    id: "bk_1",
    title: "T",
    manifest: { author: "A", parts: { One: { epigraph: "E" } }, chapters: { "1.md": { pov: "Mara" } } },
    goal: { targetWords: 1000, deadline: null, dailyWords: null },
    parts: ["One", "constructor"],
    chapters: [chapter("ch_1", "1.md", "One"), chapter("ch_2", null, null)],
  };
  const files = [
    { file: "1.md", bytes: Buffer.from("a") },
    { file: "02-x.md", bytes: Buffer.from("b") },
  ];

  it("writes back all that was read, with the files' hashes", () => {
    const text = writeBookJson(book, files);
    const { title, goal, parts, manifest, chapters, exportedFrom, hashes } = readBookJson(text);
    assert.deepEqual(
      { title, goal, parts, manifest },
      { title: "T", goal: book.goal, parts: book.parts, manifest: book.manifest },
    );
    assert.deepEqual(chapters, [
      { file: "1.md", title: "C", part: "One" },
      { file: "02-x.md", title: "C", part: null },
    ]);
    assert.equal(exportedFrom, "bk_1");
    assert.equal(hashes["1.md"], hash("a"));
    assert.equal(hashes["book.json"], hashOfBookJson(text));
    assert.notEqual(hashOfBookJson(text.replace('"A"', '"B"')), hashes["book.json"]);
  });
});

function chapter(id: string, file: string | null, part: string | null): BookExport["chapters"][number] {
  const fields = { id, title: "C", status: "draft", synopsis: "", file, part } as const;
  return { ...fields, frontMatter: "", eol: "lf", bom: false, revision: 1, markdown: Buffer.alloc(0) };
}
