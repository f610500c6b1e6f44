import assert from "node:assert/strict";
import { test } from "node:test";
import { Unavailable } from "../../../src/refusals.ts";
import { connect } from "../../../src/store/driver.ts";
import { Scratch } from "../../../src/store/file/scratch.ts";

test("what waits beside a file is in a file of its own, taken back whole, and a full disk is told", (t) => {
  const connection = connect(":memory:");
  t.after(() => connection.close());
  const scratch = new Scratch(connection, "novel.manuscript");
  const run = (sql: string) => connection.exec(sql);
  const count = () => connection.prepare("SELECT count(*) FROM scratch.kept").pluck().get();
  connection.pragma("temp_store = MEMORY");
  scratch.open(["CREATE TABLE scratch.kept(a)"], () => {
    scratch.fill(() => run("INSERT INTO scratch.kept VALUES(1)"));
    assert.throws(() =>
      scratch.fill(() => {
        run("INSERT INTO scratch.kept VALUES(2)");
        throw new Error("no");
      }),
    );
    assert.equal(count(), 1);
    assert.equal(connection.pragma("temp_store", { simple: true }), 2); // of all else in memory
    connection.pragma("scratch.max_page_count = 3");
    const fill = () => scratch.fill(() => run("INSERT INTO scratch.kept VALUES(zeroblob(100000))"));
    assert.throws(fill, { code: "SQLITE_FULL" });
  });
  const full = () =>
    scratch.open(["CREATE TABLE scratch.kept(a)", "PRAGMA scratch.max_page_count = 3"], () =>
      scratch.fill(() => run("INSERT INTO scratch.kept VALUES(zeroblob(100000))")),
    );
  assert.throws(full, Unavailable);
  assert.deepEqual(connection.prepare("SELECT name FROM pragma_database_list").pluck().all(), ["main"]);
});
