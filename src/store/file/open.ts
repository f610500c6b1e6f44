import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { identityOf, pause } from "../../disk.ts";
import { NewerFormat, NotFound, Refusal, rescuing, Unavailable } from "../../refusals.ts";
import { HEADER_BYTES, type Header, openRaw, readHeader, readStamp, schemaCookie } from "./disk/raw-file.ts";
import { type Connection, connect, isBusy } from "./driver.ts";
import { codeOf, explainOpening } from "./explain.ts";
import { listFrames, readLog } from "./log.ts";
import { assertOurTables, mendSchema, migrate, schemaFaults, VERSIONS, whyReadOnly } from "./migrate.ts";
import { openImage } from "./open/image.ts";
import {
  assertLogNotLeft,
  assertLogThere,
  assertLogUnbroken,
  assertNotOpenElsewhere,
  assertOwnLog,
  foreignLog,
  movedFrom,
} from "./own-log.ts";
import { BUSY_TIMEOUT_MS, Store, type StoreOptions } from "./store.ts";

/**
 * The writer's file, opened. Its header is read as bytes first: SQLite would turn a foreign database to WAL mode only by
 * opening it. Where nothing can be written, or strangers have put triggers into it, it is opened for reading, and every write is
 * refused. Throws `NotFound` for a missing file and `Unavailable` for one that is foreign, newer, or not what its log was written for.
 */
export function openStore(path: string, options: StoreOptions): Store {
  const isMissing = !existsSync(path);
  if (isMissing && !options.create) throw new NotFound(`manuscript file: ${path}`);
  if (isMissing) assertNoLog(path);
  const isNew = isMissing && reserve(path);
  if (!isNew) checkBytes(path, options);
  const refusal = isNew ? undefined : whyNotWritten(path);
  if (refusal !== undefined) return openForReading(path, options, refusal);
  try {
    return openOnceFree(path, options);
  } catch (error) {
    if (isNew) removeUnmade(path);
    const explained = explainOpening(error, path);
    if (isNew || !UNWRITABLE.test(codeOf(error)) || !(explained instanceof Error)) throw explained;
    return openForReading(path, options, explained.message);
  }
}

/** The file opened for writing, once no other program makes it, takes its log in or holds it alone. */
function openOnceFree(path: string, options: StoreOptions): Store {
  const timeout = options.busyTimeoutMs ?? BUSY_TIMEOUT_MS;
  return connectOnceFree(path, { timeout }, (connection) => initialize(connection, path, options));
}

/**
 * Connects to a file and runs `open`, again and again while another program is in the way. It never waits with the file open: who
 * holds a file alone may put another one in its place, and SQLite would go on with the old one under the name of the new.
 */
function connectOnceFree<Opened>(
  path: string,
  { timeout, readonly = false }: { timeout: number; readonly?: boolean },
  open: (connection: Connection) => Opened,
): Opened {
  for (const end = performance.now() + timeout; ; pause(OPENING_LOOK_MS)) {
    const file = identityOf(path);
    const connection = connect(path, { readonly, timeout: 0 });
    try {
      connection.pragma("user_version");
      connection.pragma(`busy_timeout = ${timeout}`);
      if (identityOf(path) === file) return open(connection);
      connection.close();
    } catch (error) {
      connection.close();
      if (performance.now() >= end || !isBusy(error)) throw error;
    }
  }
}

const OPENING_LOOK_MS = 10;

/** What is wrong where a file can be read, and nothing be written beside it. */
const UNWRITABLE =
  /^(EACCES|EROFS|EPERM|ENOSPC|EDQUOT|SQLITE_(READONLY|CANTOPEN|FULL|IOERR_(SHM|WRITE|LOCK|TRUNCATE|FSYNC)))/;

/**
 * The file opened for reading only, as it is: nothing is set, migrated, checked or repaired, and no write succeeds.
 * Throws as `openStore` does.
 */
export function openToExamine(path: string, options: Pick<StoreOptions, "clock" | "mint">): Store {
  if (!existsSync(path)) throw new NotFound(`manuscript file: ${path}`);
  checkBytes(path, {});
  const refusal = whyNotWritten(path);
  if (refusal !== undefined) return openForReading(path, options, refusal);
  try {
    // Who only reads leaves what SQLite shares among readers behind; who may write would take a log in.
    const readonly = hasLog(path);
    return connectOnceFree(path, { timeout: BUSY_TIMEOUT_MS, readonly }, (connection) => {
      connection.pragma("query_only = ON");
      assertLogHere(connection, path);
      return new Store(connection, path, options);
    });
  } catch (error) {
    throw explainOpening(error, path);
  }
}

function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Refuses what `assertLogNotLeft` refuses, and closes it. */
function assertLogHere(connection: Connection, path: string): void {
  try {
    assertLogNotLeft(path, (sql) => connection.prepare(sql));
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** As `movedFrom`, of a file that is not open. */
export function movedFromOf(path: string): string | undefined {
  const connection = connect(path, { readonly: hasLog(path), fileMustExist: true });
  try {
    return movedFrom(path, (sql) => connection.prepare(sql));
  } finally {
    connection.close();
  }
}

/** Mends the schema of a file that nothing else has open, as `mendSchema`. */
export function mendSchemaOf(path: string): string[] {
  const connection = connect(path);
  try {
    return mendSchema(connection);
  } finally {
    connection.close();
  }
}

function openForReading(path: string, options: StoreOptions, refusal: string): Store {
  try {
    const connection = openImage(path);
    assertLogHere(connection, path);
    return new Store(connection, path, options, { refusal });
  } catch (error) {
    throw explainOpening(error, path);
  }
}

/** Why nothing is written to a file, in words; undefined if it may be. */
function whyNotWritten(path: string): string | undefined {
  if (isMounted(path))
    return `${path} is mounted by itself, and its log would not be that of who opens it where it comes from, nor stay with it. Nothing was written; mount its folder instead. Reading and exporting work.`;
  if (mayWrite(path)) return undefined;
  return `${path} cannot be written: its folder ${dirname(path)} or the file is read-only. Nothing was written; reading and exporting work.`;
}

const MOUNT_POINT = 4;

/**
 * True if a file is mounted by itself, as a container may be given it. What lies beside it there is in another folder than what
 * lies beside it where it comes from, and the kernel does not tell that both are one. Linux alone lists what is mounted.
 */
function isMounted(path: string): boolean {
  try {
    const escaped = realpathSync(path).replace(
      /[\s\\]/g,
      (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
    );
    const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
    return mounts.some((line) => line.split(" ", MOUNT_POINT + 1)[MOUNT_POINT] === escaped);
  } catch {
    return false;
  }
}

/** Whether this user may write the file, and beside it. */
function mayWrite(path: string): boolean {
  try {
    for (const place of [path, dirname(path)]) accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function initialize(connection: Connection, path: string, options: StoreOptions): Store {
  try {
    assertLogNotLeft(path, (sql) => connection.prepare(sql));
    setPragmas(connection);
    connection.pragma(`cache_size = ${-1024 * (options.cacheMib ?? CACHE_MIB)}`);
    migrate(connection, path, VERSIONS, options.warn);
    removeSecondName(path);
    const schema = schemaCookie((sql) => connection.prepare(sql)); // before what it is the number of
    const faults = schemaFaults(connection);
    assertOurTables(faults);
    return new Store(connection, path, options, { isWatched: true, refusal: whyReadOnly(faults), schema });
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Removes the further name that a restore or a compaction gave this file, and was stopped before another one took its place. To be
 * called once the file was read: while such a program is at work nobody else can.
 */
function removeSecondName(path: string): void {
  if (statSync(path).nlink < 2) return;
  const real = realpathSync(path);
  const [folder, start] = [dirname(real), `${basename(real)}-until-`];
  for (const name of readdirSync(folder).filter((one) => one.startsWith(start)))
    if (identityOf(join(folder, name)) === identityOf(real)) rmSync(join(folder, name));
}

/**
 * Taken as it is needed. A long act that does not fit writes its pages to the log again and again, and others wait for it: a
 * chapter of 20,000 paragraphs takes a third less with 64 MiB than with 2.
 */
const CACHE_MIB = 64;

// WAL files are reopened at synchronous=NORMAL by this build of SQLite, which loses acknowledged saves in a power cut.
function setPragmas(connection: Connection): void {
  if (connection.pragma("journal_mode", { simple: true }) !== "wal") connection.pragma("journal_mode = WAL");
  const settings = [
    "synchronous = FULL",
    "fullfsync = ON", // without it the fsync of macOS leaves a save in the drive's cache; no other system knows it
    "foreign_keys = ON",
    "recursive_triggers = ON",
    "trusted_schema = OFF",
    "cell_size_check = ON",
    "secure_delete = FAST",
    "journal_size_limit = 1048576",
    // A statement that fires many triggers would write its own rollback to a temporary file, page by page.
    "temp_store = MEMORY",
  ];
  connection.exec(settings.map((setting) => `PRAGMA ${setting}`).join(";"));
  const FULL = 2;
  if (connection.pragma("synchronous", { simple: true }) !== FULL) {
    throw new Error("SQLite did not accept synchronous=FULL; saves would not be durable");
  }
}

/** Refuses to make a file beside a log that was left there: SQLite would delete it. */
function assertNoLog(path: string): void {
  if (readLog(path) === undefined) return;
  throw new Unavailable(
    `${path} cannot be made: ${path}-wal holds the newest saves of a manuscript that was moved away from here. Move that back, or take its saves in where it is with "manuscript restore FILE"; or move the log away.`,
  );
}

/** True if it made the file, false if another program did so meanwhile. */
function reserve(path: string): boolean {
  try {
    closeSync(openSync(path, "wx", 0o600));
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST" && existsSync(path)) return false; // no link that leads nowhere
    throw explainOpening(error, path);
  }
}

/** Removes a new file that no manuscript was written to, as on a full disk: the next try would take it for another program's. */
function removeUnmade(path: string): void {
  if (!headerOf(path).isBlank) return;
  for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
}

function headerOf(path: string): Header {
  const file = openRaw(path);
  try {
    return readHeader(file.read(0, HEADER_BYTES));
  } finally {
    file.close();
  }
}

/** Refuses, before SQLite sees it, a file that is not a manuscript, is one of a newer version, or lies beside another's log. */
function checkBytes(path: string, { create = false }: Pick<StoreOptions, "create">): void {
  const stat = statSync(path);
  if (!stat.isFile()) throw new Unavailable(`${path} is not a file; name a .manuscript file.`);
  assertNotOpenElsewhere(path);
  const log = readLog(path);
  if (stat.size === 0) {
    if (log !== undefined) throw new Unavailable(foreignLog(path));
    if (create) return; // reserved a moment ago, or its maker was stopped
    throw new Unavailable(
      `${path} is empty: it holds 0 bytes. Restore a copy of it, or remove it and run "manuscript init".`,
    );
  }
  const own = headerOf(path);
  checkHeader(path, own);
  // A newer version may have been stopped before a checkpoint: its mark is in the log alone.
  const frames = log === undefined ? [] : listFrames(log, { isChecked: false });
  const first = frames.findLast(({ page }) => page === 1);
  const newest = first === undefined ? own : readHeader(first.content);
  if (newest.isSqlite && !newest.isOurs && !newest.isBlank) throw new Unavailable(foreignLog(path));
  checkHeader(path, newest);
  if (newest.isOurs && newest.version === 0)
    throw new Unavailable(
      `${path} is a manuscript whose format is not known: something else has set it to 0. Run: ${rescuing(path)}.`,
    );
  assertOwnLog(path);
  assertLogThere(path);
  assertLogUnbroken(path);
}

function checkHeader(path: string, { isBlank, isSqlite, isOurs, version }: Header): void {
  if (isBlank) return; // its maker was stopped: it holds nothing yet
  if (!isSqlite)
    throw new Unavailable(
      `${path} is not a manuscript; it was left as it is. If it was one, run: ${rescuing(path)}.`,
    );
  if (!isOurs) throw new Unavailable(`${path} is a database of another program; it was left as it is.`);
  if (version > VERSIONS.length) throw new NewerFormat(path, { format: version, known: VERSIONS.length });
}

/**
 * Takes the server's lock on a manuscript and returns what releases it. The kernel does so too when the process ends,
 * however it ends, so no stale lock remains: SQLite's own exclusive lock on a file next to the manuscript. The
 * command line needs none, and where nothing can be written none is taken. `called` names it in the refusal. Throws `Unavailable` if another server holds it.
 */
export function lockFile(path: string, called = path): () => void {
  const lock = `${path}-serve.lock`;
  let connection: Connection | undefined;
  let raw: ReturnType<typeof openRaw> | undefined;
  try {
    makeLock(lock);
    raw = openRaw(lock);
    connection = connect(lock, { timeout: LOOKING_MS });
    for (const setting of ["locking_mode = EXCLUSIVE", "journal_mode = MEMORY", "synchronous = OFF"])
      connection.pragma(setting);
    connection.exec("BEGIN EXCLUSIVE");
    nameHolder(connection);
  } catch (error) {
    const holder = raw?.read(HOLDER, 4);
    connection?.close();
    raw?.close();
    if (isBusy(error)) {
      const pid = holder?.length === 4 ? holder.readUInt32BE(0) : 0;
      const named = pid === 0 ? "" : ` (number ${pid})`;
      throw new Unavailable(
        `${called} is served by another process${named} already; use that one, or stop it first.`,
      );
    }
    if (/^(EROFS|EACCES|EPERM)$/.test(codeOf(error)) && !mayWrite(path)) return () => {};
    throw explainOpening(error, path);
  }
  const [locked, file] = [connection, raw];
  return () => {
    locked.close();
    file.close();
  };
}

/** Whoever looks whether a file is served holds its lock for a moment, and serves nothing. */
const LOOKING_MS = 250;

/** Counts the write transactions that a file has seen. */
export function commitsIn(path: string): number {
  return connectOnceFree(path, { timeout: WRITER_MS }, (connection) => {
    try {
      return commitsOf(connection);
    } finally {
      connection.close();
    }
  });
}

const commitsOf = (connection: Connection): number =>
  readStamp((sql) => connection.prepare(sql))?.commits ?? 0;

/** A file that nobody else can read, write or open. */
export interface Held {
  /** Write transactions that it has seen. */
  commits: number;
  release: () => void;
}

/**
 * Takes a file's log in and holds the file alone, with nothing beside it. Undefined if it does not open as a manuscript; it is left
 * as it is then. Throws `Unavailable` while another program has it open.
 */
export function holdAlone(path: string): Held | undefined {
  let connection: Connection | undefined;
  try {
    checkBytes(path, {});
    const held = connect(path, { timeout: WRITER_MS });
    connection = held;
    assertLogNotLeft(path, (sql) => held.prepare(sql));
    held.pragma("journal_mode = DELETE");
    held.exec("BEGIN EXCLUSIVE");
    return { commits: commitsOf(held), release: () => held.close() };
  } catch (error) {
    connection?.close();
    if (isBusy(error))
      throw new Unavailable(`${basename(path)} is open in another program; stop that first, then try again.`);
    if (error instanceof Refusal || codeOf(error) !== "") return undefined;
    throw error;
  }
}

const WRITER_MS = 1000;

/**
 * The number of the process that serves a manuscript, 0 if it is not known; undefined if none does. What a killed one has
 * left does not count: the lock is the kernel's.
 */
export function servedBy(path: string): number | undefined {
  const lock = `${path}-serve.lock`;
  if (!existsSync(lock)) return undefined;
  const raw = openRaw(lock);
  const connection = connect(lock, { timeout: 0 });
  try {
    connection.pragma("user_version");
    return undefined;
  } catch (error) {
    if (!isBusy(error)) throw explainOpening(error, path);
    const holder = raw.read(HOLDER, 4);
    return holder.length === 4 ? holder.readUInt32BE(0) : 0;
  } finally {
    connection.close();
    raw.close();
  }
}

/** Where a header holds a number that is the program's own. */
const HOLDER = 60;

/** Writes this process's number into its lock. It only tells: the lock itself is the kernel's. */
function nameHolder(connection: Connection): void {
  try {
    connection.pragma(`user_version = ${process.pid}`);
    connection.exec("COMMIT");
  } catch {
    if (connection.inTransaction) connection.exec("ROLLBACK"); // a full disk
  }
  connection.exec("BEGIN EXCLUSIVE");
}

function makeLock(lock: string): void {
  if (!existsSync(lock)) closeSync(openSync(lock, "a", 0o600));
}
