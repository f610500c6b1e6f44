import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { NotFound, Unavailable } from "../../refusals.ts";
import { type Connection, connect, sqliteCode } from "../driver.ts";
import { assertOurSchema, migrate, VERSIONS } from "../schema/migrate.ts";
import { APPLICATION_ID } from "../schema/schema.ts";
import { Store, type StoreOptions } from "./store.ts";

/**
 * The writer's file, opened. Its header is read as bytes first: SQLite would turn a foreign database to WAL mode only by
 * opening it. Throws `NotFound` for a missing file and `Unavailable` for one that is foreign, newer or not writable.
 */
export function openStore(path: string, options: StoreOptions): Store {
  const isNew = !existsSync(path);
  if (isNew && !options.create) throw new NotFound(`manuscript file: ${path}`);
  if (isNew) reserve(path);
  else checkHeader(path);
  try {
    const connection = connect(path, { timeout: options.busyTimeoutMs ?? 5000 });
    return initialize(connection, path, options);
  } catch (error) {
    if (isNew) removeUnmade(path);
    throw explainOpening(error, path);
  }
}

/**
 * The file opened for reading only, as it is: nothing is set, migrated, checked or repaired, and no write succeeds.
 * Throws as `openStore` does.
 */
export function openToExamine(path: string, options: Pick<StoreOptions, "clock" | "mint">): Store {
  if (!existsSync(path)) throw new NotFound(`manuscript file: ${path}`);
  checkHeader(path);
  try {
    return new Store(connect(path, { readonly: true, fileMustExist: true }), path, options);
  } catch (error) {
    throw explainOpening(error, path);
  }
}

function initialize(connection: Connection, path: string, options: StoreOptions): Store {
  try {
    setPragmas(connection);
    migrate(connection, path);
    assertOurSchema(connection);
    return new Store(connection, path, options);
  } catch (error) {
    connection.close();
    throw error;
  }
}

// WAL files are reopened at synchronous=NORMAL by this build of SQLite, which loses acknowledged saves in a power cut.
function setPragmas(connection: Connection): void {
  if (connection.pragma("journal_mode", { simple: true }) !== "wal") connection.pragma("journal_mode = WAL");
  for (const setting of [
    "synchronous = FULL",
    "foreign_keys = ON",
    "recursive_triggers = ON",
    "trusted_schema = OFF",
    "cell_size_check = ON",
    "secure_delete = FAST",
    "journal_size_limit = 1048576",
    // A statement that fires many triggers would write its own rollback to a temporary file, page by page.
    "temp_store = MEMORY",
  ]) {
    connection.pragma(setting);
  }
  const FULL = 2;
  if (connection.pragma("synchronous", { simple: true }) !== FULL) {
    throw new Error("SQLite did not accept synchronous=FULL; saves would not be durable");
  }
}

function reserve(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    throw explainOpening(error, path);
  }
}

/** Removes a new file that no manuscript was written to, as on a full disk: the next try would take it for another program's. */
function removeUnmade(path: string): void {
  if (!isEmpty(readHeader(path))) return;
  for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
}

function readHeader(path: string): Buffer {
  const header = Buffer.alloc(100);
  const file = openSync(path, "r");
  const length = readSync(file, header, 0, 100, 0);
  closeSync(file);
  return header.subarray(0, length);
}

/** Whether no table was ever made in the file itself; its first writer's work may still be in the log. */
function isEmpty(header: Buffer): boolean {
  if (header.length === 0) return true;
  return (
    isSqlite(header) &&
    [SCHEMA_FORMAT, USER_VERSION, APPLICATION].every((at) => header.readUInt32BE(at) === 0)
  );
}

function isSqlite(header: Buffer): boolean {
  return header.length === 100 && header.toString("latin1", 0, 16) === "SQLite format 3\0";
}

// Where numbers are in a file's header, big-endian. Source: https://sqlite.org/fileformat.html.
const SCHEMA_FORMAT = 44;
const USER_VERSION = 60;
const APPLICATION = 68;

function checkHeader(path: string): void {
  if (!statSync(path).isFile()) throw new Unavailable(`${path} is not a file; name a .manuscript file.`);
  const header = readHeader(path);
  if (isEmpty(header)) return; // made a moment ago, or its maker was stopped: it holds nothing yet
  if (!isSqlite(header)) {
    throw new Unavailable(`${path} is not a manuscript; it was left as it is.`);
  }
  if (header.readUInt32BE(APPLICATION) !== APPLICATION_ID) {
    throw new Unavailable(`${path} is a database of another program; it was left as it is.`);
  }
  if (header.readUInt32BE(USER_VERSION) > VERSIONS.length) {
    throw new Unavailable(
      `${path} was written by a newer version of manuscript; update this one to open it.`,
    );
  }
}

/** Codes of SQLite and of the system, and the sentence for each; the first that fits counts. */
const EXPLANATIONS: readonly [code: RegExp, sentence: (path: string) => string][] = [
  [/^SQLITE_(NOTADB|CORRUPT)/, (path) => `${path} is damaged: SQLite cannot read it. Restore a copy.`],
  [
    /^(EACCES|EROFS|EPERM|SQLITE_READONLY|SQLITE_CANTOPEN)/,
    (path) => `${path} cannot be written: its folder ${dirname(path)} or the file is read-only.`,
  ],
  [
    /^EEXIST$/,
    (path) => `${path} cannot be made: a link to nowhere stands there. Remove it, or name another file.`,
  ],
  [/^ENOENT$/, (path) => `${path} cannot be made: the folder ${dirname(path)} does not exist.`],
  [
    /^(SQLITE_FULL|ENOSPC|EDQUOT)/,
    (path) => `${path} cannot be written: its disk is full. Make room and run this again.`,
  ],
  [/^SQLITE_IOERR/, (path) => `${path} cannot be used: its disk failed. Check it and try again.`],
];

/** The refusal that an error at opening a file means, or the error itself. */
export function explainOpening(error: unknown, path: string): unknown {
  const code = sqliteCode(error) ?? (error as NodeJS.ErrnoException).code ?? "";
  const found = EXPLANATIONS.find(([pattern]) => pattern.test(code));
  return found === undefined ? error : new Unavailable(found[1](path));
}

/**
 * Takes the server's lock on a manuscript and returns what releases it. The kernel does so too when the process ends,
 * however it ends, so no stale lock remains: SQLite's own exclusive lock on a file next to the manuscript. The
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
  const locked = connection;
  return () => locked.close();
}
