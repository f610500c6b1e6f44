import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { Damaged } from "../../src/refusals.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { type Manuscript, openManuscript } from "../../src/service/manuscript.ts";
import { connect } from "../../src/store/driver.ts";
import { readMarkdownBytes } from "../../src/store/rows/bodies.ts";
import { readWholeMarkdown } from "../../src/store/whole-markdown.ts";
import { OWNER, withSample } from "../support/sample.ts";

/** The same file opened anew, so that nothing of it is known, after what is done to it beneath every trigger. */
function again(t: TestContext, own: Manuscript, ...sql: string[]): Manuscript["store"] {
  const { path } = own.store;
  own.close();
  const connection = connect(path);
  connection.pragma("foreign_keys = OFF");
  connection.pragma("synchronous = OFF");
  const triggers = connection.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers as { name: string }[]) connection.exec(`DROP TRIGGER ${name}`);
  for (const each of sql) assert.ok(connection.prepare(each).run().changes > 0, each);
  for (const { sql: made } of triggers as { sql: string }[]) connection.exec(made);
  connection.close();
  const opened = openManuscript(path);
  t.after(() => opened.close());
  return opened.store;
}

describe("a chapter's Markdown, read at once", () => {
  it("is byte for byte what is read otherwise", (t) => {
    const { own, sample } = withSample(t);
    const ids = [
      sample.chapterId,
      ...["", "\ufeffOne.\r\n\r\nTwo “é”.\r\n", "\n\n  A 𝄞 and a 🍵.\n\n\n\n~~~\nno end", "這是水。"].map(
        (markdown) => createChapter(own, sample.bookId, { title: "A", markdown }, OWNER).id,
      ),
    ];
    const store = again(t, own);
    for (const id of ids)
      assert.deepEqual(readWholeMarkdown(store, id), readMarkdownBytes(store, id)?.body, id);
    assert.equal(readWholeMarkdown(store, "ch_none"), undefined);
  });

  it("is refused where anything that it is made of, or its order, is otherwise than it was written", (t) => {
    const { own, sample } = withSample(t);
    own.close();
    const bytes = readFileSync(own.store.path);
    const one = `WHERE id = (SELECT min(id) FROM blocks WHERE chapter_id = '${sample.chapterId}')`;
    for (const damage of [
      `UPDATE blocks SET source = source || 'x' ${one}`,
      `UPDATE blocks SET gap = gap || ' ' ${one}`,
      `UPDATE blocks SET node = node || ' ' ${one}`,
      `UPDATE blocks SET rank = rank || 'V' ${one}`,
      `UPDATE blocks SET hash = hash + 1 ${one}`,
      `UPDATE blocks SET seal = seal + 1 ${one}`,
      `UPDATE blocks SET hash = hash + 1, seal = seal - 1 ${one}`,
      "UPDATE mentions SET hash = hash + 1",
      "UPDATE chapters SET head = head || ' '",
      "UPDATE chapters SET digest = digest + 1",
      `DELETE FROM blocks ${one}`,
      "DELETE FROM mentions",
    ]) {
      writeFileSync(own.store.path, bytes);
      const store = again(t, own, damage);
      assert.throws(() => readWholeMarkdown(store, sample.chapterId), Damaged, damage);
      store.close();
    }
  });

  it("is what was written, whatever became of the text that readers get", (t) => {
    const { own, sample } = withSample(t);
    const written = readMarkdownBytes(own.store, sample.chapterId)?.body;
    const store = again(t, own, "UPDATE blocks SET text = replace(text, 'a', 'e'), words = words + 1");
    assert.deepEqual(readWholeMarkdown(store, sample.chapterId), written);
    assert.throws(() => readMarkdownBytes(store, sample.chapterId), Damaged);
  });

  it("is one statement for each chapter, however long", (t) => {
    const { own, sample } = withSample(t);
    const counts = [4, 400].map((paragraphs) => {
      const markdown = Array.from({ length: paragraphs }, (_, at) => `It is ${at}.\n`).join("\n");
      const { id } = createChapter(own, sample.bookId, { title: `${paragraphs}`, markdown }, OWNER);
      let asked = 0;
      const { get, all, list } = own.store;
      const count =
        <Given extends unknown[], Answer>(ask: (...given: Given) => Answer) =>
        (...given: Given) => {
          asked++;
          return ask.apply(own.store, given);
        };
      Object.assign(own.store, { get: count(get), all: count(all), list: count(list) });
      readWholeMarkdown(own.store, id);
      Object.assign(own.store, { get, all, list });
      return asked;
    });
    assert.deepEqual(counts, [1, 1]);
  });
});
