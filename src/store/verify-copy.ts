import { createMint } from "../ids.ts";
import { rescuing, Unavailable } from "../refusals.ts";
import type { ProgressStep } from "../text/progress.ts";
import { listDamagedRows } from "./damage.ts";
import { sqliteCode } from "./file/driver.ts";
import { assertOurTables, schemaFaults, VERSIONS } from "./file/migrate.ts";
import { openToExamine } from "./file/open.ts";
import type { Sql } from "./file/sql.ts";

/** How much a manuscript's file holds, and its last write. */
export interface Holding {
  /** The number of the file's format. */
  format: number;
  books: number;
  words: number;
  acts: number;
  /** The last act; `at` in milliseconds since 1970. */
  last: { kind: string; source: string; at: number } | null;
  /** Another one if anything was written since, keys and credits too. */
  mark: string;
}

/**
 * Looks at a copy as a whole: that it opens as a manuscript, that SQLite finds every page in order, that the tables are
 * those of its version and that every row is what was written. Writes nothing. Throws `NotFound`, and `Unavailable` with what is wrong with the file that it was `madeOf`. 100 MB take about two seconds.
 */
export function verifyCopy(path: string, madeOf = path, step?: ProgressStep): Holding {
  const store = openToExamine(path, { clock: Date.now, mint: createMint() });
  try {
    return store.snapshot(() => {
      const format = Number(store.list("PRAGMA user_version")[0]);
      if (format === 0) throw new Unavailable(`${path} holds no manuscript: it is empty.`);
      const [flaw] = store.list<string>("PRAGMA quick_check(1)");
      if (flaw !== "ok") throw damaged(madeOf);
      step?.(60, 100);
      assertOurTables(schemaFaults(store));
      if (format === VERSIONS.length && listDamagedRows(store).length > 0) throw damaged(madeOf);
      step?.(100, 100);
      return readHolding(store, format);
    });
  } catch (error) {
    throw /^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(sqliteCode(error) ?? "") ? damaged(madeOf) : error;
  } finally {
    store.close();
  }
}

/** What a file says that it holds, unverified; undefined if it does not open or has not what is asked for. */
export function peek(path: string): Holding | undefined {
  try {
    const store = openToExamine(path, { clock: Date.now, mint: createMint() });
    try {
      return store.snapshot(() => readHolding(store, Number(store.list("PRAGMA user_version")[0])));
    } finally {
      store.close();
    }
  } catch {
    return undefined;
  }
}

function damaged(path: string): Unavailable {
  return new Unavailable(
    `${path} is damaged. Take another copy ("manuscript restore --list" shows which there are), or get out what is left of this one. Run: ${rescuing(path)}.`,
  );
}

function readHolding(sql: Sql, format: number): Holding {
  const one = (statement: string) => Number(sql.list(statement)[0]);
  return {
    format,
    books: one("SELECT count(*) FROM books"),
    words: one("SELECT coalesce(sum(word_count), 0) FROM chapters"),
    acts: one("SELECT count(*) FROM acts"),
    last: sql.get("SELECT kind, source, at FROM acts ORDER BY seq DESC LIMIT 1") ?? null,
    mark: format === VERSIONS.length ? readMark(sql) : "",
  };
}

/**
 * Tells what a file holds from what it held before: it is another after every act, and after a change to keys, credits
 * or settings, that no act is. When a key was used last does not count, nor does who signs in. About 50 µs.
 */
export function readMark(sql: Sql): string {
  return String(
    sql.list(
      `SELECT json_array((SELECT max(seq) FROM acts), (SELECT max(seq) FROM working_copies), (SELECT max(seq) FROM ledger),
         (SELECT count(*) FROM keys), (SELECT max(revoked_at) FROM keys), (SELECT count(revoked_at) FROM keys),
         (SELECT group_concat(name || value) FROM settings WHERE length(value) < 1000 AND name NOT GLOB 'page:*'))`,
    )[0],
  );
}
