import { randomBytes } from "node:crypto";
import { linkSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isAlive } from "./atomic-write.ts";
import { explainWriting } from "./explain-error.ts";
import { nameBeside } from "./name-beside.ts";
import { hash, readRegular, statLink } from "./text-file.ts";

/** What a folder is called that holds files which are being replaced. The number is that of the process. */
const ASIDE = /^\.manuscript-(\d+)-[0-9a-f]+\.aside$/;

/**
 * Files that are being replaced: renamed into a hidden folder beside them, by their own names. What is not known to be
 * somewhere else is never removed: it goes back into its place, or beside it as NAME.conflict.md.
 */
export class Asides {
  readonly #folders = new Set<string>();
  /** The file that each was, and the hash of what may be dropped. */
  readonly #files = new Map<string, { path: string; known: string }>();

  /** Renames a file aside, whatever it says by now; undefined if there is none. Throws `Unavailable`. */
  take(path: string, known: string): string | undefined {
    const aside = join(this.#folderFor(path), basename(path));
    try {
      renameSync(path, aside);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw explainWriting(error, path);
    }
    this.#files.set(aside, { path, known });
    return aside;
  }

  /** Puts a file back into its place, or beside it if something is there by now; then where. */
  putBack(aside: string): string | undefined {
    const file = this.#files.get(aside);
    this.#files.delete(aside);
    return file && bringBack(aside, file.path);
  }

  /** Removes a file for good if it is still what is known, else puts it back; whether it is gone. */
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

  /** Ends: what was not placed goes back, what is known goes. */
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

/** A file that a stopped run had aside and that is back: in its place, or beside it under another name. */
export interface Recovered {
  file: string;
  as: string | undefined;
}

/**
 * Brings back what runs that were stopped had aside in a folder, and in those below it where `isDeep`. A file whose place was
 * taken since goes if its text is known, else it stands beside it as NAME.conflict.md. What a run that lives has aside stays.
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

/** The folders in a folder; none in one that has gone meanwhile or may not be read: no run of ours worked there. */
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

// What disks answer that have no hard links, and systems that let nobody link another's file.
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EACCES", "EINVAL"]);

/** Gives a file another name; false if something has it. Where there are no links the file is renamed. */
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
  renameSync(from, to);
  return true;
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // an editor has left something in it: the next run looks again
  }
}
