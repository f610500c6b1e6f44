import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  openSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { NotFound } from "../../src/refusals.ts";
import { createFact, deleteFact } from "../../src/service/annotations/facts.ts";
import { createChapter, deleteChapter } from "../../src/service/books/chapters.ts";
import { diagnose } from "../../src/service/health/doctor.ts";
import { countParagraphs, examine } from "../../src/service/health/examine.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { type Connection, connect } from "../../src/store/file/driver.ts";
import { VERSIONS } from "../../src/store/file/migrate.ts";
import { SCHEMA } from "../../src/store/file/schema.ts";
import { listBooks } from "../../src/store/rows/books.ts";
import { listChapters } from "../../src/store/rows/chapters.ts";
import { once } from "../../src/text/once.ts";
import { MARKDOWN, OWNER, writeSample } from "../support/sample.ts";
import { folder, manuscript, ticking } from "../support/sandbox.ts";

/** The bytes of a sample with some history: made once, then copied. */
const sampleBytes = once((): Buffer => {
  const ends: (() => void)[] = [];
  const path = join(folder({ after: (end) => ends.push(end as () => void) }), "a.manuscript");
  const opened = openManuscript(path, { create: true, clock: ticking() });
  const { bookId, chapterId } = writeSample(opened);
  replaceProse(opened, chapterId, { markdown: MARKDOWN.replace("lamp", "oars") }, OWNER);
  const { id } = createFact(opened, bookId, { name: "Nobody", kind: "character" }, OWNER);
  deleteFact(opened, id, OWNER);
  opened.close();
  const bytes = readFileSync(path);
  for (const end of ends) end();
  return bytes;
});

/** A sample with some history, closed. */
function sampleFile(t: TestContext): string {
  const path = join(folder(t), "a.manuscript");
  writeFileSync(path, sampleBytes(), { mode: 0o600 });
  return path;
}

/** Writes into a file as no program of ours does: past its triggers and keys, which are back afterwards. */
function damage(path: string, write: (connection: Connection) => void): void {
  const connection = connect(path);
  connection.pragma("foreign_keys = OFF");
  const triggers = SCHEMA.filter((sql) => sql.startsWith("CREATE TRIGGER"));
  for (const sql of triggers) connection.exec(`DROP TRIGGER ${sql.split(" ")[2]}`);
  write(connection);
  for (const sql of triggers) connection.exec(sql);
  connection.pragma("wal_checkpoint(TRUNCATE)");
  connection.close();
}

const notOk = (path: string) =>
  diagnose(path)
    .checks.filter(({ status, name }) => status !== "ok" && name !== "disk")
    .map(({ name, status }) => `${status} ${name}`);

describe("diagnose", () => {
  it("finds nothing in a file that is whole, and leaves its bytes as they are", (t) => {
    const path = sampleFile(t);
    const digest = () => createHash("sha256").update(readFileSync(path)).digest("hex");
    const before = digest();
    assert.deepEqual(notOk(path), []);
    assert.equal(digest(), before);
    const { checks } = diagnose(path);
    assert.ok(checks.length >= 14);
    assert.ok(
      checks.every(({ found, remedy, status }) => found !== "" && (remedy === null) === (status === "ok")),
    );
  });

  it("looks at what another program has open, its unsaved WAL included", (t) => {
    const opened = manuscript(t);
    const { chapterId } = writeSample(opened);
    replaceProse(opened, chapterId, { markdown: "Another text, still in the WAL.\n" }, OWNER);
    assert.deepEqual(notOk(opened.store.path), []);
    replaceProse(opened, chapterId, { markdown: "And one more.\n" }, OWNER); // nothing was locked
  });

  for (const [what, sql, expected] of [
    [
      "a paragraph's row gone",
      "DELETE FROM blocks WHERE id = (SELECT row_id FROM leaves WHERE id = (SELECT block_id FROM mentions LIMIT 1))",
      ["fail references", "fail derived", "fail anchors", "fail history"],
    ],
    [
      "a leaf gone",
      "DELETE FROM leaves WHERE id = (SELECT block_id FROM mentions LIMIT 1)",
      ["fail references", "fail derived", "fail anchors"],
    ],
    [
      "Markdown that says something else than the document",
      "UPDATE blocks SET source = source || ' Not so.' WHERE type = 'paragraph' AND words > 5",
      ["fail prose"],
    ],
    [
      "a document that is none",
      "UPDATE blocks SET node = '{' WHERE type = 'heading'",
      ["fail prose", "fail derived", "fail search"],
    ],
    ["a mention that is not what was written", "UPDATE mentions SET hash = hash + 1", ["fail content"]],
    ["words counted wrongly", "UPDATE chapters SET word_count = word_count + 1", ["fail derived"]],
    [
      "a text that the prose does not say",
      "UPDATE blocks SET text = 'x' WHERE type = 'heading'",
      ["fail derived"],
    ],
    ["chapters out of their places", "UPDATE chapters SET position = 3 - position", ["fail derived"]],
    ["a mention of other words", "UPDATE mentions SET text = 'Nobody'", ["fail anchors"]],
    [
      "a note beside another chapter's paragraph",
      "UPDATE snippets SET chapter_id = (SELECT id FROM chapters WHERE position = 2) WHERE block_id IS NOT NULL",
      ["fail anchors"],
    ],
    [
      "two chapters in one place",
      "UPDATE chapters SET rank = 'V', position = (SELECT count(*) FROM chapters o WHERE o.id <= chapters.id)",
      ["warn order"],
    ],
    [
      "half a row in the journal",
      "UPDATE journal_entries SET before = json_remove(before, '$.summary') WHERE tbl = 'facts' AND op = 'delete'",
      ["fail history"],
    ],
    ["an act gone", "DELETE FROM acts WHERE seq = (SELECT max(seq) FROM acts)", ["fail history"]],
    [
      "the journal cut",
      "DELETE FROM journal_entries WHERE tbl = 'facts' AND op = 'insert'",
      ["fail history"],
    ],
    ["a chapter that nobody deleted gone", "DELETE FROM dismissals; DELETE FROM snippets", ["fail history"]],
    ["a revision that nobody knows", "UPDATE chapters SET revision = revision + 1", ["fail history"]],
    ["an index dropped", "DROP INDEX blocks_order", ["fail schema"]],
    [
      "a foreign trigger",
      "CREATE TRIGGER strange AFTER INSERT ON acts BEGIN DELETE FROM settings; END",
      ["fail schema"],
    ],
    ["credits held for nobody", "INSERT INTO holds VALUES('call_x', 1, 'elsewhere', 1, 1)", ["warn credits"]],
  ] as const) {
    it(`finds ${what}`, (t) => {
      const path = sampleFile(t);
      damage(path, (connection) => connection.exec(sql));
      const found = notOk(path);
      // The hashes tell of most of it, too.
      assert.deepEqual(
        expected.includes("fail content" as never)
          ? found
          : found.filter((check) => check !== "fail content"),
        [...expected],
      );
    });
  }

  it("finds damaged pages, and says so where nothing can be read", (t) => {
    const path = sampleFile(t);
    const connection = connect(path, { readonly: true });
    const page = connection
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'journal_row'")
      .pluck()
      .get();
    connection.close();
    const file = openSync(path, "r+");
    writeSync(file, Buffer.alloc(300, 0x5a), 0, 300, (Number(page) - 1) * 4096);
    closeSync(file);
    const { status, checks } = diagnose(path);
    assert.equal(status, "fail");
    assert.equal(checks.find(({ name }) => name === "integrity")?.status, "fail");
    truncateSync(path, 4096);
    assert.equal(diagnose(path).status, "fail");
    writeFileSync(path, "not a database, but long enough to have a header of one hundred bytes ".repeat(3));
    assert.deepEqual(notOk(path), ["fail opens"]);
  });

  it("asks for an update, and for nothing that helps against damage, where a newer version wrote the file", (t) => {
    const path = sampleFile(t);
    const raw = connect(path);
    raw.pragma(`user_version = ${VERSIONS.length + 1}`);
    raw.close();
    const found = diagnose(path).checks.find(({ name }) => name === "opens");
    assert.match(
      found?.found ?? "",
      /newer version of manuscript: its format is \d+, and this one reads up to \d+/,
    );
    assert.match(found?.remedy ?? "", /^Update manuscript/);
    assert.doesNotMatch(`${found?.found} ${found?.remedy}`, /damage|rescue|restore|mend/);
  });

  it("warns of a file that others may read", { skip: process.platform === "win32" }, (t) => {
    const path = sampleFile(t);
    chmodSync(path, 0o644);
    const { status, checks } = diagnose(path);
    assert.equal(status, "warn");
    assert.match(checks.find(({ name }) => name === "file")?.remedy ?? "", /^Run: chmod 600 /);
  });

  it("says that a file is missing", (t) => {
    assert.throws(() => diagnose(join(folder(t), "none.manuscript")), NotFound);
  });
});

describe("examine, beside a writer", () => {
  it("reads between saves, holds up no checkpoint, and takes no save for a flaw", (t) => {
    const path = sampleFile(t);
    const writer = openManuscript(path, { clock: ticking() });
    t.after(() => writer.close());
    const reader = openManuscript(path, { clock: ticking() });
    t.after(() => reader.close());
    const [book] = listBooks(writer.store);
    const { id } = book!; // the sample has one
    const gone = createChapter(writer, id, { title: "Gone soon", markdown: "One.\n" }, OWNER).id;
    let turns = 0;
    const { flaws, paragraphs } = examine(reader.store, () => {
      turns++;
      if (turns === 1) deleteChapter(writer, gone, OWNER);
      const markdown = `${MARKDOWN}\n${"More of it.\n\n".repeat(turns)}`;
      for (const { id: chapterId } of listChapters(writer.store, id))
        replaceProse(writer, chapterId, { markdown }, OWNER);
      assert.ok(writer.store.checkpoint(), `turn ${turns}`);
    });
    assert.ok(turns > 5);
    assert.deepEqual(Object.values(flaws).flat(), []);
    const counted = countParagraphs(reader.store, id, paragraphs.get(id));
    assert.equal(counted, countParagraphs(reader.store, id, undefined));
  });
});
