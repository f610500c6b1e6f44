import assert from "node:assert/strict";
import { test } from "node:test";
import type { ActId, BookId, ChapterId } from "../../src/ids.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { sumSql } from "../../src/store/file/hashes.ts";
import { OWNER } from "../support/sample.ts";
import { manuscript, suite } from "../support/sandbox.ts";
import { assertSound } from "../support/sound.ts";

const COUNT = 600;
const scope = suite();
const own = manuscript(scope);
const { store } = own;

test("a write of many blocks › is counted, journalled and undone as one of a few", () => {
  const book = createBook(own, { title: "Long" }, OWNER).id as BookId;
  const id = createChapter(own, book, { title: "Long" }, OWNER).id as ChapterId;
  const entry = (at: number, word: string) =>
    at % 50 === 0 ? `- ${word} ${at}\n- and another` : `Paragraph ${at}: ${word}.`;
  const text = (word: string, count = COUNT) =>
    `${Array.from({ length: count }, (_, at) => entry(at, word)).join("\n\n")}\n`;
  const now = () => ({
    blocks: store.all("SELECT * FROM blocks ORDER BY id"),
    leaves: store.all("SELECT * FROM leaves ORDER BY id"),
    counts: store.get("SELECT word_count, block_count, digest FROM chapters WHERE id = ?", id),
  });
  const states = [now()];
  const acts: ActId[] = [];
  for (const markdown of [text("one"), text("another one"), text("another one", 3), text("back"), ""]) {
    acts.push(replaceProse(own, id, { markdown }, OWNER).act as ActId);
    assertSound(store);
    states.push(now());
  }
  const ops = store.all(
    "SELECT j.op, count(*) AS rows FROM journal j JOIN acts a ON a.seq = j.act WHERE a.id = ? AND tbl = 'blocks' GROUP BY op",
    acts[1],
  );
  assert.deepEqual(ops, [{ op: "update", rows: COUNT }]);
  for (const act of acts.reverse()) {
    states.pop();
    undoAct(own, act, OWNER);
    assert.deepEqual(now(), states.at(-1));
  }
  assertSound(store);
});

test("sumSql › adds up more numbers of 48 bits than an integer of SQLite holds", () => {
  const sum = `SELECT ${sumSql("value")} & 281474976710655 FROM json_each(?)`;
  assert.deepEqual(store.list(sum, JSON.stringify(Array(70_000).fill(2 ** 49 - 3))), [2 ** 48 - 210_000]);
});
