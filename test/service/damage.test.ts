import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { Damaged } from "../../src/refusals.ts";
import { readFact } from "../../src/service/annotations/facts.ts";
import { listSnippets } from "../../src/service/annotations/snippets.ts";
import { setStatus } from "../../src/service/books/chapter-fields.ts";
import { readOutline } from "../../src/service/books/outline.ts";
import { listRevisions, readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { mend } from "../../src/service/health/mend.ts";
import { listBooks } from "../../src/service/list-books.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { searchBook } from "../../src/service/search/search.ts";
import { connect } from "../../src/store/driver.ts";
import { OWNER, writeSample } from "../support/sample.ts";
import { manuscript } from "../support/sandbox.ts";

/** The sample, one of its bytes turned into another beneath every trigger, and opened again. */
function damaged(t: TestContext, sql: string) {
  const made = manuscript(t);
  const sample = writeSample(made);
  replaceProse(made, sample.otherChapterId, { markdown: "Another lamp.\n" }, OWNER);
  made.close();
  const { path } = made.store;
  const connection = connect(path);
  const triggers = connection.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers as { name: string }[]) connection.exec(`DROP TRIGGER ${name}`);
  assert.ok(connection.prepare(sql).run().changes > 0, sql);
  for (const { sql: again } of triggers as { sql: string }[]) connection.exec(again);
  connection.close();
  const own = openManuscript(path);
  t.after(() => own.close());
  return { own, sample, path };
}

const TURNED = (column: string) => `${column} = replace(${column}, 'a', 'e')`; // one bit of each of them

describe("what is stored otherwise than it was written", () => {
  it("is refused where it is read, changed or brought back, and nothing else is", (t) => {
    const { own, sample } = damaged(
      t,
      `UPDATE blocks SET ${TURNED("text")} WHERE type = 'heading' AND text = 'The Ferry'
      OR text LIKE 'Mara came%'`,
    );
    for (const format of ["text", "doc", "markdown"] as const) {
      assert.throws(() => readChapterAnswer(own, sample.chapterId, { format }), Damaged);
    }
    assert.throws(() => replaceProse(own, sample.chapterId, { markdown: "x\n" }, OWNER), Damaged);
    assert.equal(readChapterAnswer(own, sample.otherChapterId, { format: "text" }).revision, 2);
    const found = searchBook(own, sample.bookId, { q: "lamp" });
    assert.deepEqual(found.unread, [sample.chapterId]);
    readOutline(own, sample.bookId);
  });

  it("is seen in fields, facts, notes, books and the history", (t) => {
    for (const [sql, read] of [
      [`UPDATE chapters SET ${TURNED("synopsis")} WHERE synopsis <> ''`, "outline"],
      [`UPDATE facts SET ${TURNED("summary")} WHERE summary <> ''`, "fact"],
      [`UPDATE snippets SET ${TURNED("text")} WHERE text LIKE '%a%'`, "notes"],
      ["UPDATE books SET title = 'Another'", "books"],
      [
        "UPDATE journal SET before = replace(before, 'lit', 'lid') WHERE tbl = 'blocks' AND before LIKE '%lit%'",
        "old",
      ],
      ["UPDATE acts SET kind = 'x'", "revisions"],
    ] as const) {
      const { own, sample } = damaged(t, sql);
      const reads = {
        outline: () => readOutline(own, sample.bookId),
        fact: () => readFact(own, sample.factId),
        notes: () => listSnippets(own, sample.bookId, {}),
        books: () => listBooks(own),
        old: () => readChapterAnswer(own, sample.otherChapterId, { revision: 1 }),
        revisions: () => listRevisions(own, sample.chapterId),
      };
      assert.throws(reads[read], Damaged, sql);
    }
  });

  it("never becomes what was written by a write beside it", (t) => {
    const { own, sample } = damaged(t, `UPDATE chapters SET ${TURNED("synopsis")} WHERE synopsis <> ''`);
    assert.throws(() => setStatus(own, sample.chapterId, { status: "done" }, OWNER), Damaged);
  });

  it("is mended where its hash, its document or its history proves it", (t) => {
    const { own, sample, path } = damaged(
      t,
      "UPDATE blocks SET text = 'x', source = replace(source, 'before light', 'beford light')",
    );
    own.close();
    const { keptAs, mended, left } = mend(path, () => 0);
    assert.deepEqual(left, []);
    assert.ok(keptAs !== null && mended.length > 0);
    const again = openManuscript(path);
    t.after(() => again.close());
    assert.match(
      JSON.stringify(readChapterAnswer(again, sample.chapterId, { format: "markdown" })),
      /before light/,
    );
  });
});
