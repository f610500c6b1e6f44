import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { connect } from "../../../src/store/file/driver.ts";
import { peekSetting } from "../../../src/store/file/peek-setting.ts";
import { APPLICATION_ID } from "../../../src/store/file/schema.ts";
import { saveSetting } from "../../../src/store/rows/account.ts";
import { folder, manuscript } from "../../support/sandbox.ts";

describe("peekSetting", () => {
  it("reads what the file itself holds, also among thousands of rows", (t) => {
    const own = manuscript(t);
    const { path } = own.store;
    own.store.checkpoint();
    assert.equal(peekSetting(path, "writer"), own.writer);
    assert.equal(peekSetting(path, "nothing"), undefined);
    own.store.setAside(() => {
      for (let row = 0; row < 2000; row++) saveSetting(own.store, `page:${row}`, "x".repeat(row % 90));
    });
    own.store.checkpoint();
    assert.equal(peekSetting(path, "writer"), own.writer);
    assert.equal(peekSetting(path, "page:7"), "xxxxxxx");
  });

  it("is what SQLite reads, where that is a text within its page, and else nothing, whatever stands around it", (t) => {
    const path = join(folder(t), "a.manuscript");
    const values = [
      ...["", "x", "Quay", "é – 海", "y".repeat(55), "z".repeat(56), "w".repeat(300), "long".repeat(900)],
      ...[0, 1, -1, 127, 40_000, 9_000_000, 2 ** 31 + 5, 2 ** 47 - 1, 2 ** 52, 0.5, null],
    ];
    for (const columns of ["name TEXT, value", "name TEXT, value, more TEXT, still INTEGER, last TEXT"])
      for (const rows of [1, 7, 90]) {
        rmSync(path, { force: true });
        const raw = connect(path);
        raw.exec(`PRAGMA page_size = 512; PRAGMA application_id = ${APPLICATION_ID}; BEGIN`);
        raw.exec("CREATE TABLE other(x)");
        raw.exec(`CREATE TABLE settings(${columns}); CREATE INDEX settings_by_name ON settings(name)`);
        const insert = raw.prepare("INSERT INTO settings(rowid, name, value) VALUES(?, ?, ?)");
        for (let row = 0; row < rows; row++)
          insert.run(row ** 3 + 1, `name:${row}`, values[row % values.length]);
        if (columns.includes("last")) raw.exec("UPDATE settings SET more = 'm', still = 7, last = 'l'");
        raw.exec("COMMIT");
        for (const { name, value } of raw.prepare("SELECT name, value FROM settings").all() as {
          name: string;
          value: unknown;
        }[]) {
          const isShort = typeof value === "string" && value.length < 350;
          assert.equal(peekSetting(path, name), isShort ? value : undefined, `${name} of ${rows}: ${value}`);
        }
        assert.equal(peekSetting(path, "name:x"), undefined);
        raw.close();
      }
  });

  it("finds them where an older file of the same schema number has something else", (t) => {
    const home = folder(t);
    const made = (name: string, sql: string) => {
      const path = join(home, name);
      const raw = connect(path);
      raw.exec(`PRAGMA application_id = ${APPLICATION_ID}; ${sql}`);
      raw.close();
      return path;
    };
    const settings = "CREATE TABLE settings(name TEXT, value TEXT)";
    const row = "INSERT INTO settings VALUES('a', 'found')";
    const first = made(
      "1",
      `${settings}; CREATE TABLE x(name TEXT, value TEXT); ${row}; INSERT INTO x VALUES('b', 'other')`,
    );
    const second = made(
      "2",
      `CREATE TABLE x(name TEXT, value TEXT); ${settings}; ${row}; INSERT INTO x VALUES('b', 5)`,
    );
    const view = made(
      "3",
      "CREATE TABLE x(name TEXT, value TEXT); CREATE VIEW settings AS SELECT * FROM x; INSERT INTO x VALUES('b', 'x')",
    );
    assert.deepEqual(
      [first, second, first, view].map((path) => peekSetting(path, "a")),
      ["found", "found", "found", undefined],
    );
  });

  it("looks at 64 pages at most", (t) => {
    const path = join(folder(t), "a.manuscript");
    const raw = connect(path);
    raw.exec(
      `PRAGMA page_size = 512; PRAGMA application_id = ${APPLICATION_ID}; CREATE TABLE settings(name TEXT, value TEXT)`,
    );
    const insert = raw.prepare("INSERT INTO settings VALUES(?, ?)");
    raw.exec("BEGIN");
    for (let row = 0; row < 120; row++) insert.run(`name:${row}`, "v".repeat(400));
    raw.exec("COMMIT");
    raw.close();
    assert.equal(peekSetting(path, "name:40"), "v".repeat(400));
    assert.equal(peekSetting(path, "name:119"), undefined);
  });

  it("tells nothing of another program's database", (t) => {
    const path = join(folder(t), "a.manuscript");
    const raw = connect(path);
    raw.exec("CREATE TABLE settings(name TEXT, value TEXT); INSERT INTO settings VALUES('writer', 'theirs')");
    raw.close();
    assert.equal(peekSetting(path, "writer"), undefined);
  });

  it("is undefined for what is missing, foreign or torn, and never throws", (t) => {
    const own = manuscript(t);
    own.store.checkpoint();
    const torn = join(folder(t), "torn.manuscript");
    assert.equal(peekSetting(torn, "writer"), undefined);
    for (const bytes of [Buffer.alloc(0), Buffer.from("no database"), Buffer.alloc(8192, 0xff)]) {
      writeFileSync(torn, bytes);
      assert.equal(peekSetting(torn, "writer"), undefined);
    }
  });

  it("leaves the locks of whoever has the file open", (t) => {
    const own = manuscript(t);
    assert.doesNotThrow(() => own.store.setAside(() => peekSetting(own.store.path, "writer")));
    saveSetting(own.store, "page:after", "1");
    own.store.assertInPlace();
  });
});
