import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fsyncFolder, renameFile } from "../disk.ts";
import { Unavailable } from "../refusals.ts";
import { freeAside } from "./copies.ts";
import { explainOpening } from "./file/explain.ts";
import { NOTE } from "./file/log.ts";
import { moveInto } from "./make-copy.ts";
import { verifyCopy } from "./verify-copy.ts";

/** The file and what belongs to it: its log, what those share who have it open, and the note that there is a log. */
const PARTS = ["", "-wal", "-shm", NOTE];

/** How a copy is put in a file's place. */
export interface PutBackOptions {
  /** Milliseconds since 1970. */
  at: number;
  /** Looks at the file that stood there, once nobody finds it any more by its name. */
  check?: (aside: string) => void;
}

/**
 * Puts a whole, verified copy (a file in the manuscript's folder, which it is moved out of) in the place of a manuscript.
 * The file that stands there and its log are renamed, never deleted; their new name, or null if none stood there. A stop
 * at any moment leaves the old file or the new one at one name or the other. If the new one turns out unsound in its
 * place, or `check` throws, all is put back.
 */
export function putBack(copy: string, path: string, { at, check }: PutBackOptions): string | null {
  const isThere = PARTS.some((ending) => statOf(path + ending) !== undefined);
  const aside = isThere ? freeAside(path, at) : null;
  // The file goes first: without it nobody opens the log that is left, and a log beside another file would ruin that.
  if (aside !== null) rename(path, aside);
  try {
    if (aside !== null) {
      check?.(aside);
      tidy(aside);
    }
    moveInto(copy, path);
    verifyCopy(path);
    return aside;
  } catch (error) {
    if (aside === null) rmSync(path, { force: true });
    else rename(aside, path);
    throw error;
  }
}

function rename(from: string, to: string): void {
  try {
    for (const ending of PARTS)
      if (statOf(from + ending) !== undefined) renameFile(from + ending, to + ending);
    fsyncFolder(dirname(to));
  } catch (error) {
    throw explainOpening(error, from);
  }
}

/** Takes away what tells nothing: what readers shared, a log without a page, and the note of one that is not there. */
function tidy(path: string): void {
  rmSync(`${path}-shm`, { force: true });
  if (statOf(`${path}-wal`)?.size === 0) rmSync(`${path}-wal`);
  if (statOf(`${path}-wal`) === undefined) rmSync(path + NOTE, { force: true });
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
