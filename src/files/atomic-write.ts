import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fsyncFolder, renameFile } from "../disk.ts";
import { isAlive } from "../text/alive.ts";
import type { ProgressStep } from "../text/progress.ts";
import { explainWriting } from "./disk/explain-error.ts";

/**
 * Name of a file that is being written: hidden, and accessible to its writer only. The number is the id of the
 * process.
 */
const BESIDE = /^\.manuscript-(\d+)(?:-[0-9a-f]+)?\.tmp$/;
const OWNER_ONLY = 0o600;

/** A file to be written whole. */
export interface WholeFile {
  path: string;
  bytes: Buffer;
}

// Number of files open at a time, mostly a whole book. A disk syncs them together in a fifth of the time.
const AT_ONCE = 128;

/**
 * Writes each file next to its place, syncs it and renames it into its place. An interruption leaves the old or the
 * new file, never half of one. The new file gets the mode of the old one, else `mode`; its folder must exist. The
 * names are durable after `syncNames`. `step` is called for each file. Throws `Unavailable` and `BadRequest`, and
 * then leaves nothing behind.
 */
export async function writeWhole(
  files: readonly WholeFile[],
  { mode = 0o666 & ~process.umask(), step, place = renameFile }: WritingWhole = {},
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
  step?: ProgressStep | undefined;
  /** Moves a finished file into its place; by default renames it over whatever is there. */
  place?: (beside: string, path: string) => void;
}

/** An open file that is written next to its place. */
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

/** Syncs and closes all open files, even if one of them throws. */
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

/** Writes one file as `writeWhole` does, makes and syncs its folder, and removes leftovers of killed writers. */
export async function writeAlone(path: string, bytes: Buffer, mode?: number): Promise<void> {
  const folder = dirname(path);
  makeFolder(folder);
  removeLeftovers(folder);
  await writeWhole([{ path, bytes }], { mode });
  syncNames(folder);
}

/** Makes a folder and its parents. Throws `BadRequest` and `Unavailable`. */
export function makeFolder(path: string): void {
  explained(path, () => make(path));
}

// Node's own recursive mkdir never returns below an existing folder that accepts nothing, as in /proc.
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

/** Makes renames in a folder durable through a power cut, where the system can. Throws `BadRequest` and `Unavailable`. */
export function syncNames(folder: string): void {
  explained(folder, () => fsyncFolder(folder));
}

/** Removes leftovers of killed writers from a folder. Files of running ones stay. */
export function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const process = BESIDE.exec(name)?.[1];
    const path = join(folder, name);
    if (process === undefined || isAlive(Number(process))) continue;
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) rmSync(path, { force: true });
  }
}
