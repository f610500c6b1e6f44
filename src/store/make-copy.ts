import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fsyncFile, fsyncFolder, renameFile } from "../disk.ts";
import { createMint } from "../ids.ts";
import { Unavailable } from "../refusals.ts";
import { isAlive } from "../text/alive.ts";
import { type ProgressStep, share } from "../text/progress.ts";
import { type CopyKind, chooseExpired, freeName, listCopies } from "./copies.ts";
import { orderByWriting } from "./copy-history.ts";
import { explainOpening } from "./file/explain.ts";
import { NOTE } from "./file/log.ts";
import { openToExamine } from "./file/open.ts";
import type { Store } from "./file/store.ts";
import { type Holding, verifyCopy } from "./verify-copy.ts";

/** A copy that was made and found sound. */
export interface MadeCopy {
  path: string;
  bytes: number;
  holding: Holding;
}

/** Where a copy goes, and as what. */
export interface CopyTarget {
  folder: string;
  kind: Extract<CopyKind, "scheduled" | "by hand">;
  /** Milliseconds since 1970. */
  at: number;
}

const OWNER_ONLY = 0o600;
const MIB = 1024 * 1024;
/** What a copy leaves free: one that nobody asked for must not take the room that the next saves need. */
const SPARE_MIB = { scheduled: 64, "by hand": 1 } as const;

/**
 * Makes a whole copy of a manuscript, in one file, while others read and write it: one moment of it, verified, synced, its
 * owner's alone. It comes to its name when all that is true; else nothing is left, and older copies are not touched.
 * Once a scheduled one is there, those that have had their time go. Blocks its thread, half a second for 30 MB. Throws `Unavailable` for a full disk, a read-only folder and a damaged file.
 */
export function makeCopy(from: string, target: CopyTarget, step?: ProgressStep): MadeCopy {
  const { folder, kind, at } = target;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw explainOpening(error, join(folder, basename(from)));
  }
  removeParts(folder);
  const part = partIn(folder);
  try {
    const holding = copyWhole(from, part, { spareMib: SPARE_MIB[kind], step });
    const path = freeName(from, kind, { folder, at });
    moveInto(part, path);
    const { size: bytes } = statSync(path);
    if (kind === "scheduled") rotate(from, folder);
    return { path, bytes, holding };
  } finally {
    removePart(part);
  }
}

/** Removes the copies of a manuscript in a folder that have had their time. */
function rotate(path: string, folder: string): void {
  const copies = orderByWriting(path, listCopies(path, folder));
  for (const { path: copy } of chooseExpired(copies)) rmSync(copy, { force: true });
}

/** How a copy is written. */
export interface CopyOptions {
  /** What it leaves free on the disk. */
  spareMib?: number;
  step?: ProgressStep | undefined;
}

/**
 * Writes a whole copy of a manuscript to a new file, verified and synced; its log is taken in. Throws as `makeCopy` does,
 * and then leaves what it wrote.
 */
export function copyWhole(from: string, to: string, { spareMib = 1, step }: CopyOptions = {}): Holding {
  let store: Store | undefined;
  try {
    store = openToExamine(from, { clock: Date.now, mint: createMint() });
    assertRoom(store, to, spareMib);
    closeSync(openSync(to, "wx", OWNER_ONLY)); // SQLite would make it readable for everyone
    store.run("PRAGMA query_only = OFF"); // SQLite refuses a vacuum under it, even into another file
    store.run("VACUUM INTO ?", to);
    fsyncFile(to);
    step?.(60, 100);
  } catch (error) {
    throw explainCopying(error, from, to);
  } finally {
    store?.close();
  }
  return verifyCopy(to, from, share(step, 60, 100));
}

/** A name for a file that is being written in a folder: hidden, and with the number of the process that writes it. */
export function partIn(folder: string): string {
  return join(folder, `.manuscript-${process.pid}-${randomBytes(4).toString("hex")}.part`);
}

const PART = /^\.manuscript-(\d+)-[0-9a-f]{8}\.part(?:-journal|-wal|-shm|-log)?$/;

/** Removes what is left of a copy that did not come to its name. */
export function removePart(part: string): void {
  for (const ending of ["", "-journal", "-wal", "-shm", NOTE]) rmSync(part + ending, { force: true });
}

/** Removes what killed processes left of their copies in a folder. */
export function removeParts(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = PART.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

/** Renames a file that is written and synced, and syncs the folder, where the system can. */
export function moveInto(from: string, to: string): void {
  try {
    renameFile(from, to);
    fsyncFolder(dirname(to));
  } catch (error) {
    throw explainOpening(error, to);
  }
}

function assertRoom(store: Store, to: string, spareMib: number): void {
  const count = (name: string) => Number(store.list(`PRAGMA ${name}`)[0]);
  const neededMib = (count("page_count") * count("page_size")) / MIB + spareMib;
  const { bavail, bsize } = statfsSync(dirname(to));
  const freeMib = (bavail * bsize) / MIB;
  if (freeMib >= neededMib) return;
  throw new Unavailable(
    `${dirname(to)} has ${freeMib.toFixed(1)} MiB of free space, and a copy needs ${neededMib.toFixed(1)} MiB; free some, or name a folder on another disk.`,
  );
}

/** The refusal that an error at copying means: of what is read, if that is damaged, else of what is written. */
function explainCopying(error: unknown, from: string, to: string): unknown {
  const isOfSource = /malformed|not a database|unable to open/.test(
    error instanceof Error ? error.message : "",
  );
  return explainOpening(error, isOfSource ? from : to);
}
