import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createFact } from "../../src/service/annotations/facts.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { connect } from "../../src/store/file/driver.ts";
import { OWNER } from "../support/sample.ts";
import { folder, manuscript } from "../support/sandbox.ts";
import { exchange } from "./exchange.ts";

/** A book of one chapter and one fact, that can be exported. */
function book(t: TestContext) {
  const open = manuscript(t, { busyTimeoutMs: 0 });
  const { id: bookId } = createBook(open, { title: "Book" }, OWNER);
  createChapter(open, bookId, { title: "One", markdown: "One.\n" }, OWNER);
  createFact(open, bookId, { name: "Mara" }, OWNER);
  return { open, export: () => exchange(open, bookId, join(folder(t), "out")).export() };
}

/** Lets the manuscript refuse the row of this number that is written from now on, in whatever table; 0 is none. */
function refuse({ store }: Manuscript, number: number): void {
  const tables = store.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  store.prepare("CREATE TEMP TABLE written (name TEXT)").run();
  for (const { name } of tables)
    store
      .prepare(
        `CREATE TEMP TRIGGER count_${name} BEFORE INSERT ON main.${name} BEGIN
           INSERT INTO written VALUES ('${name}');
           SELECT RAISE(ABORT, 'no room for it') WHERE (SELECT count(*) FROM written) = ${number};
         END`,
      )
      .run();
}

describe("what an export notes of the files that it wrote", () => {
  it("is left out where another program writes at this moment", async (t) => {
    const own = book(t);
    const holder = connect(own.open.store.path);
    t.after(() => holder.close());
    holder.exec("BEGIN IMMEDIATE");
    assert.ok((await own.export()).files.length > 0);
    holder.exec("ROLLBACK");
  });

  it("fails the export if the manuscript cannot hold it for any other reason", async (t) => {
    const whole = book(t);
    refuse(whole.open, 0);
    await whole.export();
    const rows = whole.open.store.all("SELECT name FROM written").length;
    assert.ok(rows >= 3, "a chapter's file, the list of the book and its facts are noted");
    for (let number = 1; number <= rows; number++) {
      const own = book(t);
      refuse(own.open, number);
      await assert.rejects(own.export(), /no room for it/, `row ${number} of ${rows}`);
    }
  });
});
