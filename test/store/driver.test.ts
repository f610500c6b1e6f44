import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type DamagedRow, describeDamage } from "../../src/store/damage.ts";
import { connect, sqliteCode } from "../../src/store/file/driver.ts";
import { rowHash } from "../../src/store/file/hashes.ts";

describe("sqliteCode", () => {
  it("is that of an error of SQLite's, and of no other", () => {
    const raw = connect(":memory:");
    try {
      raw.exec("SELECT * FROM nothing");
    } catch (error) {
      assert.equal(sqliteCode(error), "SQLITE_ERROR");
    }
    raw.close();
    const named = (name: string, more: object) => Object.assign(new Error("x"), { name }, more);
    assert.equal(sqliteCode(named("SqliteError", { code: "SQLITE_FULL" })), "SQLITE_FULL");
    for (const other of [
      named("Error", { code: "SQLITE_FULL" }),
      named("SqliteError", { code: 5 }),
      named("SqliteError", {}),
      { name: "SqliteError", code: "SQLITE_FULL" },
      undefined,
    ])
      assert.equal(sqliteCode(other), undefined);
  });
});

describe("a connection", () => {
  it("hashes rows as this program does, never within a trigger", (t) => {
    const raw = connect(":memory:");
    t.after(() => raw.close());
    const one = (sql: string) => raw.prepare(sql).pluck().get();
    assert.equal(one("SELECT row_hash('facts', 'Mara', 7, NULL)"), rowHash("facts", "Mara", 7, null));
    assert.equal(one("SELECT typeof(row_hash('x'))"), "integer");
    assert.equal(one('SELECT typeof(rows_hash(value)) FROM json_each(\'["a", "b"]\')'), "integer");
    const of = (list: string) => one(`SELECT rows_hash(value) FROM json_each('${list}')`);
    assert.equal(of('["a", "b"]'), of('["a", "b"]'));
    assert.notEqual(of('["a", "b"]'), of('["a", "c"]'));
    raw.exec("CREATE TABLE a(b); CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT row_hash(1); END");
    assert.throws(() => raw.exec("INSERT INTO a VALUES(1)"), /unsafe use of row_hash/);
  });
});

describe("damage in words", () => {
  const cases: [row: Omit<DamagedRow, "kind">, kind: DamagedRow["kind"], words: string][] = [
    [{ table: "snippets", id: "snip_1", chapter: null }, "hash", "the row of snippets snip_1"],
    [
      { table: "blocks", id: "blk_1", chapter: "ch_1" },
      "seal",
      "the counts and texts of blocks blk_1 of ch_1",
    ],
    [{ table: "blocks", id: "blk_1", chapter: "ch_1" }, "hash", "the row of blocks blk_1 of ch_1"],
    [{ table: "chapters", id: "ch_1", chapter: "ch_1" }, "digest", "the list of paragraphs of chapters ch_1"],
  ];
  for (const [row, kind, words] of cases)
    it(`is "${words}"`, () => {
      assert.equal(describeDamage({ ...row, kind }), words);
    });
});
