import { randomBytes } from "node:crypto";
import { linkSync, lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { renameFile } from "../../disk.ts";
import { isAlive } from "../../text/alive.ts";
import { explainWriting } from "./explain-error.ts";
import { nameBeside } from "./name-beside.ts";
import { hash, readRegular, statLink } from "./text-file.ts";

/** Name of a folder that holds files while they are replaced. The number is the id of the process. */
const ASIDE = /^\.manuscript-(\d+)-[0-9a-f]+\.aside$/;

/**
 * Files that are being replaced: moved under their own names into a hidden folder next to them. A file is never
 * removed unless its content is known to exist elsewhere: it goes back to its place, or next to it as
 * NAME.conflict.md.
 */
export class Asides {
  readonly #folders = new Set<string>();
  /** Original path of each file, and the hash of content that may be dropped. */
  readonly #files = new Map<string, { path: string; known: string }>();

  /** Moves a file aside, whatever its content; undefined if there is none. Throws `Unavailable`. */
  take(path: string, known: string): string | undefined {
    const aside = join(this.#folderFor(path), basename(path));
    try {
      renameFile(path, aside);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw explainWriting(error, path);
    }
    this.#files.set(aside, { path, known });
    return aside;
  }

  /** Puts a file back to its place. If the place is occupied, puts it next to that and returns the name. */
  putBack(aside: string): string | undefined {
    const file = this.#files.get(aside);
    this.#files.delete(aside);
    return file && bringBack(aside, file.path);
  }

  /** Removes a file if its content is still the known one, else puts it back. True if it was removed. */
  drop(aside: string): boolean {
    const file = this.#files.get(aside);
    if (file === undefined || hash(readRegular(aside, file.path)) !== file.known) {
      this.putBack(aside);
      return false;
    }
    this.#files.delete(aside);
    rmSync(aside);
    return true;
  }

  /** Puts back every file that was not placed, and removes those whose content is known. */
  clear(): void {
    for (const [aside, { path, known }] of this.#files) settle(aside, path, (digest) => digest === known);
    this.#files.clear();
    for (const folder of this.#folders) removeIfEmpty(folder);
  }

  #folderFor(path: string): string {
    const within = dirname(path);
    const isFree = (folder: string) =>
      dirname(folder) === within &&
      lstatSync(join(folder, basename(path)), { throwIfNoEntry: false }) === undefined;
    const known = [...this.#folders].find(isFree);
    if (known !== undefined) return known;
    const folder = join(within, `.manuscript-${process.pid}-${randomBytes(4).toString("hex")}.aside`);
    mkdirSync(folder, { mode: 0o700 });
    this.#folders.add(folder);
    return folder;
  }
}

/** A file that a stopped run had moved aside, now back in its place, or next to it under another name. */
export interface Recovered {
  file: string;
  as: string | undefined;
}

/**
 * Brings back files that stopped runs moved aside in a folder, and with `isDeep` in the folders below it. If a file's
 * place was taken since, the file is removed if its text is known, else it goes next to the place as
 * NAME.conflict.md. Files of running processes stay aside.
 */
export function recoverAsides(
  folder: string,
  isKnown: (hash: string) => boolean,
  { isDeep }: { isDeep: boolean },
): Recovered[] {
  return foldersIn(folder).flatMap((name): Recovered[] => {
    const path = join(folder, name);
    const run = ASIDE.exec(name)?.[1];
    if (run === undefined)
      return !isDeep || name.startsWith(".") || name === "node_modules"
        ? []
        : recoverAsides(path, isKnown, { isDeep });
    if (isAlive(Number(run))) return [];
    const back = readdirSync(path).flatMap(
      (file) => settle(join(path, file), join(folder, file), isKnown) ?? [],
    );
    removeIfEmpty(path);
    return back;
  });
}

/** Lists the folders in a folder. None if it is gone or unreadable: no run of ours worked there. */
function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if (/^(?:ENOENT|EACCES|EPERM)$/.test((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}

function settle(aside: string, path: string, isKnown: (hash: string) => boolean): Recovered | undefined {
  const stat = statLink(aside);
  if (stat === undefined) return undefined;
  const isThere = statLink(path) !== undefined;
  if (isThere && stat.isFile() && isKnown(hash(readRegular(aside, path)))) {
    rmSync(aside, { force: true });
    return undefined;
  }
  return { file: path, as: bringBack(aside, path) };
}

function bringBack(aside: string, path: string): string | undefined {
  for (let count = 0; ; count++) {
    const place = count === 0 ? path : join(dirname(path), nameBeside(basename(path), count));
    if (!linkInto(aside, place)) continue;
    rmSync(aside, { force: true });
    return count === 0 ? undefined : place;
  }
}

// Error codes of disks without hard links, on Windows EISDIR, and of systems that forbid linking another user's file.
const NO_LINKS = new Set([
  "EISDIR",
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
  "EACCES",
  "EINVAL",
]);

/** Renames a file; false if the name is taken. Uses a hard link where the system has them. */
export function linkInto(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code === "EEXIST") return false;
    if (!NO_LINKS.has(code)) throw explainWriting(error, to);
  }
  if (statLink(to) !== undefined) return false;
  renameFile(from, to);
  return true;
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // An editor left something in it: the next run looks again.
  }
}
