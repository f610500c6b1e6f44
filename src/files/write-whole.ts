import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
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
import { explainWriting } from "./file-fault.ts";

/** What a file is while it is written: hidden, and its writer's alone. The number is that of the process. */
const BESIDE = /^\.manuscript-(\d+)(?:-[0-9a-f]+)?\.tmp$/;
const OWNER_ONLY = 0o600;

/**
 * Writes a file beside its place, syncs it and renames it into it: a stop at any moment leaves the old file or the new one.
 * It gets the mode of the old file, else `mode`. The name is durable once `syncFolder` was called. Throws `Unavailable` and
 * `BadRequest`, with the old file whole and nothing beside it.
 */
export function writeWhole(path: string, bytes: Buffer, mode = 0o666 & ~process.umask()): void {
  const beside = join(dirname(path), `.manuscript-${process.pid}-${randomBytes(4).toString("hex")}.tmp`);
  try {
    const old = lstatSync(path, { throwIfNoEntry: false });
    writeBeside(beside, bytes, old?.isFile() ? old.mode & 0o777 : mode);
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw explainWriting(error, path);
  }
}

function writeBeside(beside: string, bytes: Buffer, mode: number): void {
  const file = openSync(beside, "wx", OWNER_ONLY);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    if (mode !== OWNER_ONLY) fchmodSync(file, mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** As `writeWhole`, with the folder made, cleared of what killed writers left, and synced. */
export function writeAlone(path: string, bytes: Buffer, mode?: number): void {
  const folder = dirname(path);
  makeFolder(folder);
  removeLeftovers(folder);
  writeWhole(path, bytes, mode);
  syncFolder(folder);
}

/** Makes a folder and those above it. Throws `BadRequest` and `Unavailable`. */
export function makeFolder(path: string): void {
  try {
    make(path);
  } catch (error) {
    throw explainWriting(error, path);
  }
}

// Node's own recursive mkdir never ends below a folder that is there and takes nothing, as in /proc.
function make(path: string): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) make(above);
  try {
    mkdirSync(path);
    syncFolder(above);
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
export function syncFolder(folder: string): void {
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

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH"); // EPERM: another user's
  }
}
