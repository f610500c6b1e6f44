import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, it } from "node:test";
import type SQLite from "better-sqlite3";
import { createMint } from "../../src/ids.ts";
import { openStore } from "../../src/store/open.ts";
import { peek } from "../../src/store/peek.ts";
import { APPLICATION_ID } from "../../src/store/schema.ts";
import { folder, seeded, ticking } from "../support/sandbox.ts";

const Database = createRequire(import.meta.url)("better-sqlite3") as typeof SQLite;
const COLUMNS = ["seq", "name", "count", "share", "note"] as const;
const ALL = "SELECT seq, name, count, share, note FROM things ORDER BY seq";

/** A file with rows of every kind: short and long, of all widths of numbers, on pages of this size. */
function things(path: string, { pageSize, rows }: { pageSize: number; rows: number }): SQLite.Database {
  const database = new Database(path);
  database.pragma(`page_size = ${pageSize}`);
  database.pragma(`application_id = ${APPLICATION_ID}`);
  database.pragma("journal_mode = WAL");
  database.exec(
    "CREATE TABLE things(seq INTEGER PRIMARY KEY, name TEXT NOT NULL CHECK(name <> ''), count INTEGER, share REAL, note TEXT) STRICT",
  );
  add(database, rows);
  return database;
}

function add(database: SQLite.Database, rows: number): void {
  const random = seeded(rows);
  const insert = database.prepare("INSERT INTO things(name, count, share, note) VALUES(?, ?, ?, ?)");
  database.exec("BEGIN");
  for (let row = 0; row < rows; row++) {
    const [a = 0, b = 0, c = 0] = random(3);
    const width = [0, 1, 255, 32_768, -8_388_609, 2 ** 31, -(2 ** 47), 2 ** 52][a % 8] ?? 0;
    const note = a < 40 ? null : a > 200 ? "é—".repeat(b * 40 + c) : "x".repeat(b);
    insert.run(`name ${row} “${b}”`, b === 0 ? null : width + c, c / 7, note);
  }
  database.exec("COMMIT");
}

describe("peek", () => {
  for (const { pageSize, rows } of [
    { pageSize: 512, rows: 700 },
    { pageSize: 4096, rows: 1500 },
    { pageSize: 65_536, rows: 300 },
  ]) {
    it(`reads what SQLite reads: ${rows} rows on pages of ${pageSize} bytes, in the file or in its log`, (t) => {
      const path = join(folder(t), "a.manuscript");
      const database = things(path, { pageSize, rows });
      const expected = () => database.prepare(ALL).all();
      const read = (order?: "newest") => peek(path, (look) => [...look("things", COLUMNS, order)]);
      database.pragma("wal_checkpoint(TRUNCATE)");
      assert.deepEqual(read(), expected());
      add(database, 50); // in the log alone
      database.exec(
        "UPDATE things SET note = 'changed' WHERE seq % 7 = 0; DELETE FROM things WHERE seq % 11 = 0",
      );
      assert.deepEqual(read(), expected());
      assert.deepEqual(read("newest"), expected().reverse());
      database.pragma("wal_checkpoint(FULL)");
      add(database, 3); // the log begins anew, its old frames behind the new ones
      assert.deepEqual(read(), expected());
      database.exec("BEGIN");
      database.exec("PRAGMA cache_size = 1; UPDATE things SET name = 'not yet'");
      const seen = read().filter(({ name }) => name === "not yet");
      assert.equal(seen.length, 0, "what is not committed is not there");
      database.exec("ROLLBACK");
      assert.deepEqual(read(), expected());
      const all = expected();
      database.close(); // and with it goes the log
      assert.deepEqual(read(), all);
    });
  }

  it("makes nothing beside a file and changes none of its bytes", (t) => {
    const at = folder(t);
    const path = join(at, "a.manuscript");
    openStore(path, { clock: ticking(), mint: createMint(), create: true }).close();
    const before = readFileSync(path);
    assert.deepEqual(
      peek(path, (rows) => [...rows("books", ["id", "title"])]),
      [],
    );
    assert.deepEqual(readdirSync(at), ["a.manuscript"]);
    assert.deepEqual(readFileSync(path), before);
  });

  it("throws for what is no manuscript, for one that ends too soon, and for what is not in it", (t) => {
    const at = folder(t);
    const path = join(at, "a.manuscript");
    things(path, { pageSize: 4096, rows: 500 }).close();
    const read = (table: string, column: string) => () => peek(path, (rows) => [...rows(table, [column])]);
    assert.throws(read("others", "seq"), /no table others/);
    assert.throws(read("things", "other"), /no column other/);
    truncateSync(path, 8192);
    assert.throws(read("things", "seq"), /ends too soon/);
    writeFileSync(path, "not a database, but long enough to be read as the header of one ".repeat(4));
    assert.throws(read("things", "seq"), /not a manuscript/);
    mkdirSync(join(at, "b.manuscript"));
    assert.throws(() => peek(join(at, "b.manuscript"), (rows) => [...rows("things", ["seq"])]));
  });

  it("ends where damaged pages lead in a circle", (t) => {
    const path = join(folder(t), "a.manuscript");
    const database = things(path, { pageSize: 512, rows: 700 });
    const { root } = database
      .prepare("SELECT rootpage AS root FROM sqlite_schema WHERE name = 'things'")
      .get() as { root: number };
    database.close();
    const bytes = readFileSync(path);
    bytes.writeUInt32BE(root, (root - 1) * 512 + 8); // its last child is itself
    writeFileSync(path, bytes);
    assert.throws(() => peek(path, (rows) => [...rows("things", ["seq"])]), /no table/);
  });
});
