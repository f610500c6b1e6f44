import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { explainWriting } from "./explain-error.ts";

/** What a file is while it is written: hidden, and its writer's alone. The number is that of the process. */
const BESIDE = /^\.manuscript-(\d+)(?:-[0-9a-f]+)?\.tmp$/;
const OWNER_ONLY = 0o600;

/** A file as it is to be. */
export interface WholeFile {
  path: string;
  bytes: Buffer;
}

// As many as are open at a time, a book mostly; a disk syncs them together in a fifth of the time that they take one after another.
const AT_ONCE = 128;

/**
 * Writes each file beside its place, syncs it and renames it into it: a stop at any moment leaves the old file or the new
 * one, and never half of one. It gets the mode of the old file, else `mode`; its folder has to be there. The names are durable
 * once `fsyncFolder` was called. `step` is told of each file. Throws `Unavailable` and `BadRequest`, leaving nothing beside.
 */
export async function writeWhole(
  files: readonly WholeFile[],
  { mode = 0o666 & ~process.umask(), step, place = renameSync }: WritingWhole = {},
): Promise<void> {
  for (let from = 0; from < files.length; from += AT_ONCE) {
    const started: Started[] = [];
    try {
      for (const [index, file] of files.slice(from, from + AT_ONCE).entries()) {
        step?.(from + index, files.length);
        started.push(start(file, mode));
      }
      await close(started);
      for (const { path, beside } of started) explained(path, () => place(beside, path));
    } finally {
      await Promise.allSettled(started.map(closeOne));
      for (const { beside } of started) rmSync(beside, { force: true });
    }
  }
}

/** How whole files are written. */
export interface WritingWhole {
  mode?: number | undefined;
  step?: Step | undefined;
  /** Puts what is written beside a place into it; without it by renaming, over whatever is there. */
  place?: (beside: string, path: string) => void;
}

type Step = (done: number, total: number) => void;

/** A file that is written beside its place, and open. */
interface Started {
  path: string;
  beside: string;
  /** Undefined once it is synced and closed. */
  opened: number | undefined;
}

function start({ path, bytes }: WholeFile, mode: number): Started {
  const beside = join(dirname(path), `.manuscript-${process.pid}-${randomBytes(4).toString("hex")}.tmp`);
  return explained(path, () => {
    const old = lstatSync(path, { throwIfNoEntry: false });
    const opened = openSync(beside, "wx", OWNER_ONLY);
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(opened, bytes, done);
      fchmodSync(opened, old?.isFile() ? old.mode & 0o777 : mode);
    } catch (error) {
      closeSync(opened);
      rmSync(beside, { force: true });
      throw error;
    }
    return { path, beside, opened };
  });
}

/** Syncs and closes what is open, all of it before it throws. */
async function close(started: readonly Started[]): Promise<void> {
  const closed = await Promise.allSettled(started.map(closeOne));
  const failed = closed.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

function closeOne(file: Started): Promise<void> {
  const { path, opened } = file;
  if (opened === undefined) return Promise.resolve();
  file.opened = undefined;
  return new Promise((resolve, reject) => {
    fsync(opened, (error) => {
      closeSync(opened);
      if (error === null) resolve();
      else reject(explainWriting(error, path));
    });
  });
}

function explained<Result>(path: string, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    throw explainWriting(error, path);
  }
}

/** One file as `writeWhole` writes it, with the folder made, cleared of what killed writers left, and synced. */
export async function writeAlone(path: string, bytes: Buffer, mode?: number): Promise<void> {
  const folder = dirname(path);
  makeFolder(folder);
  removeLeftovers(folder);
  await writeWhole([{ path, bytes }], { mode });
  fsyncFolder(folder);
}

/** Makes a folder and those above it. Throws `BadRequest` and `Unavailable`. */
export function makeFolder(path: string): void {
  explained(path, () => make(path));
}

// Node's own recursive mkdir never ends below a folder that is there and takes nothing, as in /proc.
function make(path: string): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) make(above);
  try {
    mkdirSync(path);
    fsyncFolder(above);
  } catch (error) {
    if (!isFolder(path)) throw error; // else made by another meanwhile
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

// What some disks and systems answer for a folder, which they sync by themselves or not at all.
const NO_SYNC = new Set(["EINVAL", "EPERM", "EACCES", "EISDIR", "ENOTSUP"]);

/** Makes what was renamed into a folder last through a power cut, where the system can. */
export function fsyncFolder(folder: string): void {
  let opened: number | undefined;
  try {
    opened = openSync(folder, "r");
    fsyncSync(opened);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && NO_SYNC.has(String(error.code))))
      throw explainWriting(error, folder);
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

/** Removes what writers left in a folder that were killed; what one who lives is writing stays. */
export function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const process = BESIDE.exec(name)?.[1];
    const path = join(folder, name);
    if (process === undefined || isAlive(Number(process))) continue;
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) rmSync(path, { force: true });
  }
}

/** Whether a process runs, whoever's it is. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH"); // EPERM: another user's
  }
}
