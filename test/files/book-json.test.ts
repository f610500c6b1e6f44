import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readBookJson } from "../../src/files/folder/manifest.ts";

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
