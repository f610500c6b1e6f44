import { createRequire } from "node:module";
import type SQLite from "better-sqlite3";
import { Unavailable } from "../refusals.ts";

/** An open connection of better-sqlite3. No other file imports the package. */
export type Connection = SQLite.Database;
/** A prepared statement, its values untyped: the row functions beside it state what they give. */
export type Statement = SQLite.Statement<unknown[], unknown>;

// better-sqlite3 13 is built against Node-API 10 and ends older Nodes with a segmentation fault, not with an error.
const NAPI_OF_13 = 10;

/**
 * An open connection. Throws `Unavailable` with a one-line cure where the binding is missing (npm 12 and later skip
 * install scripts) or where loading it would end the program. Source: WiseLibs/better-sqlite3#1514.
 */
export function connect(path: string, options: SQLite.Options = {}): Connection {
  const require = createRequire(import.meta.url);
  const major = Number.parseInt(require("better-sqlite3/package.json").version, 10);
  if (major >= 13 && Number(process.versions.napi) < NAPI_OF_13) {
    throw new Unavailable(
      `better-sqlite3 ${major} does not run on Node ${process.versions.node}; run "npm install better-sqlite3@12" or use Node 22.14 or later.`,
    );
  }
  try {
    const Database = require("better-sqlite3") as typeof SQLite;
    return new Database(path, options);
  } catch (error) {
    if (
      error instanceof Error &&
      /bindings file|NODE_MODULE_VERSION|was compiled against/.test(error.message)
    ) {
      throw new Unavailable(
        'SQLite\'s binding for this Node is missing; run "npm rebuild better-sqlite3 --allow-scripts=better-sqlite3" once.',
      );
    }
    throw error;
  }
}

/** SQLite's error code such as `SQLITE_BUSY`, or undefined for any other error. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== "SqliteError") return undefined;
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}
