import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { gunzipSync } from "node:zlib";
import { diagnose } from "../../src/service/health/doctor.ts";
import { mend } from "../../src/service/health/mend.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import { type Manuscript, openManuscript } from "../../src/service/manuscript.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { connect } from "../../src/store/file/driver.ts";
import { readSchema } from "../../src/store/file/migrate.ts";
import { listBlocks } from "../../src/store/rows/blocks.ts";
import { listBooks } from "../../src/store/rows/books.ts";
import { listChapters } from "../../src/store/rows/chapters.ts";
import { OWNER } from "../support/sample.ts";
import { folder, ticking } from "../support/sandbox.ts";

const FIXTURE = join(import.meta.dirname, "../../fixtures/manuscripts/0.2.0-signs.gz");

function oldFile(t: TestContext): string {
  const path = join(folder(t), "old.manuscript");
  writeFileSync(path, gunzipSync(readFileSync(FIXTURE)), { mode: 0o600 });
  return path;
}

function open(path: string): Manuscript {
  return openManuscript(path, { clock: ticking(Date.UTC(2027, 0, 1)) });
}

function only({ store }: Manuscript) {
  const chapter = listBooks(store).flatMap(({ id }) => listChapters(store, id))[0]!;
  const blocks = listBlocks(store, chapter.id);
  return { ...chapter, blocks, markdown: blocks.map(({ source, gap }) => source + gap).join("") };
}

const notOk = (path: string) => diagnose(path).checks.filter(({ status }) => status === "fail");

describe("a chapter whose comments and attributes 0.2.0 counted as words", () => {
  it("is sound as it is, and keeps its count until it is written again", (t) => {
    const path = oldFile(t);
    assert.deepEqual(notOk(path), []);
    const file = open(path);
    assert.equal(only(file).wordCount, 40);
    file.close();
    assert.deepEqual(notOk(path), []);
  });

  it("is sound when a paragraph of it is written again, and when that is undone", (t) => {
    const path = oldFile(t);
    let file = open(path);
    const { id, markdown } = only(file);
    const { act } = replaceProse(file, id, { markdown: markdown.replace("late", "at last") }, OWNER);
    assert.equal(only(file).markdown, markdown.replace("late", "at last"));
    assert.equal(only(file).wordCount, 35);
    file.close();
    assert.deepEqual(notOk(path), []);
    file = open(path);
    undoAct(file, act!, OWNER);
    assert.equal(only(file).markdown, markdown);
    file.close();
    assert.deepEqual(notOk(path), []);
  });

  it("is mended where a bit of its text has turned over", (t) => {
    const path = oldFile(t);
    open(path).close(); // brought to today's format
    const connection = connect(path);
    const triggers = readSchema(connection).filter((sql) => sql.startsWith("CREATE TRIGGER"));
    for (const sql of triggers) connection.exec(`DROP TRIGGER ${sql.split(" ")[2]}`);
    connection.exec("UPDATE blocks SET words = words + 5 WHERE text LIKE '%smallcaps%'");
    for (const sql of triggers) connection.exec(sql);
    connection.close();
    assert.notDeepEqual(notOk(path), []);
    assert.equal(mend(path).mended.length, 1);
    assert.deepEqual(notOk(path), []);
  });
});
