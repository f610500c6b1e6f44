import { existsSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { endianness } from "node:os";
import { basename, dirname, join } from "node:path";
import { identityOf, pause } from "../../disk.ts";
import { rescuing, Unavailable } from "../../refusals.ts";
import { largest } from "../../text/extremes.ts";
import {
  findStamp,
  isLayoutUpTo,
  isOpenRaw,
  openedAs,
  openRaw,
  type RawFile,
  readBase,
  readHeader,
} from "./disk/raw-file.ts";
import { type Statement, sqliteCode } from "./driver.ts";
import { codeOf } from "./explain.ts";
import { type Frame, listFrames, type Noted, readLog, readNote, saltsOf } from "./log.ts";

// Checks of a file and its log before SQLite trusts a page of either. The log must be this file's, present and whole, and not
// have been left where the file was before.

type Prepare = (sql: string) => Statement;

const TRIES = 20;
const PAUSE_MS = 5;

/**
 * Refuses a file beside a log that is not its own, before SQLite trusts a page of either: it would write the one over
 * the other. The log belongs to the file if the file's newest commit is the one before the log's first, or one of the log's own
 * (which a checkpoint took there, whole or in part), its pages were not laid out anew, and nobody wrote it meanwhile who is not in
 * the log, as after the file was moved away from it and back. A log without a stamp, as an older
 * version left it, says nothing. Throws `Unavailable`.
 */
export function assertOwnLog(path: string): void {
  for (let time = 0; time < TRIES; time++) {
    const before = marksOf(path);
    if (isOwnLog(path, path)) return;
    // Else another program may have been writing while both were read.
    if (before === marksOf(path)) throw new Unavailable(foreignLog(path));
    pause(PAUSE_MS);
  }
}

/** Message for a file that its log was not written for. */
export function foreignLog(path: string): string {
  return `${path} is not the file that its log ${path}-wal was written for, as when a copy was put in its place, or it was written elsewhere meanwhile; both were left as they are. To go on with the file, run: ${restoring(path)} (it sets the log aside).`;
}

/** True if the log beside `place`, if there is one, goes on from the file at `path`. */
export function isOwnLog(path: string, place: string): boolean {
  const log = readLog(place);
  if (log === undefined) return true;
  const noted = readNote(place);
  const isNoted = noted?.salts === saltsOf(log)?.toString("latin1");
  return isOwn(path, {
    frames: listFrames(log, { isChecked: false }),
    before: (isNoted ? noted?.opening : undefined) ?? 0,
  });
}

function marksOf(path: string): string {
  return [path, `${path}-wal`]
    .map((name) => statSync(name, { throwIfNoEntry: false }))
    .map((stat) => `${stat?.ino} ${stat?.size} ${stat?.mtimeMs}`)
    .join();
}

/** `before`: the opening that had written the file when its log was begun; 0 if nothing tells. */
function isOwn(path: string, { frames, before }: { frames: readonly Frame[]; before: number }): boolean {
  const stamped = frames.flatMap(({ page, content }) => {
    const stamp = findStamp(content);
    return stamp === undefined ? [] : [{ page, stamp }];
  });
  const first = stamped[0];
  if (frames.length > 0 && statSync(path).size === 0) return false;
  if (first === undefined) return true;
  const cookies = frames
    .filter(({ page }) => page === 1)
    .map(({ content }) => readHeader(content).schemaCookie);
  const newest = largest([...cookies, ...stamped.map(({ stamp }) => stamp.layout)]);
  const { isSqlite, cookie, stamp: { commits, opening } = NO_STAMP } = readBase(path, first.page);
  if (!isSqlite || !isLayoutUpTo(cookie, newest)) return false;
  const continues = [
    { commits: first.stamp.commits - 1, opening: before },
    ...stamped.map(({ stamp }) => stamp),
  ];
  return continues.some(
    (stamp) => stamp.commits === commits && (stamp.opening === opening || stamp.opening * opening === 0),
  );
}

const NO_STAMP = { commits: 0, opening: 0 };

/**
 * Refuses a file whose log is gone, with commits that the file itself has not got. The note is read before the log, and that
 * before the file: a log that another program takes in meanwhile leaves its commits there. Throws `Unavailable`.
 */
export function assertLogThere(path: string): void {
  const noted = readNote(path);
  if (noted === undefined) return;
  const log = readLog(path);
  if (log !== undefined && listFrames(log, { isChecked: false }).length > 0) return;
  const { stamp } = readBase(path, noted.page);
  if (stamp === undefined || stamp.commits >= noted.commit || !isAsNoted(statSync(path), noted)) return;
  throw new Unavailable(lostLog(path, noted));
}

/** Message for a file whose log is gone. */
function lostLog(path: string, { mtimeMs }: Noted): string {
  const since = new Date(mtimeMs).toISOString();
  return `${path}-wal, the log that held what was saved since ${since}, is gone or empty; ${path} was left as it is, without those saves. Put the log back if you have it; "manuscript restore --list" shows copies, and those made after that time hold more. To go on without, run: ${restoring(path)}`;
}

function isAsNoted(stat: Stats, { size, mtimeMs }: Noted): boolean {
  return stat.size === size && Math.abs(stat.mtimeMs - mtimeMs) < 1; // a copy of all keeps no finer time
}

/** How SQLite's index of a log begins: what is known of the log, twice. Source: https://sqlite.org/walformat.html. */
const KNOWN_BYTES = 48;
const IS_MADE = 12;
const FRAMES = 16;
const SALTS = 32;
const UNBROKEN_TRIES = 10;

/** State of a log, as the programs that had it open last recorded it. */
interface KnownLog {
  /** Frames that were committed, and synced before that was told here. */
  frames: number;
  /** Of the log that it is about. */
  salts: Buffer;
}

/**
 * Refuses a file whose log is cut off or damaged before its last commit. SQLite would go on with what stands before the first
 * fault, say nothing, and write over the rest. Told from its index of the log, which stays behind a killed process, and is never
 * ahead of what is on the disk; where that is gone nothing is known. Throws `Unavailable`.
 */
export function assertLogUnbroken(path: string): void {
  // Who has it open has looked already; and closing the index would drop SQLite's locks on it.
  if (isOpenRaw(path)) return;
  for (let time = 1; ; time++) {
    const known = readKnown(path); // before the log, which only grows until it is begun anew, with other salts
    const log = readLog(path);
    if (known === undefined || log === undefined || saltsOf(log)?.equals(known.salts) !== true) return;
    const read = listFrames(log, { isChecked: true }).length;
    if (read >= known.frames) return;
    if (time === UNBROKEN_TRIES) throw new Unavailable(brokenLog(path, { read, frames: known.frames }));
    pause(PAUSE_MS); // another program may have begun it anew while it was read
  }
}

/** Message for a file whose log is damaged. */
function brokenLog(path: string, { read, frames }: { read: number; frames: number }): string {
  return `${path}-wal, the log that holds the newest saves, is damaged or cut off: ${read} of its ${frames} pages can be read. It was left as it is, and so was ${path}. Put the log back if you have it; "manuscript restore --list" shows copies. To go on with what SQLite can read, run: ${restoring(path)} To get out what stands behind the fault, too, run: ${rescuing(path)}.`;
}

/** The state that the log's index tells; undefined where none is told, or another program has just removed it. */
function readKnown(path: string): KnownLog | undefined {
  const index = openIndex(path);
  if (index === undefined) return undefined;
  try {
    const both = index.read(0, 2 * KNOWN_BYTES);
    const [known, again] = [both.subarray(0, KNOWN_BYTES), both.subarray(KNOWN_BYTES)];
    if (both.length < 2 * KNOWN_BYTES || !known.equals(again) || known[IS_MADE] === 0) return undefined;
    const frames = endianness() === "BE" ? known.readUInt32BE(FRAMES) : known.readUInt32LE(FRAMES);
    return { frames, salts: known.subarray(SALTS, SALTS + 8) };
  } finally {
    index.close();
  }
}

function openIndex(path: string): RawFile | undefined {
  try {
    return openRaw(`${path}-shm`);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** The setting that names the path at which the file was written last: its log lies beside that. */
const WRITTEN_AT = "written at";

/** True if the file says that it was written at this path last. */
export function isWrittenAt(path: string, prepare: Prepare): boolean {
  return readSetting(prepare, WRITTEN_AT) === realpathSync(path);
}

/** Has the file say that it is written at this path; within the transaction that runs. */
export function setWrittenAt(path: string, prepare: Prepare): void {
  const sql =
    "INSERT INTO settings(name, value) VALUES(?, ?) ON CONFLICT(name) DO UPDATE SET value = excluded.value";
  prepare(sql).run(WRITTEN_AT, realpathSync(path));
}

/**
 * The path that a file was moved away from while it was open, if its newest saves are still in the log there; undefined if
 * nothing is missing. A log there is another's if it does not go on from this file, or belongs to a file that lies beside it.
 */
export function movedFrom(path: string, prepare: Prepare): string | undefined {
  const before = readSetting(prepare, WRITTEN_AT);
  if (before === undefined || before === realpathSync(path) || hasSaves(path)) return undefined;
  const writer = readSetting(prepare, "writer");
  try {
    return [before, ...setAside(before)].find((place) => hasLogOf(path, writer, place));
  } catch {
    return undefined; // that folder is gone, or another's
  }
}

/** The files beside which a restore has set logs aside. */
function setAside(before: string): string[] {
  const [folder, start, end] = [dirname(before), `${basename(before)}-until-`, "-wal"];
  const logs = readdirSync(folder).filter((name) => name.startsWith(start) && name.endsWith(end));
  return logs.map((name) => join(folder, name.slice(0, -end.length)));
}

function hasLogOf(path: string, writer: string | undefined, place: string): boolean {
  if (!hasSaves(place)) return false;
  const noted = readNote(place)?.writer;
  if ((noted !== undefined && noted !== writer) || !isOwnLog(path, place)) return false;
  const there = identityOf(place);
  return there === undefined || there === identityOf(path) || !isOwnLog(place, place);
}

/** Refuses a file that was moved away from the log with its newest saves. Throws `Unavailable`. */
export function assertLogNotLeft(path: string, prepare: Prepare): void {
  const before = movedFrom(path, prepare);
  if (before === undefined) return;
  throw new Unavailable(leftLog(path, before));
}

/**
 * Refuses a file that this very process has open by another name. SQLite would share what it knows of the one log with the
 * other. Throws `Unavailable`.
 */
export function assertNotOpenElsewhere(path: string): void {
  const before = openedAs(path);
  if (before === undefined || before === path || realPath(before) === realPath(path)) return;
  throw new Unavailable(leftLog(path, before));
}

function realPath(path: string): string | undefined {
  return existsSync(path) ? realpathSync(path) : undefined;
}

/** Message for a file whose log lies beside another name. */
function leftLog(path: string, before: string): string {
  const isLink = identityOf(before) === identityOf(path);
  return isLink
    ? `${path} is a second name (a hard link) of ${before}, and its newest saves are in ${before}-wal. Nothing was changed; open it as ${before}.`
    : `${path} was moved while it was open, and its newest saves are still in ${before}-wal. Nothing was changed. Stop what has it open, and take them in with: ${restoring(path)}`;
}

function hasSaves(path: string): boolean {
  const log = readLog(path);
  return log !== undefined && listFrames(log, { isChecked: false }).length > 0;
}

/** A setting; undefined without it, also of a file that has no tables yet or is damaged, which is for others to say. */
function readSetting(prepare: Prepare, name: string): string | undefined {
  try {
    return prepare("SELECT value FROM settings WHERE name = ?").pluck().get(name) as string | undefined;
  } catch (error) {
    if (/^SQLITE_(ERROR|CORRUPT|NOTADB)/.test(sqliteCode(error) ?? "")) return undefined;
    throw error;
  }
}

/** The command that goes on with a file as it is found, whichever manuscript is meant where it is run. */
function restoring(path: string): string {
  return `manuscript restore "${path}" --file "${path}"`;
}
