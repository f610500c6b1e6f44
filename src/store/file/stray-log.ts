import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Unavailable } from "../../refusals.ts";
import { listFrames, readLog, readNote, WRITTEN_BY } from "../disk/log.ts";
import { isOwnLog } from "../disk/own-log.ts";
import { openedAs } from "../disk/raw-file.ts";
import { restoring } from "../disk/restoring.ts";
import { type Statement, sqliteCode } from "../driver.ts";

type Prepare = (sql: string) => Statement;

/** The setting that names the path at which the file was written last: its log lies beside that. */
const WRITTEN_AT = "written at";

/** Whether the file says that it was written at this path last, and in which opening. */
export function isWrittenAt(path: string, prepare: Prepare): boolean {
  return (
    readSetting(prepare, WRITTEN_AT) === realpathSync(path) && readSetting(prepare, WRITTEN_BY) !== undefined
  );
}

/** Has the file say that it is written at this path, in this opening; within the transaction that runs. */
export function setWrittenAt(path: string, prepare: Prepare): void {
  const set = prepare(
    "INSERT INTO settings(name, value) VALUES(?, ?) ON CONFLICT(name) DO UPDATE SET value = excluded.value",
  );
  set.run(WRITTEN_AT, realpathSync(path));
  set.run(WRITTEN_BY, randomUUID());
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
  const there = statSync(place, { throwIfNoEntry: false });
  return there === undefined || there.ino === statSync(path).ino || !isOwnLog(place, place);
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

/** What is said of a file whose log lies beside another name. */
function leftLog(path: string, before: string): string {
  const isLink = statSync(before, { throwIfNoEntry: false })?.ino === statSync(path).ino;
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
