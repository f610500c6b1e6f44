// How the format moves on:
// 1. Change `tables.ts` or `schema.ts` to what a file is to hold from now on.
// 2. Write `schema/versions/vN.ts`: the SQL that brings version N - 1 there, old rows and triggers included. It runs
//    without foreign keys; a journalled table's guards refuse its writes unless the step drops and remakes them.
// 3. Add it to `VERSIONS`. `npm test -- versions` names every statement by which the steps and `tables.ts` differ.
// 4. A version that was released is never edited: keep a file that its release wrote in `fixtures/manuscripts/`.
import { closeSync, openSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fsyncFile, fsyncFolder, renameFile } from "../../disk.ts";
import { rescuing, Unavailable } from "../../refusals.ts";
import { isAlive } from "../../text/alive.ts";
import { schemaCookie } from "./disk/raw-file.ts";
import { type Connection, connect, isBusy, type Statement } from "./driver.ts";
import { shortenHistory } from "./migrate/shorten-history.ts";
import { APPLICATION_ID, FIRST_ROWS, SCHEMA } from "./schema.ts";
import { V1 } from "./versions/v1.ts";
import { V2 } from "./versions/v2.ts";
import { V3 } from "./versions/v3.ts";
import { V4 } from "./versions/v4.ts";
import { V5 } from "./versions/v5.ts";
import { V6 } from "./versions/v6.ts";

/** A step of the format: SQL, and what is done before it to rows that SQL cannot rewrite. */
export type FormatStep = string | { rewrite: (connection: Connection) => void; sql: string };

/** The steps from an empty file to today's, in order; a file's version is how many were applied to it. */
export const VERSIONS: readonly FormatStep[] = [V1, V2, V3, V4, { rewrite: shortenHistory, sql: V5 }, V6];

/** Applies one step, in the caller's transaction. */
export function runStep(connection: Connection, step: FormatStep): void {
  if (typeof step === "string") {
    connection.exec(step);
    return;
  }
  step.rewrite(connection);
  connection.exec(step.sql);
}

/**
 * Applies the steps that the file lacks, each in its own transaction, so that a stop in between leaves the old
 * version or the new one. A file that holds prose already is checked, then copied to `PATH-vN.backup`; without a path, in
 * memory, it is not. `warn` is told of one that takes a while. Throws `Unavailable` if its schema is not that of its version.
 */
export function migrate(
  connection: Connection,
  path: string | undefined,
  steps = VERSIONS,
  warn: (message: string) => void = () => {},
): void {
  const from = versionOf(connection);
  if (from >= steps.length) return;
  if (from > 0) {
    const faults = compareSchema(connection, replay(steps.slice(0, from)));
    if (faults.lacking.length + faults.harmful.length > 0) throw new Unavailable(explainFaults(faults));
    if (path !== undefined) {
      const bytes = numberIn(connection, "page_count") * numberIn(connection, "page_size");
      const seconds = Math.ceil(bytes / BYTES_A_SECOND);
      if (seconds >= LONG_SECONDS) warn(longMigration(path, from, seconds));
      backUp(connection, path, from);
    }
  }
  const enforced = connection.pragma("foreign_keys", { simple: true });
  connection.pragma("foreign_keys = OFF"); // a table that is built anew would applyStep its children with it
  try {
    if (from === 0 && steps === VERSIONS) makeNew(connection);
    else
      steps.slice(from).forEach((step, index) => {
        applyStep(connection, step, from + index + 1);
      });
  } finally {
    connection.pragma(`foreign_keys = ${enforced}`);
  }
  if (from > 0 && path !== undefined) giveBack(connection);
  // The header's bytes are checked before SQLite opens the file, so they must not be waiting in the WAL.
  connection.pragma("wal_checkpoint(TRUNCATE)");
}

/** Makes a file smaller whose greater part a step has freed; if another program has it open, another time. */
function giveBack(connection: Connection): void {
  if (numberIn(connection, "freelist_count") < numberIn(connection, "page_count") / 2) return;
  try {
    connection.exec("VACUUM");
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

function numberIn(connection: Connection, pragma: string): number {
  return Number(connection.pragma(pragma, { simple: true }));
}

/** So much of a file is brought up to date in a second, about: measured with formats 3 and 4, the copy included. */
const BYTES_A_SECOND = 20e6;
/** A shorter wait needs no word. */
const LONG_SECONDS = 2;

function longMigration(path: string, from: number, seconds: number): string {
  return `${path} has an older format. Bringing it up to date takes about ${seconds} seconds; it is kept as it was in ${path}-v${from}.backup.`;
}

/** A new file is made as it is today, at once: to alter it from version to version costs five times as much. */
function makeNew(connection: Connection): void {
  connection.exec("BEGIN IMMEDIATE");
  try {
    // Another program may have made it while this one waited for the lock.
    if (versionOf(connection) === 0) {
      connection.exec([...SCHEMA, ...FIRST_ROWS].join(";"));
      connection.pragma(`application_id = ${APPLICATION_ID}`);
      connection.pragma(`user_version = ${VERSIONS.length}`);
    }
    connection.exec("COMMIT");
  } catch (error) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}

function applyStep(connection: Connection, step: FormatStep, version: number): void {
  const broken = () => (connection.pragma("foreign_key_check") as unknown[]).length;
  connection.exec("BEGIN IMMEDIATE");
  try {
    // Another program may have applied the step while this one waited for the lock.
    if (versionOf(connection) === version - 1) {
      const before = broken();
      runStep(connection, step);
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

// The copy comes to its name whole, checked and on the disk, and only if no other program took the step in the meantime.
function backUp(connection: Connection, path: string, version: number): void {
  const copy = `${path}-v${version}.${process.pid}.part`;
  removeLeft(path);
  closeSync(openSync(copy, "wx", 0o600)); // SQLite would make it readable for everyone
  try {
    connection.prepare("VACUUM INTO ?").run(copy);
    assertCopyIs(copy, version);
    fsyncFile(copy);
    if (versionOf(connection) !== version) return;
    renameFile(copy, `${path}-v${version}.backup`);
    fsyncFolder(dirname(path));
  } finally {
    rmSync(copy, { force: true });
  }
}

/** Removes copies that killed processes did not bring to their names; each is as large as the file. */
function removeLeft(path: string): void {
  const own = `${basename(path)}-v`;
  for (const name of readdirSync(dirname(path))) {
    const pid = name.startsWith(own)
      ? /^\d+\.(\d+)\.part(?:-journal)?$/.exec(name.slice(own.length))?.[1]
      : undefined;
    if (pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid))))
      rmSync(join(dirname(path), name), { force: true });
  }
}

function assertCopyIs(path: string, version: number): void {
  const copy = connect(path, { readonly: true });
  try {
    const found = copy.pragma("quick_check", { simple: true });
    if (found === "ok" && versionOf(copy) === version) return;
  } finally {
    copy.close();
  }
  throw new Unavailable(
    `The copy that is kept of ${path.replace(/-v\d+\.\d+\.part$/, "")} before it is brought up to date could not be read back; nothing was changed. Check the disk with "manuscript doctor", and try again.`,
  );
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
export function replay(steps: readonly FormatStep[]): string[] {
  const connection = connect(":memory:");
  try {
    for (const step of steps) runStep(connection, step);
    return readSchema(connection);
  } finally {
    connection.close();
  }
}

/** A table, index, trigger or view, by SQLite's own list. */
interface SchemaObject {
  type: "table" | "index" | "trigger" | "view";
  name: string;
  sql: string;
}

/** How a file's schema differs from that of its version. */
export interface SchemaFaults {
  /** Our statements that the file lacks, or has otherwise. */
  lacking: readonly string[];
  /** What others have put in and what would act on our writes: triggers, views, unique indexes of our tables. */
  harmful: readonly SchemaObject[];
  /** What others have put in and what does not: tables, as Litestream's, and indexes. */
  harmless: readonly SchemaObject[];
}

/** How a file's schema differs from that of its version. */
export function schemaFaults(file: Prepares): SchemaFaults {
  return compareSchema(file, schemaOf(versionOf(file)));
}

function schemaOf(version: number): readonly string[] {
  return version === VERSIONS.length ? SCHEMA : replay(VERSIONS.slice(0, version));
}

function compareSchema(file: Prepares, ours: readonly string[]): SchemaFaults {
  const found = readSchema(file);
  const lacking = missingFrom(found, ours);
  const strange = new Set(missingFrom(ours, found));
  if (strange.size === 0) return { lacking, harmful: [], harmless: [] };
  const objects = file
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    .all() as SchemaObject[];
  const strangers = objects.filter(({ sql }) => strange.has(sql));
  const acts = ({ type, sql }: SchemaObject) =>
    type === "trigger" || type === "view" || (type === "index" && /^CREATE UNIQUE/i.test(sql));
  return {
    lacking,
    harmful: strangers.filter(acts),
    harmless: strangers.filter((object) => !acts(object)),
  };
}

const MEND =
  "Run: manuscript doctor --mend. It takes out what is foreign and makes anew what is missing; the text stays.";

/** Why a file with such a schema takes no write; undefined if it does. */
export function whyReadOnly(faults: SchemaFaults): string | undefined {
  return faults.lacking.length + faults.harmful.length === 0 ? undefined : explainFaults(faults);
}

/** Such faults in a sentence, and what to do. */
function explainFaults(faults: SchemaFaults): string {
  const foreign = faults.harmful.map(({ type, name }) => `the ${type} ${name}`);
  const missing = faults.lacking.map((sql) => /^CREATE (?:UNIQUE )?(\w+ \w+)/.exec(sql)?.[1]?.toLowerCase());
  const named = [
    ...(foreign.length > 0 ? [`${listed(foreign)} ${foreign.length > 1 ? "are" : "is"} not its own`] : []),
    ...(missing.length > 0
      ? [`${listed(missing)} ${missing.length > 1 ? "are" : "is"} missing or changed`]
      : []),
  ].join(", ");
  const remedy = lacksTable(faults) ? `Run: ${rescuing()}.` : MEND;
  return `The file's schema is not that of a manuscript; something else has changed it: ${named}. Nothing is written to it. ${remedy}`;
}

function listed(names: readonly unknown[]): string {
  return `${names.slice(0, 3).join(", ")}${names.length > 3 ? ` and ${names.length - 3} more` : ""}`;
}

/** Whether a table of ours is missing or another: then not even reading can be relied on. */
function lacksTable({ lacking }: SchemaFaults): boolean {
  return lacking.some((sql) => /^CREATE TABLE/.test(sql));
}

/**
 * Refuses a file whose tables are not those of its version. Throws `Unavailable`; see `whyReadOnly` for what else may be wrong.
 */
export function assertOurTables(faults: SchemaFaults): void {
  if (lacksTable(faults)) throw new Unavailable(explainFaults(faults));
}

/**
 * Takes out what others have put in and what would act on our writes, and makes anew the indexes and triggers of ours that are missing or
 * changed; tables and rows stay as they are. One transaction. Returns a line for each; throws `Unavailable` if a table of ours is
 * not as it should be.
 */
export function mendSchema(file: Prepares): string[] {
  const faults = schemaFaults(file);
  assertOurTables(faults);
  if (whyReadOnly(faults) === undefined) return [];
  const run = (sql: string) => file.prepare(sql).run();
  run("SAVEPOINT mend");
  try {
    for (const { type, name } of faults.harmful) run(`DROP ${type} "${name.replaceAll('"', '""')}"`);
    for (const sql of faults.lacking) {
      run(sql.replace(/^CREATE (?:UNIQUE )?(\w+) (\w+).*$/s, "DROP $1 IF EXISTS $2")); // one of that name that is another
      run(sql);
    }
    run("RELEASE mend");
  } catch (error) {
    run("ROLLBACK TO mend");
    run("RELEASE mend");
    throw error;
  }
  return [
    ...faults.harmful.map(({ type, name }) => `took out the ${type} ${name}`),
    ...faults.lacking.map(
      (sql) => `made ${/^CREATE (?:UNIQUE )?(\w+ \w+)/.exec(sql)?.[1]?.toLowerCase()} anew`,
    ),
  ];
}

interface WatchedFile {
  path: string;
  prepare(sql: string): Statement;
}

/** The schema of an open file, which another program may change: it is judged as opening judges it. */
export class WatchedSchema {
  readonly #file: WatchedFile;
  #judged: number | undefined;
  #refusal: string | undefined;

  /** Of a file that was judged at opening: when that number was read, and why nothing is written to it, if so. */
  constructor(
    file: WatchedFile,
    { schema, refusal }: { schema?: number | undefined; refusal?: string | undefined },
  ) {
    this.#file = file;
    this.#judged = schema;
    this.#refusal = refusal;
  }

  /** SQLite's number for the schema that was judged last; undefined where nothing is ever written. */
  get judged(): number | undefined {
    return this.#judged;
  }

  /** Why nothing is written to the file, if so, as it was looked at last. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  /** Judges the schema anew if it has changed, 2 µs if not. Throws `Unavailable` if a table of ours is missing or another. */
  look(): void {
    if (this.#judged === undefined) return;
    const now = schemaCookie((sql) => this.#file.prepare(sql));
    if (now === this.#judged) return;
    this.assertFormat();
    const faults = schemaFaults(this.#file);
    assertOurTables(faults);
    this.#refusal = whyReadOnly(faults);
    this.#judged = now;
  }

  /** Throws `Unavailable` if nothing may be written to the file. */
  assertWritable(): void {
    this.look();
    if (this.#refusal !== undefined) throw new Unavailable(this.#refusal);
  }

  /** Throws `Unavailable` for another format: its triggers would journal columns unknown to this program, or leave out some of its own. */
  assertFormat(): void {
    const version = this.#file.prepare("PRAGMA user_version").pluck().get();
    if (version === VERSIONS.length) return;
    throw new Unavailable(
      `${this.#file.path} was brought up to date by a newer version of manuscript. Nothing was written; update this one.`,
    );
  }
}
