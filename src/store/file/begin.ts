import { type Connection, isBusy, type Statement } from "../driver.ts";

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

/**
 * Returns what a transaction's function returned. Throws `TypeError` for a promise: the transaction would end before
 * its work.
 */
export function atOnce<Result>(result: Result): Result {
  if (
    typeof result === "object" &&
    result !== null &&
    "then" in result &&
    typeof result.then === "function"
  ) {
    throw new TypeError("A transaction's function returned a promise. Await first, then write at once.");
  }
  return result;
}
