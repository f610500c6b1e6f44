// How the format moves on:
// 1. Change `tables.ts` or `schema.ts` to what a file is to hold from now on.
// 2. Write `schema/versions/vN.ts`: the SQL that brings version N - 1 there, old rows and triggers included. It runs
//    without foreign keys; a journalled table's guards refuse its writes unless the step drops and remakes them.
// 3. Add it to `VERSIONS`. `npm test -- versions` names every statement by which the steps and `tables.ts` differ.
// 4. A version that was released is never edited: keep a file that its release wrote in `fixtures/manuscripts/`.
import { closeSync, openSync, renameSync, rmSync } from "node:fs";
import { Unavailable } from "../../refusals.ts";
import { type Connection, connect, type Statement } from "../driver.ts";
import { SCHEMA } from "./schema.ts";
import { V1 } from "./versions/v1.ts";
import { V2 } from "./versions/v2.ts";
import { V3 } from "./versions/v3.ts";

/** The steps from an empty file to today's, in order, as SQL; a file's version is how many were applied to it. */
export const VERSIONS: readonly string[] = [V1, V2, V3];

/**
 * Applies the steps that the file lacks, each in its own transaction, so that a stop in between leaves the old
 * version or the new one. A file that holds prose already is checked, then copied to `PATH-vN.backup`. Throws
 * `Unavailable` if its schema is not that of its version.
 */
export function migrate(connection: Connection, path: string, steps = VERSIONS): void {
  const from = versionOf(connection);
  if (from >= steps.length) return;
  if (from > 0) {
    assertSchemaIs(connection, replay(steps.slice(0, from)));
    backUp(connection, path, from);
  }
  const enforced = connection.pragma("foreign_keys", { simple: true });
  connection.pragma("foreign_keys = OFF"); // a table that is built anew would applyStep its children with it
  try {
    steps.slice(from).forEach((step, index) => {
      applyStep(connection, step, from + index + 1);
    });
  } finally {
    connection.pragma(`foreign_keys = ${enforced}`);
  }
  // The header's bytes are checked before SQLite opens the file, so they must not be waiting in the WAL.
  connection.pragma("wal_checkpoint(TRUNCATE)");
}

function applyStep(connection: Connection, step: string, version: number): void {
  const broken = () => (connection.pragma("foreign_key_check") as unknown[]).length;
  connection.exec("BEGIN IMMEDIATE");
  try {
    // Another program may have applied the step while this one waited for the lock.
    if (versionOf(connection) === version - 1) {
      const before = broken();
      connection.exec(step);
      if (broken() > before)
        throw new Error(`version ${version} leaves rows without the rows that they name`);
      connection.pragma(`user_version = ${version}`);
    }
    connection.exec("COMMIT");
  } catch (error) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}

// The copy comes to its name whole, and only if no other program took the step in the meantime.
function backUp(connection: Connection, path: string, version: number): void {
  const copy = `${path}-v${version}.${process.pid}.part`;
  rmSync(copy, { force: true });
  closeSync(openSync(copy, "wx", 0o600)); // SQLite would make it readable for everyone
  try {
    connection.prepare("VACUUM INTO ?").run(copy);
    if (versionOf(connection) === version) renameSync(copy, `${path}-v${version}.backup`);
  } finally {
    rmSync(copy, { force: true });
  }
}

/** A file that statements can be prepared for: a connection, or a store over one. */
export interface Prepares {
  prepare(sql: string): Statement;
}

function versionOf(file: Prepares): number {
  return file.prepare("PRAGMA user_version").pluck().get() as number;
}

/** Every statement that made what a file holds, SQLite's own apart. */
export function readSchema(file: Prepares): string[] {
  const made = file.prepare(
    "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
  );
  return made.pluck().all() as string[];
}

/** The statements of a schema that another has not, however they are spaced and quoted: SQLite quotes a new name. */
export function missingFrom(other: readonly string[], schema: readonly string[]): string[] {
  const normal = (sql: string) => sql.replace(/\s+/g, " ").replace(/"(\w+)"/g, "$1");
  const theirs = new Set(other);
  const unlike = schema.filter((sql) => !theirs.has(sql)); // mostly none, and then nothing is normalized
  if (unlike.length === 0) return [];
  const alike = new Set(other.map(normal));
  return unlike.filter((sql) => !alike.has(normal(sql)));
}

/** The schema that these steps come to. About 5 ms. */
export function replay(steps: readonly string[]): string[] {
  const connection = connect(":memory:");
  try {
    for (const step of steps) connection.exec(step);
    return readSchema(connection);
  } finally {
    connection.close();
  }
}

/**
 * Refuses a file whose tables, indexes or triggers are not those of its version: a foreign trigger would run with our
 * writes, and a missing one would leave them out of the journal.
 */
export function assertOurSchema(file: Prepares): void {
  const version = versionOf(file);
  assertSchemaIs(file, version === VERSIONS.length ? SCHEMA : replay(VERSIONS.slice(0, version)));
}

function assertSchemaIs(file: Prepares, ours: readonly string[]): void {
  const found = readSchema(file);
  if (missingFrom(ours, found).length === 0 && missingFrom(found, ours).length === 0) return;
  throw new Unavailable(
    "The file's schema is not that of a manuscript; something else has changed it. Restore a copy.",
  );
}
