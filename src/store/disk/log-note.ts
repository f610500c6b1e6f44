import { readFileSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs";
import { Unavailable } from "../../refusals.ts";
import type { Statement } from "../driver.ts";
import { HEADER_BYTES, readHeader } from "./header.ts";
import { LOG_HEADER_BYTES, listFrames, readLog, saltsOf } from "./log.ts";
import { openRaw, type RawFile } from "./raw-file.ts";
import { restoring } from "./restoring.ts";
import { findStamp, readStamp } from "./stamp.ts";

/** How the note's name ends, beside the file. */
export const NOTE = "-log";

/** What stands in the note: a commit that the log held when the file itself was as it says. */
interface Noted {
  /** The number of the commit, which the log held for good before this was written. */
  commit: number;
  /** The page that has the number of the newest commit. */
  page: number;
  size: number;
  mtimeMs: number;
  /** Names the manuscript that the log is of. */
  writer?: string | undefined;
}

/**
 * A note beside the file that its log holds saves, so that a log that is taken away while nobody has the file open is
 * missed. Written once whenever a log is begun anew, after the commit that it tells of; whoever closes the file last takes it
 * away. A note that was lost tells nothing; one that is there is true: a file that is as it was, without a log, has not got
 * that commit.
 */
export class LogNote {
  readonly #path: string;
  readonly #prepare: (sql: string) => Statement;
  /** The salts of the log that was noted: each that is begun has its own. */
  #salts = "";
  /** Kept open: to open it for every commit would cost more than all else that is asked of the disk. */
  #log: RawFile | undefined;

  constructor(path: string, prepare: (sql: string) => Statement) {
    this.#path = path;
    this.#prepare = prepare;
  }

  /** Notes a commit that was made, if it is the first that was seen in its log. Never throws. About 2 µs. */
  write(commit: number): void {
    try {
      this.#log ??= openRaw(`${this.#path}-wal`);
      const salts = saltsOf(this.#log.read(0, LOG_HEADER_BYTES))?.toString("latin1");
      if (salts === undefined || salts === this.#salts) return;
      const { size, mtimeMs } = statSync(this.#path);
      const page = readStamp(this.#prepare)?.page ?? 0;
      const writer = this.#prepare("SELECT value FROM settings WHERE name = 'writer'").pluck().get();
      const noted = { commit, page, size, mtimeMs, writer } as Noted;
      writeFileSync(this.#path + NOTE, JSON.stringify(noted), { mode: 0o600 });
      this.#salts = salts;
    } catch {
      // A full disk takes saves no longer than this; they are as safe without the note.
    }
  }

  /** Lets go of the log, so that it can be taken away by whoever closes the file last. */
  release(): void {
    this.#log?.close();
    this.#log = undefined;
  }

  /** Takes the note away, if no log is left that it would tell of; once the file is closed. */
  drop(): void {
    if (readLog(this.#path) === undefined) rmSync(this.#path + NOTE, { force: true });
  }
}

/**
 * Refuses a file whose log is gone, with commits that the file itself has not got. The note is read before the log, and that
 * before the file: a log that another program takes in meanwhile leaves its commits there. Throws `Unavailable`.
 */
export function assertLogThere(path: string): void {
  const noted = readNote(path);
  if (noted === undefined) return;
  const log = readLog(path);
  if (log !== undefined && listFrames(log, { isChecked: false }).length > 0) return;
  const file = openRaw(path);
  try {
    const { pageSize } = readHeader(file.read(0, HEADER_BYTES));
    const stamp = findStamp(file.read((noted.page - 1) * pageSize, pageSize));
    if (stamp === undefined || stamp.commits >= noted.commit || !isAsNoted(file.stat(), noted)) return;
  } finally {
    file.close();
  }
  throw new Unavailable(lostLog(path, noted));
}

/** What is said of a file whose log is gone. */
function lostLog(path: string, { mtimeMs }: Noted): string {
  const since = new Date(mtimeMs).toISOString();
  return `${path}-wal, the log that held what was saved since ${since}, is gone or empty; ${path} was left as it is, without those saves. Put the log back if you have it; "manuscript restore --list" shows copies, and those made after that time hold more. To go on without, run: ${restoring(path)}`;
}

function isAsNoted(stat: Stats, { size, mtimeMs }: Noted): boolean {
  return stat.size === size && Math.abs(stat.mtimeMs - mtimeMs) < 1; // a copy of all keeps no finer time
}

/** The note beside a file; undefined if there is none, or its writer was stopped. */
export function readNote(path: string): Noted | undefined {
  try {
    const noted = JSON.parse(readFileSync(path + NOTE, "utf8")) as Noted;
    const numbers: unknown[] = [noted.commit, noted.page, noted.size, noted.mtimeMs];
    return numbers.every((number) => typeof number === "number" && number > 0) ? noted : undefined;
  } catch {
    return undefined; // there is none, or its writer was stopped: it holds no such thing
  }
}
