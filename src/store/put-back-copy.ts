import {
  closeSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { fsyncFile, fsyncFolder, renameFile } from "../disk.ts";
import { Unavailable } from "../refusals.ts";
import { freeAside } from "./copies.ts";
import { explainOpening } from "./file/explain.ts";
import { NOTE } from "./file/log.ts";
import { type Held, holdAlone } from "./file/open.ts";
import { moveInto, partIn, removePart } from "./make-copy.ts";
import { verifyCopy } from "./verify-copy.ts";

/** Logs of a file that was not closed: SQLite takes them in when it opens the file, or any other by that name. */
const LOGS = ["-wal", "-journal"];
/** The file and all that may lie beside it: its logs, what those share who have it open, and the note that there is a log. */
const PARTS = ["", ...LOGS, "-shm", NOTE];

/** How a copy is put in a file's place. */
export interface PutBackOptions {
  /** Milliseconds since 1970. */
  at: number;
  /** Refuses by throwing. Called with the commits that the file has, while nobody else can open it; undefined if it does not open. */
  check?: (commits: number | undefined) => void;
  /** Makes a hard link. */
  link?: (from: string, to: string) => void;
}

/**
 * Puts a whole, verified copy (a file in the manuscript's folder, which it is moved out of) in the place of a manuscript.
 * The file that stands there gets a further name, which is returned (null if none stood there), and then the copy takes the old
 * one: at any moment that name leads to a whole file. The log is taken in first; that of a file that does not open is set aside
 * with it. If the copy turns out unsound in its place, all is put back.
 */
export function putBack(
  copy: string,
  path: string,
  { at, check, link = linkSync }: PutBackOptions,
): string | null {
  const isEmpty = PARTS.every((ending) => statOf(path + ending) === undefined);
  const aside = freeAside(path, at);
  // Closed last: a process that closes any descriptor of a file drops SQLite's locks on it.
  const opened = statOf(path) === undefined ? undefined : openSync(path, "r");
  let held: Held | undefined;
  try {
    held = opened === undefined ? undefined : holdAlone(path);
    check?.(held?.commits);
    if (opened !== undefined) nameAside({ path, opened }, aside, link);
    if (process.platform === "win32") held?.release(); // nothing can be renamed over an open file there
    exchange(copy, path, aside);
    return isEmpty ? null : aside;
  } catch (error) {
    throw explainOpening(error, path);
  } finally {
    held?.release();
    if (opened !== undefined) closeSync(opened);
  }
}

/** Moves a file's logs to its further name, then a copy to its own; all back if the copy is unsound there. */
function exchange(copy: string, path: string, aside: string): void {
  const isThere = statOf(path) !== undefined;
  try {
    for (const ending of LOGS) moveLog(path, aside, ending); // a log beside another file would ruin that
    rmSync(`${path}-shm`, { force: true });
    fsyncFolder(dirname(path));
    moveInto(copy, path);
    verifyCopy(path);
    moveLog(path, aside, NOTE); // until now it told that the old file's log is missing
  } catch (error) {
    if (!isThere) rmSync(path, { force: true });
    for (const ending of ["", ...LOGS])
      if (statOf(aside + ending) !== undefined) renameFile(aside + ending, path + ending);
    rmSync(aside, { force: true }); // of two names of one file a rename leaves both
    throw error;
  }
}

/** Gives a file a further name: by a hard link, or by a copy where the disk has no links. */
function nameAside(
  { path, opened }: { path: string; opened: number },
  aside: string,
  link: (from: string, to: string) => void,
): void {
  try {
    link(path, aside);
  } catch {
    const part = partIn(dirname(path));
    try {
      writeFileSync(part, readFileSync(opened), { mode: 0o600 });
      fsyncFile(part);
      renameFile(part, aside);
    } finally {
      removePart(part);
    }
  }
}

/** Moves a log to a file's other name. One without a page says nothing, and neither does the note of one that is not there. */
function moveLog(from: string, to: string, ending: string): void {
  const stat = statOf(from + ending);
  if (stat === undefined) return;
  if (stat.size === 0 || (ending === NOTE && statOf(`${to}-wal`) === undefined)) rmSync(from + ending);
  else renameFile(from + ending, to + ending);
}

function statOf(path: string) {
  return statSync(path, { throwIfNoEntry: false });
}

/** A process that has a file open. */
export interface Holder {
  pid: number;
  /** Its command line, if it may be seen. */
  command: string;
}

/**
 * Throws `Unavailable` with the names of the other programs that have a manuscript open: what they write afterwards would
 * go into the file that was set aside. Told from the kernel's list of locks, so on Linux alone; elsewhere such a program's
 * next write is refused, for the file is no longer in its place.
 */
export function assertNobodyElse(path: string, kernel = "/proc"): void {
  const holders = listHolders(path, kernel);
  if (holders.length === 0) return;
  const named = holders.map(({ pid, command }) => `process ${pid}${command === "" ? "" : ` (${command})`}`);
  throw new Unavailable(`${basename(path)} is open in ${named.join(", ")}; stop that first, then try again.`);
}

function listHolders(path: string, kernel: string): Holder[] {
  let locks: string;
  try {
    locks = readFileSync(`${kernel}/locks`, "utf8");
  } catch {
    return [];
  }
  const inodes = new Set(PARTS.flatMap((ending) => statOf(path + ending)?.ino ?? []));
  const found = locks.split("\n").flatMap((line) => {
    // "1: POSIX  ADVISORY  READ 9721 fe:00:2869574 128 128": who, and which device and inode
    const [, pid, inode] = /\s(\d+) [0-9a-f]+:[0-9a-f]+:(\d+) /.exec(line) ?? [];
    return inode !== undefined && inodes.has(Number(inode)) ? [Number(pid)] : [];
  });
  const pids = [...new Set(found)].filter(
    (pid) => pid !== process.pid && mayHaveOpen(`${kernel}/${pid}/fd`, path),
  );
  return pids.map((pid) => ({ pid, command: commandIn(`${kernel}/${pid}/cmdline`) }));
}

/** Whether a process has one of the files open, or is another user's: an inode's number alone may be another disk's. */
function mayHaveOpen(folder: string, path: string): boolean {
  try {
    const open = new Set(readdirSync(folder).map((name) => readlinkSync(`${folder}/${name}`)));
    return PARTS.some((ending) => open.has(path + ending));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT"; // it has ended
  }
}

function commandIn(file: string): string {
  try {
    const words = readFileSync(file, "utf8").split("\0").filter(Boolean);
    return words.join(" ").slice(0, 80);
  } catch {
    return "";
  }
}

/** The file that a path means, links followed; the path itself if nothing is there. */
export function followLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
