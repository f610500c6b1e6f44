import { createRequire } from "node:module";
import type SQLite from "better-sqlite3";
import { Unavailable } from "../../refusals.ts";
import { type Hashed, ROWS_HASH, rowHash } from "./hashes.ts";

/** An open connection of better-sqlite3. No other file imports the package. */
export type Connection = SQLite.Database;
/** A prepared statement, its values untyped: the functions over the rows state the types. */
export type Statement = SQLite.Statement<unknown[], unknown>;

// better-sqlite3 13 is built against Node-API 10 and ends older Nodes with a segmentation fault, so the choice comes
// before loading. 12 ends Node 24.19 and later with an abort. Source: docs/decisions/010-sqlite-binding.md.
const NAPI_OF_13 = 10;
const NAME_OF_13 = "better-sqlite3";
const NAME_OF_12 = "better-sqlite3-node20";

/**
 * An open connection to a file, or to a file's bytes in memory, by better-sqlite3 13 or, on Node 20, by 12 (an optional
 * dependency under the name better-sqlite3-node20). Throws `Unavailable` with the cure in one sentence if its binding is
 * missing or does not load.
 */
export function connect(path: string | Buffer, options: SQLite.Options = {}): Connection {
  const has13 = Number(process.versions.napi) >= NAPI_OF_13;
  try {
    const Database: typeof SQLite = require(has13 ? NAME_OF_13 : NAME_OF_12);
    return withHashes(new Database(path, options));
  } catch (error) {
    if (isUnloaded(error)) throw new Unavailable(has13 ? cureOf13() : cureOf12());
    throw error;
  }
}

/** SQLite's version, such as "3.50.4". Throws as `connect` does. */
export function sqliteVersion(): string {
  const connection = connect(":memory:");
  try {
    return String(connection.prepare("SELECT sqlite_version()").pluck().get());
  } finally {
    connection.close();
  }
}

/** The refusal of `connect` where SQLite does not load, whatever the file; undefined where it does. */
export function whyUnloaded(): Unavailable | undefined {
  try {
    connect(":memory:").close();
    return undefined;
  } catch (error) {
    if (error instanceof Unavailable) return error;
    throw error;
  }
}

const require = createRequire(import.meta.url);

/** The functions `row_hash(...)` and `rows_hash(...)` for SQL, steps of the format included; never within a trigger. */
function withHashes(connection: Connection): Connection {
  const options = { deterministic: true, directOnly: true };
  // SQLite takes a number of JavaScript for a fraction.
  const rowInteger = (...values: unknown[]) => BigInt(rowHash(...(values as Hashed[])));
  const result = (sum: Parameters<typeof ROWS_HASH.result>[0]) => BigInt(ROWS_HASH.result(sum));
  connection.function("row_hash", { varargs: true, ...options }, rowInteger);
  connection.aggregate("rows_hash", { ...options, ...ROWS_HASH, result });
  return connection;
}

/** Whether another program has what was asked for. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error)?.startsWith("SQLITE_BUSY") === true;
}

/** SQLite's error code such as `SQLITE_BUSY`, or undefined for any other error. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== "SqliteError") return undefined;
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Whether the package or its binding is missing, or is one of another Node, processor or C library. */
function isUnloaded(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  // 12 finds its binding with the package `bindings`, whose error has no code.
  return code === "MODULE_NOT_FOUND" || code === "ERR_DLOPEN_FAILED" || /bindings file/.test(error.message);
}

function cureOf13(): string {
  const { platform, arch, versions } = process;
  return `SQLite does not load in Node ${versions.node} on ${platform}-${arch}: run "npm ci" with this Node; if that does not help, compile it with "npm explore better-sqlite3 -- npm run build-release".`;
}

function cureOf12(): string {
  return `SQLite does not load in Node ${process.versions.node}: use Node 22.14 or later, or, on Node 20, install python3, make and g++ and run "npm ci" again.`;
}

/** Within so many milliseconds SQLite looks after 1, 2, 5 and 10. Source: https://github.com/sqlite/sqlite/blob/master/src/main.c. */
const OFTEN_MS = 18;

/**
 * Begins a transaction, once no other program writes. SQLite waits as long as the connection says, but looks ten times a second,
 * and may find a file free at no look that another program writes all the time: so it is looked more often, for as long again.
 * Throws SQLite's own error then.
 */
export function beginOnceFree(connection: Connection, begin: Statement, busyTimeoutMs: number): void {
  try {
    begin.run();
    return;
  } catch (error) {
    if (busyTimeoutMs === 0 || !isBusy(error)) throw error;
  }
  connection.pragma(`busy_timeout = ${OFTEN_MS}`);
  try {
    for (const end = performance.now() + busyTimeoutMs; ; )
      try {
        begin.run();
        return;
      } catch (error) {
        if (performance.now() >= end || !isBusy(error)) throw error;
      }
  } finally {
    connection.pragma(`busy_timeout = ${busyTimeoutMs}`);
  }
}
