import { lastActSeq } from "./acts.ts";
import { listBooks } from "./books.ts";
import { SCHEMA } from "./schema.ts";
import type { Store } from "./store.ts";
import { TABLE_NAMES } from "./tables.ts";

/** A cell of a row: SQLite's text and integers are all that a manuscript's tables hold. */
export type Cell = string | number | null;

/** A column of a bundled table. */
export interface BundledColumn {
  name: string;
  type: "TEXT" | "INTEGER";
  isNullable: boolean;
}

// By key, so that the same rows always come in the same order. `progress` has none: as they were added.
const OUTSIDE = {
  leaves: "id",
  acts: "seq",
  journal: "seq",
  revisions: "chapter_id, revision",
  exchanges: "seq",
  exchanged_files: "seq",
  progress: "rowid",
} as const;

/**
 * The tables that a bundle holds: what the writer made and its whole history. Not in it: keys, ledger and holds, which
 * belong to this file's account, and settings, which are read and written by their own rules.
 */
export type BundledTable = (typeof TABLE_NAMES)[number] | keyof typeof OUTSIDE;

/** Those tables, parents before children. */
export const BUNDLED: readonly BundledTable[] = [
  ...TABLE_NAMES,
  ...(Object.keys(OUTSIDE) as (keyof typeof OUTSIDE)[]),
];

/** A table's columns, in the order of its rows' cells. */
export function listColumns(store: Store, table: BundledTable): BundledColumn[] {
  return store
    .all<{ name: string; type: BundledColumn["type"]; isRequired: number }>(
      `SELECT name, type, "notnull" OR pk > 0 AS isRequired FROM pragma_table_info(?) ORDER BY cid`,
      table,
    )
    .map(({ name, type, isRequired }) => ({ name, type, isNullable: isRequired === 0 }));
}

/** The rows of every bundled table, each as its cells. */
export type Tables = Readonly<Record<BundledTable, readonly Cell[][]>>;

/** Every row of every bundled table, always in the same order. */
export function listTables(store: Store): Tables {
  const rows = BUNDLED.map((table) => {
    const order = table in OUTSIDE ? OUTSIDE[table as keyof typeof OUTSIDE] : "id";
    return [table, store.prepare(`SELECT * FROM ${table} ORDER BY ${order}`).raw().all() as Cell[][]];
  });
  return Object.fromEntries(rows);
}

/** True for a file in which nothing was ever written. */
export function isBlank(store: Store): boolean {
  return listBooks(store).length === 0 && lastActSeq(store) === 0;
}

/**
 * Puts rows into a blank file just as they are, history included. Triggers would refuse them, journal them and count
 * them once more, so they are taken off and put back within the caller's transaction: nobody else ever sees the file
 * without them. 120,000 rows take about a second.
 */
export function loadTables(store: Store, tables: Tables): void {
  const triggers = SCHEMA.flatMap((sql) => {
    const name = /^CREATE TRIGGER (\w+)/.exec(sql)?.[1];
    return name === undefined ? [] : [{ name, sql }];
  });
  for (const { name } of triggers) store.run(`DROP TRIGGER ${name}`);
  for (const table of BUNDLED) {
    const columns = listColumns(store, table);
    const names = columns.map(({ name }) => `"${name}"`).join(", ");
    const insert = store.prepare(
      `INSERT INTO ${table}(${names}) VALUES(${columns.map(() => "?").join(", ")})`,
    );
    for (const cells of tables[table]) insert.run(...cells);
  }
  for (const { sql } of triggers) store.run(sql);
}
