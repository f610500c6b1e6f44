import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { bookLearner } from "../../src/service/reading/learn-book.ts";
import { OWNER } from "../support/sample.ts";
import { manuscript } from "../support/sandbox.ts";

describe("bookLearner", () => {
  it("learns each chapter once, and again when its prose or the key is another", async (t) => {
    const file = manuscript(t);
    const { id: bookId } = createBook(file, { title: "A" }, OWNER);
    const [one, two] = ["One.", "Two  \nlines."].map(
      (markdown) => createChapter(file, bookId, { title: markdown.slice(0, 3), markdown }, OWNER).id,
    );
    const learnt: string[] = [];
    const learn = bookLearner<string, string>({
      *learn({ chapter }, greeting) {
        learnt.push(chapter.title);
        yield;
        return greeting + chapter.blocks.map(({ text }) => text).join();
      },
    });
    const ask = async (context: string) =>
      (await learn(file, bookId, { context, key: context })).map((chapter) => chapter.learnt);
    assert.deepEqual(await ask("a "), ["a One.", "a Two\nlines."]);
    assert.deepEqual(await ask("a "), ["a One.", "a Two\nlines."]);
    assert.deepEqual(learnt.splice(0), ["One", "Two"]);
    replaceProse(file, one!, { markdown: "Three." }, OWNER); // two were made
    assert.deepEqual(await ask("a "), ["a Three.", "a Two\nlines."]);
    assert.deepEqual(learnt.splice(0), ["One"]);
    assert.deepEqual(await ask("b "), ["b Three.", "b Two\nlines."]);
    assert.equal(learnt.length, 2);
    assert.equal((await learn(file, bookId, { context: "b ", key: "b " }))[1]?.chapterId, two);
  });

  it("lets others go on, and stops when nobody waits", async (t) => {
    const file = manuscript(t);
    const { id: bookId } = createBook(file, { title: "A" }, OWNER);
    createChapter(file, bookId, { title: "One", markdown: "One." }, OWNER);
    const leaving = new AbortController();
    let steps = 0;
    const learn = bookLearner<void>({
      *learn() {
        setImmediate(() => leaving.abort());
        for (; steps < 1e9; steps++) yield;
      },
    });
    const asked = learn(file, bookId, { context: undefined, gone: leaving.signal });
    await assert.rejects(asked, /Nobody waits/);
    assert.ok(steps > 0);
  });
});
