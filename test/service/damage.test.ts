import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, describe, it, type TestContext } from "node:test";
import { Damaged } from "../../src/refusals.ts";
import { listSnippets } from "../../src/service/annotations/snippets.ts";
import { setStatus } from "../../src/service/books/chapter-fields.ts";
import { readOutline } from "../../src/service/books/outline.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { mend } from "../../src/service/health/mend.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { searchBook } from "../../src/service/search/search.ts";
import { connect } from "../../src/store/file/driver.ts";
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

  it("is seen in a chapter's own row, its mentions and its notes", (t) => {
    for (const [sql, read] of [
      [`UPDATE chapters SET ${TURNED("synopsis")} WHERE synopsis <> ''`, "chapter"],
      ["UPDATE chapters SET head = 'x'", "chapter"],
      ["UPDATE chapters SET digest = digest + 1", "chapter"],
      ["UPDATE mentions SET start = start + 1", "chapter"],
      ["DELETE FROM mentions", "chapter"],
      [`UPDATE snippets SET ${TURNED("text")} WHERE text LIKE '%a%'`, "notes"],
    ] as const) {
      const { own, sample } = damaged(t, sql);
      const reads = {
        chapter: () => readChapterAnswer(own, sample.chapterId, { format: "doc" }),
        notes: () => listSnippets(own, sample.bookId, {}),
      };
      assert.throws(reads[read], Damaged, sql);
    }
  });

  it("is seen in an index by which a chapter is read", (t) => {
    const { chapterId } = made.sample;
    const path = flipped(t, placed(chapterId, "[a-z]+"), 3);
    assert.throws(() => readChapterAnswer(opened(t, path), chapterId, { format: "text" }), Damaged);
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
      "UPDATE chapters SET synopsis = replace(synopsis, 'late', 'latg') WHERE position = 1",
      `UPDATE chapters SET ${turned("digest", 8)} WHERE position = 2`,
      `UPDATE snippets SET ${turned("hash", 2)}`,
    );
    own.close();
    const { keptAs, mended, left } = mend(path, () => 0);
    assert.deepEqual(left, []);
    assert.ok(keptAs !== null && mended.length > 0);
    assert.deepEqual(rowsOf(path), rowsOf(sound(t)));
  });

  it("is not mended where a table has lost a row that its indexes have", (t) => {
    for (const table of ["books", "chapters", "facts", "snippets", "acts", "leaves", "progress_entries"]) {
      const path = withPage(t, table, (page) => page.writeUInt16BE(page.readUInt16BE(3) - 1, 3)); // its last row
      assert.throws(() => mend(path), new RegExp(`lost rows of .*${table}.*Run: manuscript rescue`));
    }
  });

  it("is not mended where a row names nothing any more, and would be in no list", (t) => {
    const { own, path } = damaged(
      t,
      "UPDATE mentions SET fact_id = 'fa_zzzzzzzzzzzzzzzz' WHERE id = (SELECT min(id) FROM mentions)",
    );
    own.close();
    const rows = rowsOf(path);
    assert.throws(() => mend(path), /1 in mentions without their row in facts.*Run: manuscript rescue/);
    assert.deepEqual(rowsOf(path), rows);
  });
});
