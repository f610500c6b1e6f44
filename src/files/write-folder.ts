import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { WouldLose } from "../refusals.ts";

/** What became of a file: `same` was not touched. */
export type FileStatus = "written" | "same";

/** A file that is to be in a folder. */
export interface OutFile {
  /** Relative to the folder. */
  file: string;
  bytes: Buffer;
}

/**
 * Writes files into a folder: all of them checked first, then each beside its place, synced, and renamed into it. A file
 * that is there and says something else is overwritten only where `mayOverwrite` allows it. Never writes through a link.
 * Throws `WouldLose`.
 */
export function writeFolder(
  folder: string,
  files: readonly OutFile[],
  mayOverwrite: (file: string, present: Buffer) => boolean,
): FileStatus[] {
  for (const { file } of files) assertNoLink(folder, file);
  const present = files.map(({ file }) => readIfThere(join(folder, file)));
  const differs = (index: number) => !present[index]?.equals(files[index]!.bytes); // one entry a file
  const lost = files.filter(({ file }, index) => {
    const there = present[index];
    return there !== undefined && differs(index) && !mayOverwrite(file, there);
  });
  if (lost.length > 0) throw wouldLose(folder, lost);
  mkdirSync(folder, { recursive: true });
  return files.map(({ file, bytes }, index) => {
    if (!differs(index)) return "same";
    writeWhole(join(folder, file), bytes);
    return "written";
  });
}

function wouldLose(folder: string, lost: readonly OutFile[]): WouldLose {
  const names = lost.slice(0, 3).map(({ file }) => file);
  const more = lost.length > 3 ? ` and ${lost.length - 3} more` : "";
  return new WouldLose(
    `${folder} holds files that differ and that no export of this book left so: ${names.join(", ")}${more}. Import them first, choose another folder with -o, or overwrite them with --force.`,
  );
}

/** Refuses a path that leads through a symbolic link below the folder, or is one. */
export function assertNoLink(folder: string, file: string): void {
  for (let path = file; path !== "."; path = dirname(path)) {
    if (lstatSync(join(folder, path), { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new WouldLose(
        `${join(folder, path)} is a symbolic link, and an export never writes through one; remove it.`,
      );
    }
  }
}

/** The bytes of a file, or undefined where there is none. */
export function readIfThere(path: string): Buffer | undefined {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(path);
}

/** Writes a file beside its place, syncs it and renames it into it: a stop at any moment leaves the old file or the new one. */
export function writeWhole(path: string, bytes: Buffer, mode = 0o666): void {
  mkdirSync(dirname(path), { recursive: true });
  const beside = join(dirname(path), `.manuscript-${process.pid}.tmp`);
  const file = openSync(beside, "wx", mode);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
