import { type Connection, connect } from "./file/driver.ts";
import { type FormatStep, type Prepares, runStep, VERSIONS } from "./file/migrate.ts";
import type { Store } from "./file/store.ts";
import { TABLE_NAMES } from "./file/tables.ts";
import { lastActSeq } from "./journal/acts.ts";
import { listBooks } from "./rows/books.ts";

/** A cell of a row: SQLite's text and integers are all that a manuscript's tables hold. */
export type Cell = string | number | null;

/** A column of a bundled table. */
export interface BundledColumn {
  name: string;
  type: "TEXT" | "INTEGER";
  isNullable: boolean;
}

// By key, so that the same rows always come in the same order.
const OUTSIDE = {
  leaves: "id",
  acts: "seq",
  ids: "no",
  journal_entries: "seq",
  revision_entries: "chapter_no, revision",
  progress_entries: "act, book_no, day",
  working_copies: "seq",
} as const;

/**
 * The tables that a bundle holds: what the writer made and its whole history. Not in it: keys, ledger and holds, which
 * belong to this file's account, and settings, which are read and written by their own rules.
 */
type BundledTable = (typeof TABLE_NAMES)[number] | keyof typeof OUTSIDE;

/** Those tables, parents before children. */
export const BUNDLED: readonly BundledTable[] = [
  ...TABLE_NAMES,
  ...(Object.keys(OUTSIDE) as (keyof typeof OUTSIDE)[]),
];

/** A table's columns, in the order of its rows' cells. */
export function listColumns(file: Prepares, table: string): BundledColumn[] {
  const columns = file
    .prepare(`SELECT name, type, "notnull" OR pk > 0 AS isRequired FROM pragma_table_info(?) ORDER BY cid`)
    .all(table) as { name: string; type: BundledColumn["type"]; isRequired: number }[];
  return columns.map(({ name, type, isRequired }) => ({ name, type, isNullable: isRequired === 0 }));
}

/** The tables of a bundle of an older version of the file's format, each with its columns. */
export function listOlderTables(
  version: number,
  steps = VERSIONS,
): { name: string; columns: BundledColumn[] }[] {
  return inMemory(steps.slice(0, version), (file) =>
    tablesOf(file).map((name) => ({ name, columns: listColumns(file, name) })),
  );
}

/** Tables of the file's account: keys, what was granted and spent, the calls that run, and settings. As in every version. */
export const ACCOUNT = ["keys", "ledger", "holds", "settings"] as const;

/** Those tables, each with its columns. */
export function listAccountTables(): { name: string; columns: BundledColumn[] }[] {
  return inMemory(VERSIONS, (file) => ACCOUNT.map((name) => ({ name, columns: listColumns(file, name) })));
}

/** The rows of a bundle of an older version, upgraded by the steps since in a file in memory. */
export function upgradeTables(tables: Tables, version: number, steps = VERSIONS): Tables {
  return changeTables(tables, version, { at: version, change: () => {} }, steps).tables;
}

/** The same, and rows are changed by the way, in the format of `at`, while no trigger acts on them. */
export function changeTables<Result>(
  tables: Tables,
  version: number,
  { at, change }: { at: number; change: (file: Connection) => Result },
  steps = VERSIONS,
): { tables: Tables; result: Result } {
  return inMemory(steps.slice(0, version), (file) => {
    fill(file, tablesOf(file), tables);
    for (const step of steps.slice(version, at)) runStep(file, step);
    const result = withoutTriggers(file, () => change(file));
    for (const step of steps.slice(at)) runStep(file, step);
    return { tables: listTables(file), result };
  });
}

// In a file of any version these are no tables of a bundle, and everything else is; pictures stand in it by themselves.
const NOT_BUNDLED: readonly string[] = ["pictures", ...ACCOUNT, "current_act", "replays"];

function tablesOf(file: Prepares): string[] {
  const names = file
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")
    .pluck()
    .all();
  return (names as string[]).filter((name) => !name.startsWith("sqlite_") && !NOT_BUNDLED.includes(name));
}

function inMemory<Result>(steps: readonly FormatStep[], use: (file: Connection) => Result): Result {
  const file = connect(":memory:");
  try {
    file.pragma("foreign_keys = OFF");
    for (const step of steps) runStep(file, step);
    return use(file);
  } finally {
    file.close();
  }
}

/** Rows by table, each as its cells. */
export type Tables = Readonly<Record<string, readonly Cell[][]>>;

/** Every row of every bundled table, in a stable order. */
export function listTables(file: Prepares): Tables {
  const rows = BUNDLED.map((table) => {
    const order = table in OUTSIDE ? OUTSIDE[table as keyof typeof OUTSIDE] : "id";
    return [table, file.prepare(`SELECT * FROM ${table} ORDER BY ${order}`).raw().all() as Cell[][]];
  });
  return Object.fromEntries(rows);
}

/** Returns true if nothing was ever written in the file. */
export function isBlank(store: Store): boolean {
  return listBooks(store).length === 0 && lastActSeq(store) === 0;
}

/**
 * Inserts rows into a blank file exactly as they are, history included. Triggers would refuse them, journal them and
 * count them once more, so they are dropped and remade within the caller's transaction: nobody else ever sees the file
 * without them. 120,000 rows take about a second.
 */
export function loadTables(store: Store, tables: Tables, names: readonly string[] = BUNDLED): void {
  fill(store, names, tables);
}

function fill(file: Prepares, names: readonly string[], tables: Tables): void {
  withoutTriggers(file, () => {
    for (const table of names) {
      const columns = listColumns(file, table);
      const quoted = columns.map(({ name }) => `"${name}"`).join(", ");
      const insert = file.prepare(
        `INSERT INTO ${table}(${quoted}) VALUES(${columns.map(() => "?").join(", ")})`,
      );
      for (const cells of tables[table] ?? []) insert.run(...cells);
    }
  });
}

/** Changes rows while no trigger acts on it, within the caller's transaction: nobody else ever sees the file so. */
export function withoutTriggers<Result>(file: Prepares, change: () => Result): Result {
  const triggers = file.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  for (const { name } of triggers) file.prepare(`DROP TRIGGER ${name}`).run();
  const result = change();
  for (const { sql } of triggers) file.prepare(sql).run();
  return result;
}
