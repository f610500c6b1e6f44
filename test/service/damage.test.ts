import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, describe, it, type TestContext } from "node:test";
import { Damaged, Unavailable } from "../../src/refusals.ts";
import { deleteFact, listFacts, readFact } from "../../src/service/annotations/facts.ts";
import { listSnippets } from "../../src/service/annotations/snippets.ts";
import { setStatus } from "../../src/service/books/chapter-fields.ts";
import { deleteChapter } from "../../src/service/books/chapters.ts";
import { readOutline } from "../../src/service/books/outline.ts";
import { listRevisions, readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { mend } from "../../src/service/health/mend.ts";
import { listActs } from "../../src/service/history/acts.ts";
import { compareBooks } from "../../src/service/history/compare-books.ts";
import { listMilestones } from "../../src/service/history/milestones.ts";
import { listBooks } from "../../src/service/list-books.ts";
import { type Manuscript, openManuscript } from "../../src/service/manuscript.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { listProposals } from "../../src/service/review/read-proposal.ts";
import { searchBook } from "../../src/service/search/search.ts";
import { connect } from "../../src/store/driver.ts";
import type { Store } from "../../src/store/file/store.ts";
import { findFact } from "../../src/store/rows/facts.ts";
import { OWNER, type Sample, writeSample } from "../support/sample.ts";

/** The sample's file, made once for all tests. */
const made = { bytes: Buffer.alloc(0), sample: {} as Sample };
before(() => {
  const folder = mkdtempSync(join(tmpdir(), "manuscript-damage-"));
  const path = join(folder, "sample.manuscript");
  const own = openManuscript(path, { create: true });
  made.sample = writeSample(own);
  replaceProse(own, made.sample.otherChapterId, { markdown: "Another lamp.\n" }, OWNER);
  own.close();
  made.bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
});

function opened(t: TestContext, path: string) {
  const own = openManuscript(path);
  t.after(() => own.close());
  return own;
}

function sound(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "manuscript-damage-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "sample.manuscript");
  writeFileSync(path, made.bytes);
  return path;
}

/** The sample, one of its bytes turned into another beneath every trigger, and opened again. */
function damaged(t: TestContext, ...sql: string[]) {
  const path = sound(t);
  const connection = connect(path);
  connection.pragma("synchronous = OFF");
  connection.pragma("foreign_keys = OFF");
  connection.exec("BEGIN");
  const triggers = connection.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers as { name: string }[]) connection.exec(`DROP TRIGGER ${name}`);
  for (const each of sql) assert.ok(connection.prepare(each).run().changes > 0, each);
  for (const { sql: again } of triggers as { sql: string }[]) connection.exec(again);
  connection.exec("COMMIT");
  connection.close();
  return { own: opened(t, path), sample: made.sample, path };
}

/** The sample with one bit turned over, of the byte behind the `()` where this stands for the `place`th time. */
function flipped(t: TestContext, found: string, place = 0, bit = 2): string {
  const path = sound(t);
  const bytes = readFileSync(path);
  const at = [...bytes.toString("latin1").matchAll(new RegExp(found, "dg"))].at(place)?.indices?.[1]?.[0];
  assert.ok(at !== undefined, found);
  bytes.writeUInt8(bytes.readUInt8(at) ^ bit, at);
  writeFileSync(path, bytes);
  return path;
}

/** The sample with a table's only page changed, and none of its indexes. */
function withPage(t: TestContext, table: string, change: (page: Buffer) => void): string {
  const path = sound(t);
  const connection = connect(path, { readonly: true });
  const root = connection.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").pluck().get(table);
  const pageSize = Number(connection.pragma("page_size", { simple: true }));
  connection.close();
  const bytes = readFileSync(path);
  const page = bytes.subarray((Number(root) - 1) * pageSize, Number(root) * pageSize);
  assert.ok([0x0a, 0x0d].includes(page.readUInt8(0)), `${table} is one leaf page`);
  change(page);
  writeFileSync(path, bytes);
  return path;
}

const within = (id: string): string => id.replace("_", "_()");
/** An entry of an index for this id alone: the types of the id and of its row's number come before it. */
const indexed = (id: string): string =>
  `\\x03${String.fromCharCode(13 + 2 * id.length)}[\\x01\\x08\\x09]${within(id)}`;
/** An entry of an index by place, which names its row last. */
const placed = (list: string, kind: string): string => `${list}V[0-9A-Z]+${kind}_[0-9a-z]{16}()`;

/** Every row of every table in a file. */
function rowsOf(path: string): unknown[] {
  const connection = connect(path, { readonly: true });
  const tables = connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite*' ORDER BY name")
    .all();
  const rows = (tables as { name: string }[]).map(({ name }) => [
    name,
    connection
      .prepare(`SELECT * FROM ${name} ORDER BY 1, 2`)
      .all()
      .filter((row) => (row as { name?: unknown }).name !== "written at"), // each in a folder of its own
  ]);
  connection.close();
  return rows;
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
      ["UPDATE goals SET target_words = 1001", "outline"],
      ["UPDATE chapters SET word_count = word_count + 1", "books"],
      ["UPDATE progress SET added = added + 1", "outline"],
      ["DELETE FROM acts WHERE seq = 3", "acts"],
      ["UPDATE journal SET row_id = 'ch_x' WHERE tbl = 'chapters' AND op = 'insert'", "milestones"],
      ["UPDATE revisions SET chapter_id = 'ch_x' WHERE act = 4", "milestones"],
      ["UPDATE journal SET before = '{' WHERE before IS NOT NULL", "compared"],
      ["DELETE FROM acts WHERE seq = (SELECT act FROM milestones)", "milestones"],
    ] as const) {
      const { own, sample } = damaged(t, sql);
      const reads = {
        outline: () => readOutline(own, sample.bookId),
        fact: () => readFact(own, sample.factId),
        notes: () => listSnippets(own, sample.bookId, {}),
        books: () => listBooks(own),
        acts: () => listActs(own, {}),
        milestones: () => listMilestones(own, sample.bookId),
        old: () => readChapterAnswer(own, sample.otherChapterId, { revision: 1 }),
        revisions: () => listRevisions(own, sample.chapterId),
        compared: () => compareBooks(own, sample.bookId, { from: sample.milestoneId }),
      };
      assert.throws(reads[read], Damaged, sql);
    }
  });

  it("is seen in the id of a row, which indexes have otherwise", (t) => {
    const { bookId, otherChapterId } = made.sample;
    const path = flipped(t, within(otherChapterId) + bookId); // as the row begins
    assert.throws(() => readOutline(opened(t, path), bookId), Damaged);
  });

  it("is seen in an index that has lost a row or leads to another, wherever it is listed, counted or joined by", (t) => {
    const { bookId, chapterId, factId } = made.sample;
    const cases: [entry: string, place: number, read: (own: Manuscript) => unknown][] = [
      [placed(chapterId, "[a-z]+"), 3, (own) => readChapterAnswer(own, chapterId, { format: "text" })],
      [placed(bookId, "sn"), 0, (own) => listSnippets(own, bookId, {})],
      [indexed(factId), -1, (own) => listFacts(own, bookId)],
      [indexed(chapterId), 0, (own) => listMilestones(own, bookId)],
      [indexed(chapterId), 0, (own) => listProposals(own, bookId)],
      [indexed(bookId), 0, (own) => listBooks(own)],
    ];
    for (const [entry, place, read] of cases)
      assert.throws(() => read(opened(t, flipped(t, entry, place))), Damaged, read.toString());
  });

  it("is told of, also where no answer can be made of it", (t) => {
    const { bookId, chapterId } = made.sample;
    const title = "333[^]()\\x1f[^]{2,30}?"; // its type, among those of the columns; as bytes it is no JSON
    const own = opened(t, flipped(t, title + chapterId + bookId, 0, 1));
    assert.throws(() => readChapterAnswer(own, chapterId, { format: "text" }), Damaged);
  });

  it("never becomes what was written by a write beside it", (t) => {
    const { own, sample } = damaged(t, `UPDATE chapters SET ${TURNED("synopsis")} WHERE synopsis <> ''`);
    assert.throws(() => setStatus(own, sample.chapterId, { status: "done" }, OWNER), Damaged);
  });

  it("is mended where its hash, its document or its history proves it", (t) => {
    const turned = (column: string, bit: number) => `${column} = (${column} | ${bit}) - (${column} & ${bit})`;
    const { own, path } = damaged(
      t,
      "UPDATE blocks SET text = 'x', source = replace(source, 'before light', 'beford light')",
      "UPDATE facts SET summary = replace(summary, 'keeps', 'jeeps')",
      `UPDATE chapters SET ${turned("word_count", 1024)} WHERE position = 1`,
      `UPDATE chapters SET ${turned("digest", 8)} WHERE position = 2`,
      `UPDATE snippets SET ${turned("hash", 2)}`,
      `UPDATE progress SET ${turned("seal", 4)} WHERE rowid = 1`,
      `UPDATE progress SET ${turned("added", 4096)} WHERE rowid = 2`,
    );
    own.close();
    const { keptAs, mended, left } = mend(path, () => 0);
    assert.deepEqual(left, []);
    assert.ok(keptAs !== null && mended.length > 0);
    assert.deepEqual(rowsOf(path), rowsOf(sound(t)));
  });

  it("is not mended, and refused as before, where a table has lost a row that its indexes have", (t) => {
    const { bookId } = made.sample;
    const cases: [table: string, read: (own: Manuscript) => unknown][] = [
      ["books", (own) => listBooks(own)],
      ["chapters", (own) => readOutline(own, bookId)],
      ["facts", (own) => listFacts(own, bookId)],
      ["snippets", (own) => listSnippets(own, bookId, {})],
      ["progress", (own) => readOutline(own, bookId)],
    ];
    for (const [table, read] of cases) {
      const path = withPage(t, table, (page) => page.writeUInt16BE(page.readUInt16BE(3) - 1, 3)); // its last row
      assert.throws(() => mend(path), new RegExp(`lost rows of .*${table}.*restore --list`));
      assert.throws(() => read(opened(t, path)), Unavailable, table);
    }
  });

  it("is not mended where a row names nothing any more, and would be in no list", (t) => {
    const { own, path } = damaged(
      t,
      "UPDATE mentions SET fact_id = 'fa_zzzzzzzzzzzzzzzz' WHERE id = (SELECT min(id) FROM mentions)",
    );
    own.close();
    const rows = rowsOf(path);
    assert.throws(() => mend(path), /1 in mentions without their row in facts.*restore --list/);
    assert.deepEqual(rowsOf(path), rows);
  });

  it("is mended around a revision that its index has otherwise, which stays refused", (t) => {
    const { otherChapterId } = made.sample;
    const path = withPage(t, "revisions", (page) => {
      const at = page.lastIndexOf(otherChapterId) + 5;
      page.writeUInt8(page.readUInt8(at) ^ 1, at);
    });
    for (const isMended of [false, true]) {
      if (isMended) assert.match(mend(path, () => 0).left.join(), /what act \d+ left in the history/);
      const own = openManuscript(path);
      assert.throws(() => listRevisions(own, otherChapterId), Damaged, `mended: ${isMended}`);
      own.close();
    }
  });

  it("is not what another program has written between two reads", (t) => {
    const path = sound(t);
    const [own, other] = [opened(t, path), opened(t, path)];
    const { bookId, factId, chapterId, otherChapterId } = made.sample;
    const markdown = "Anew.\n";
    for (const [write, read] of [
      [() => deleteFact(other, factId, OWNER), () => assert.equal(findFact(own.store, factId), undefined)],
      [() => replaceProse(other, chapterId, { markdown }, OWNER), () => listSnippets(own, bookId, {})],
      [
        () => replaceProse(other, chapterId, { markdown: "Once more.\n" }, OWNER),
        () => readChapterAnswer(own, chapterId, { format: "doc" }),
      ],
      [
        () => deleteChapter(other, otherChapterId, OWNER),
        () => readChapterAnswer(own, otherChapterId, {}), // as it was a moment ago
      ],
      [() => deleteChapter(other, chapterId, OWNER), () => searchBook(own, bookId, { q: "more" })],
    ] as const) {
      const written = afterFirstRead(own.store, write);
      read();
      assert.ok(written());
    }
  });
});

/** Has another program write once this one has read its first row. */
function afterFirstRead(store: Store, write: () => unknown): () => boolean {
  const get = store.get;
  store.get = <Row>(sql: string, ...values: unknown[]) => {
    const row = get.call(store, sql, ...values) as Row | undefined;
    store.get = get;
    write();
    return row;
  };
  return () => store.get === get;
}
