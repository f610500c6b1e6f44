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
import { BOOK_JSON, readBookJson } from "./book-json.ts";
import type { ExportedFile } from "./export.ts";
import { hash, hashOfBookJson } from "./write-book-json.ts";

/** What became of a file: `same` was not touched. */
export type FileStatus = "written" | "same";

/**
 * Writes files into a folder: all of them checked first, then each beside its place, synced, and renamed into it. Only
 * what an earlier export of this book wrote, and nobody has edited since, or what was `imported` as it stands, is
 * overwritten; `force` overwrites all. Never
 * writes through a link. Throws `WouldLose`.
 */
export function writeFolder(
  folder: string,
  files: readonly ExportedFile[],
  { bookId, force, imported }: { bookId: string; force: boolean; imported?: ReadonlySet<string> },
): { file: string; status: FileStatus }[] {
  for (const { file } of files) assertNoLink(folder, file);
  const present = files.map(({ file }) => readIfThere(join(folder, file)));
  const differs = (index: number) => !present[index]?.equals(files[index]!.bytes); // one entry a file
  if (!force) {
    const isOurs = earlierExport(folder, bookId);
    const lost = files.filter(
      ({ file }, index) =>
        present[index] !== undefined &&
        differs(index) &&
        imported?.has(file) !== true &&
        !isOurs(file, present[index]),
    );
    if (lost.length > 0) throw wouldLose(folder, lost);
  }
  mkdirSync(folder, { recursive: true });
  return files.map(({ file, bytes }, index) => {
    if (!differs(index)) return { file, status: "same" };
    writeWhole(join(folder, file), bytes);
    return { file, status: "written" };
  });
}

function wouldLose(folder: string, lost: readonly ExportedFile[]): WouldLose {
  const names = lost.slice(0, 3).map(({ file }) => file);
  const more = lost.length > 3 ? ` and ${lost.length - 3} more` : "";
  return new WouldLose(
    `${folder} holds files that differ and that no export of this book left so: ${names.join(", ")}${more}. Import them first, choose another folder with -o, or overwrite them with --force.`,
  );
}

/** Tells whether the bytes of a file are as an earlier export of this book left them. */
function earlierExport(folder: string, bookId: string): (file: string, bytes: Buffer) => boolean {
  const none = () => false;
  const text = readIfThere(join(folder, BOOK_JSON))?.toString();
  if (text === undefined) return none;
  try {
    const { exportedFrom, hashes } = readBookJson(text);
    if (exportedFrom !== bookId) return none;
    return (file, bytes) => hashes[file] === (file === BOOK_JSON ? hashOfBookJson(text) : hash(bytes));
  } catch {
    return none; // a book.json that is not ours to read is not ours to overwrite
  }
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

function readIfThere(path: string): Buffer | undefined {
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
