import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { type Connection, connect } from "../../../src/store/file/driver.ts";
import {
  type FormatStep,
  migrate,
  missingFrom,
  readSchema,
  replay,
  runStep,
  VERSIONS,
} from "../../../src/store/file/migrate.ts";
import { SCHEMA } from "../../../src/store/file/schema.ts";
import { folder } from "../../support/sandbox.ts";

const HOW = "How a version is added stands at the top of src/store/file/migrate.ts.";

describe("VERSIONS", () => {
  it("come, from every version on, to the schema that tables.ts and schema.ts describe", (t) => {
    const path = join(folder(t), "a.db");
    const expected = [...SCHEMA];
    for (let from = 0; from <= VERSIONS.length; from++) {
      const connection = connect(":memory:");
      for (const step of VERSIONS.slice(0, from)) runStep(connection, step);
      connection.pragma(`user_version = ${from}`);
      migrate(connection, path, [...VERSIONS]); // step by step: a new file is made at once
      const reached = readSchema(connection);
      connection.close();
      const lacking = missingFrom(reached, expected);
      const left = missingFrom(expected, reached);
      const next = `src/store/file/versions/v${VERSIONS.length + 1}.ts`;
      assert.ok(
        lacking.length + left.length === 0,
        [
          "No manuscript would open: tables.ts or schema.ts was changed without a version that brings files there,",
          `or a version without them. Write ${next} (or mend the one you are writing). ${HOW}`,
          ...lacking.map((sql) => `It has to make:   ${sql}`),
          ...left.map((sql) => `It has to remove: ${sql}`),
        ].join("\n"),
      );
    }
  });

  it("leave a file as a new one is made at once: its schema, rows, marks", () => {
    const made = (steps: readonly FormatStep[]) => {
      const connection = connect(":memory:");
      migrate(connection, undefined, steps);
      const names = connection
        .prepare(
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_sequence' ORDER BY name",
        )
        .pluck()
        .all();
      const rows = names.map((name) => [name, connection.prepare(`SELECT * FROM "${name}"`).all()]);
      const marks = ["application_id", "user_version", "auto_vacuum"].map((mark) => connection.pragma(mark));
      const schema = readSchema(connection);
      connection.close();
      return { rows, marks, schema };
    };
    const [atOnce, stepwise] = [made(VERSIONS), made([...VERSIONS])];
    assert.deepEqual([atOnce.rows, atOnce.marks], [stepwise.rows, stepwise.marks]);
    assert.deepEqual(missingFrom(atOnce.schema, stepwise.schema), []);
    assert.deepEqual(missingFrom(stepwise.schema, atOnce.schema), []);
  });

  it("are the files in schema/versions, each of them", () => {
    const written = readdirSync(join(import.meta.dirname, "../../../src/store/file/versions")).sort();
    const listed = VERSIONS.map((_, index) => `v${index + 1}.ts`).sort();
    assert.deepEqual(written, listed, `VERSIONS and src/store/file/versions/ differ. ${HOW}`);
  });

  it("import nothing, so that no later change reaches them", () => {
    const versions = join(import.meta.dirname, "../../../src/store/file/versions");
    for (const file of readdirSync(versions)) {
      assert.doesNotMatch(readFileSync(join(versions, file), "utf8"), /^import|\$\{/m, file);
    }
  });
});

describe("migrate", () => {
  const opened = (t: TestContext) => {
    const path = join(folder(t), "a.db");
    const connection = connect(path);
    t.after(() => connection.close());
    return { path, connection };
  };
  const versionOf = (connection: Connection) => connection.pragma("user_version", { simple: true });
  const ONE = "CREATE TABLE books(id TEXT PRIMARY KEY); CREATE TABLE parts(book TEXT REFERENCES books(id))";
  const TWO =
    "CREATE TABLE shelf(id TEXT PRIMARY KEY, row INT); INSERT INTO shelf(id) SELECT id FROM books; DROP TABLE books; ALTER TABLE shelf RENAME TO books;";

  it("takes each step once and keeps what the file held, with a copy that only its owner can read", (t) => {
    const { path, connection } = opened(t);
    connection.pragma("foreign_keys = ON");
    migrate(connection, path, [ONE]);
    assert.ok(
      !readdirSync(join(path, "..")).some((name) => name.includes("backup")),
      "an empty file needs no copy",
    );
    connection.exec("INSERT INTO books VALUES('bk_1'); INSERT INTO parts VALUES('bk_1')");
    const left = `${path}-v1.99999999.part`; // of a process that is gone
    writeFileSync(left, "half a copy");
    for (let time = 0; time < 2; time++) migrate(connection, path, [ONE, TWO]);
    assert.ok(!existsSync(left));
    assert.equal(versionOf(connection), 2);
    assert.deepEqual(connection.prepare("SELECT * FROM books").all(), [{ id: "bk_1", row: null }]);
    assert.deepEqual(connection.prepare("SELECT * FROM parts").all(), [{ book: "bk_1" }]);
    assert.equal(connection.pragma("foreign_keys", { simple: true }), 1);
    assert.deepEqual(missingFrom(replay([ONE, TWO]), readSchema(connection)), []);

    assert.equal(statSync(`${path}-v1.backup`).mode & 0o777, 0o600);
    const copy = connect(`${path}-v1.backup`);
    assert.equal(versionOf(copy), 1);
    assert.deepEqual(copy.prepare("SELECT * FROM books").all(), [{ id: "bk_1" }]);
    copy.close();
    assert.deepEqual(
      readdirSync(join(path, "..")).filter((name) => name.includes(".part")),
      [],
    );
  });

  it("says beforehand how long a large file will take, and of a small one nothing", (t) => {
    const { path, connection } = opened(t);
    const told: string[] = [];
    const warn = (message: string) => void told.push(message);
    migrate(connection, path, [ONE], warn);
    migrate(connection, path, [ONE, TWO], warn);
    assert.deepEqual(told, []);
    connection.exec("CREATE TABLE strange(bytes); INSERT INTO strange VALUES(zeroblob(25000000))");
    migrate(connection, path, [ONE, TWO, "CREATE TABLE three(id TEXT)"], warn);
    assert.match(told.join(), /takes about 2 seconds; it is kept as it was in .*a\.db-v2\.backup\.$/);
  });

  it("takes back a step that fails, version and all, and keeps the steps before it", (t) => {
    const { path, connection } = opened(t);
    assert.throws(
      () => migrate(connection, path, [ONE, `${TWO} CREATE TABLE half(x); SELECT broken;`]),
      /broken/,
    );
    assert.equal(versionOf(connection), 1);
    assert.deepEqual(readSchema(connection), replay([ONE]));
  });

  it("takes back a step that leaves rows without their parents", (t) => {
    const { path, connection } = opened(t);
    migrate(connection, path, [ONE]);
    connection.exec("INSERT INTO books VALUES('bk_1'); INSERT INTO parts VALUES('bk_1')");
    assert.throws(() => migrate(connection, path, [ONE, "DELETE FROM books"]), /version 2 leaves rows/);
    assert.deepEqual(connection.prepare("SELECT * FROM books").all(), [{ id: "bk_1" }]);
  });

  it("refuses an older file that something else has changed, and leaves it as it is", (t) => {
    const { path, connection } = opened(t);
    migrate(connection, path, [ONE]);
    const evil = "CREATE TRIGGER evil AFTER INSERT ON parts BEGIN DELETE FROM books; END";
    connection.exec(evil);
    assert.throws(() => migrate(connection, path, [ONE, TWO]), /something else has changed it/);
    assert.equal(versionOf(connection), 1);
    assert.ok(!existsSync(`${path}-v1.backup`));
  });
});
