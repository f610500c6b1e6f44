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
