import assert from "node:assert/strict";
import { test } from "node:test";
import type { BookId, ChapterId } from "../../src/ids.ts";
import { createFact, mergeFacts, readFact } from "../../src/service/annotations/facts.ts";
import { anchorMentions } from "../../src/service/annotations/mentions.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { OWNER } from "../support/sample.ts";
import { manuscript } from "../support/sandbox.ts";

test("mergeFacts › finds mentions that both facts have without comparing each with each", (t) => {
  const own = manuscript(t);
  const { id } = createBook(own, { title: "B" }, OWNER);
  const bookId = id as BookId;
  const chapterId = createChapter(own, bookId, { title: "C", markdown: "Mara Mara Mara" }, OWNER)
    .id as ChapterId;
  const [blockId = ""] = own.store.list<string>("SELECT id FROM leaves");
  const keepId = createFact(own, bookId, { name: "Mara" }, OWNER).id;
  const dropId = createFact(own, bookId, { name: "The girl" }, OWNER).id;
  const at = (factId: string, from: number) => ({ factId, blockId, from, to: from + 4 });
  const mentions = [at(keepId, 0), at(keepId, 5), at(dropId, 5), at(dropId, 10)];
  anchorMentions(own, chapterId, { revision: 1, mentions }, OWNER);
  const run = t.mock.method(own.store, "run");
  assert.equal(mergeFacts(own, { keepId, dropId }, OWNER).mentionsMoved, 1);
  const statements = run.mock.calls.map((call) => call.arguments);
  t.mock.restoreAll();
  assert.deepEqual(
    readFact(own, keepId).mentions.map(({ from }) => from),
    [0, 5, 10],
  );
  for (const [sql, ...values] of statements.filter(([one]) => / mentions /.test(one))) {
    const plan = own.store.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values);
    const steps = plan.map(({ detail }) => detail);
    assert.ok(!steps.some((step) => step.includes("CORRELATED")), `${sql}: ${steps.join("; ")}`);
  }
});
