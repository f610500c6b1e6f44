import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BUNDLED, listColumns, listOlderTables, listTables, upgradeTables } from "../../src/store/bundle.ts";
import { VERSIONS } from "../../src/store/file/migrate.ts";
import { writeSample } from "../support/sample.ts";
import { manuscript } from "../support/sandbox.ts";

describe("a bundle's columns", () => {
  it("say what may be missing", (t) => {
    const { store } = manuscript(t);
    const of = (table: string, name: string) =>
      listColumns(store, table).find((column) => column.name === name);
    assert.deepEqual(
      [of("books", "id"), of("books", "title"), of("goals", "deadline"), of("acts", "seq")],
      [
        { name: "id", type: "TEXT", isNullable: false },
        { name: "title", type: "TEXT", isNullable: false },
        { name: "deadline", type: "TEXT", isNullable: true },
        { name: "seq", type: "INTEGER", isNullable: false },
      ],
    );
  });
});

describe("a bundle of an older version", () => {
  it("holds every table but the account's, as today's does", (t) => {
    const { store } = manuscript(t);
    const today = BUNDLED.map((name) => ({ name, columns: listColumns(store, name) }));
    const byName = (tables: typeof today) => tables.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    assert.deepEqual(byName(listOlderTables(VERSIONS.length) as typeof today), byName(today));
  });

  it("takes the steps since: its rows come as today's", (t) => {
    const own = manuscript(t);
    writeSample(own);
    const tables = listTables(own.store);
    assert.deepEqual(upgradeTables(tables, VERSIONS.length), tables);
    const next = `DROP TRIGGER guard_books_update;
      ALTER TABLE books ADD COLUMN trial TEXT NOT NULL DEFAULT 'none';
      UPDATE current_act SET seq = 1; UPDATE books SET title = upper(title); UPDATE current_act SET seq = NULL;`;
    const { books, journal_entries, ...others } = upgradeTables(tables, VERSIONS.length, [...VERSIONS, next]);
    assert.deepEqual(
      books,
      tables.books?.map(([id, title, ...rest]) => [id, String(title).toUpperCase(), ...rest, "none"]),
    );
    assert.equal(
      journal_entries?.length,
      Number(tables.journal_entries?.length) + 1,
      "the triggers stand again",
    );
    assert.deepEqual({ books: tables.books, journal_entries: tables.journal_entries, ...others }, tables);
  });
});
