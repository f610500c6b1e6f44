import { closeSync, openSync } from "node:fs";
import { Unavailable } from "../../refusals.ts";
import { type Connection, connect, sqliteCode } from "../driver.ts";
import { explainOpening } from "./open.ts";

/**
 * Takes the server's lock on a manuscript and returns what releases it. The kernel does so too when the process ends,
 * however it ends, so no stale lock is ever left: SQLite's own exclusive lock on a file beside the manuscript. The
 * command line needs none. Throws `Unavailable` if another server holds it.
 */
export function lockFile(path: string): () => void {
  const lock = `${path}-serve.lock`;
  let connection: Connection | undefined;
  try {
    closeSync(openSync(lock, "a", 0o600));
    connection = connect(lock, { timeout: 0 });
    connection.pragma("locking_mode = EXCLUSIVE");
    connection.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    connection?.close();
    if (sqliteCode(error)?.startsWith("SQLITE_BUSY")) {
      throw new Unavailable(`${path} is served by another process already; use that one, or stop it first.`);
    }
    throw explainOpening(error, path);
  }
  const held = connection;
  return () => held.close();
}
