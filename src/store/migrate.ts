import { existsSync, rmSync } from "node:fs";
import { Unavailable } from "../refusals.ts";
import type { Connection, Statement } from "./driver.ts";
import { APPLICATION_ID, SCHEMA } from "./schema.ts";

/** One step of the file's format; it runs inside a transaction that also raises `user_version`. */
export type Migration = (connection: Connection) => void;

/** The steps from an empty file to today's, in order; the file's version is how many it has taken. */
export const MIGRATIONS: readonly Migration[] = [
  (connection) => {
    for (const statement of SCHEMA) connection.exec(statement);
    connection.exec("INSERT INTO current_act(one, seq) VALUES(1, NULL)");
    connection.pragma(`application_id = ${APPLICATION_ID}`);
  },
];

/**
 * Takes the steps that the file has not taken, each in its own transaction, so that a stop in between leaves the old
 * version or the new one. A file that already holds prose is first copied to `PATH.vN.backup`.
 */
export function migrate(connection: Connection, path: string, steps: readonly Migration[]): void {
  const from = connection.pragma("user_version", { simple: true }) as number;
  if (from >= steps.length) return;
  if (from > 0) backUp(connection, `${path}-v${from}.backup`);
  for (let version = from; version < steps.length; version++) {
    connection.exec("BEGIN IMMEDIATE");
    try {
      // Another program may have taken the step while this one waited for the lock.
      if ((connection.pragma("user_version", { simple: true }) as number) === version) {
        steps[version]!(connection); // version < steps.length
        connection.pragma(`user_version = ${version + 1}`);
      }
      connection.exec("COMMIT");
    } catch (error) {
      if (connection.inTransaction) connection.exec("ROLLBACK");
      throw error;
    }
  }
  // The header's bytes are checked before SQLite opens the file, so they must not be waiting in the WAL.
  connection.pragma("wal_checkpoint(TRUNCATE)");
}

function backUp(connection: Connection, target: string): void {
  if (existsSync(target)) rmSync(target);
  connection.prepare("VACUUM INTO ?").run(target);
}

/** The statements that made what a file holds, SQLite's own apart. */
const FOUND =
  "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";

/**
 * Refuses a file whose tables, indexes or triggers are not ours: a foreign trigger would run with our writes, and a
 * missing one would leave them out of the journal.
 */
export function assertOurSchema(file: { prepare(sql: string): Statement }): void {
  const found = file.prepare(FOUND).pluck().all() as string[];
  const ours = new Set(SCHEMA);
  if (found.length !== ours.size || !found.every((sql) => ours.has(sql))) {
    throw new Unavailable(
      "The file's schema is not that of a manuscript; something else has changed it. Restore a copy.",
    );
  }
}
