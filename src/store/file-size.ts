import type { Sql } from "./file/sql.ts";

/** The size of a manuscript on the disk. */
export interface FileSize {
  bytes: number;
  /** Of that, what its history takes: every save, and what each one changed. */
  historyBytes: number;
  saves: number;
}

const HISTORY = ["acts", "ids", "journal_entries", "revision_entries", "progress_entries"];

/** Measures an open file whose log is taken in. Looks at every page. */
export function readFileSize(sql: Sql): FileSize {
  const one = (statement: string, ...values: unknown[]) => Number(sql.list(statement, ...values)[0]);
  return {
    bytes: one("PRAGMA page_count") * one("PRAGMA page_size"),
    historyBytes: one(
      `SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE aggregate = TRUE AND name IN
         (SELECT name FROM sqlite_schema WHERE tbl_name IN (SELECT value FROM json_each(?)))`,
      JSON.stringify(HISTORY),
    ),
    saves: one("SELECT count(*) FROM acts"),
  };
}
