import { realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { RequestWorker } from "../../../http/worker.ts";
import { BadRequest } from "../../../refusals.ts";
import {
  assertNotMissing,
  listMissing,
  type Manuscript,
  type Surroundings,
} from "../../../service/manuscript.ts";
import type { FolderShelf } from "../../../service/shelf/folder-shelf.ts";
import type { LockedFolder } from "../../../service/shelf/lock-folder.ts";
import type { Locked } from "../../../service/shelf/open-locked.ts";
import { placeOf } from "../../input/arguments.ts";
import { completed, listManuscripts, missing, theManuscriptFile } from "../../input/manuscript-file.ts";
import type { Call } from "../../io/call.ts";

/** What a server serves besides the files that it opens at its start. */
export interface ServedFolders {
  shelf: FolderShelf;
  /** The files that there are now. */
  files: readonly string[];
  /** Writes down where they are served, and begins to learn whose they are. */
  announce(url: string): void;
  close(): void;
}

/** How the files of folders are opened. */
interface Opening {
  /** Files that are open at a time, at most. */
  most?: number;
  worker: RequestWorker;
  surroundings: Surroundings;
  /** Is told of each file when it is opened first. */
  isFirst: (manuscript: Manuscript) => void;
  /** Is told of files that no key can tell apart. */
  warn: (message: string) => void;
}

/** Locks the folders that are to be served; undefined if there are none. Throws `Unavailable` if another server has one. */
export async function serveFolders(
  { files, folders, lazy }: ToServe,
  { worker, surroundings, isFirst, warn, ...options }: Opening,
): Promise<ServedFolders | undefined> {
  if (folders.length + lazy.length === 0) return undefined;
  const { FolderShelf } = await import("../../../service/shelf/folder-shelf.ts");
  const { lockServedFolder } = await import("../../../service/shelf/lock-folder.ts");
  const locked: LockedFolder[] = [];
  const unlock = () => {
    for (const folder of locked) folder.unlock();
  };
  try {
    for (const folder of folders) locked.push(lockServedFolder(folder));
  } catch (error) {
    unlock();
    throw error;
  }
  const seen = new Set<string>();
  const opened = (manuscript: Manuscript) => {
    if (!seen.has(manuscript.store.path)) isFirst(manuscript);
    seen.add(manuscript.store.path);
  };
  const closed = (path: string) => worker.closeFile(path);
  const others = lazy.filter((path) => !folders.includes(dirname(path)));
  const shelf = new FolderShelf([...folders, ...others], {
    ...options,
    ...{ except: files, surroundings, opened, closed },
  });
  const close = () => {
    shelf.close();
    unlock();
  };
  const announce = (url: string) => {
    for (const folder of locked) folder.announce(url);
    void shelf.learn()?.then(() => tellOfCopies(shelf, warn));
  };
  return { shelf, files: lazy, announce, close };
}

function tellOfCopies({ catalog: { twins } }: FolderShelf, warn: (message: string) => void): void {
  for (const paths of twins)
    warn(
      `${paths.join(" and ")} are copies of one manuscript, with the same keys: neither is served until one is left.`,
    );
}

/** Returns the files and folders to serve, each once and with its links resolved. */
export interface ToServe {
  /** Opened at the start, and open until the end. */
  files: string[];
  /** Folders, all of whose manuscripts are opened when they are asked for. */
  folders: string[];
  /** The files that are opened so: those that are in the folders now, and others. */
  lazy: string[];
}

/**
 * The files and folders that a server is to serve; with `isLazy` no file is opened before it is asked for. Throws `NotFound` for
 * what is not there, and for a folder without a manuscript.
 */
export function servedPlaces(call: Call, names: readonly string[], isLazy = false): ToServe {
  const paths = names.length === 0 ? [theManuscriptFile(call)] : names.map((name) => placeNamed(call, name));
  const places = [...new Set(paths.map((path) => realpathSync(path)))];
  const folders = places.filter((path) => statSync(path).isDirectory());
  const named = places.filter((path) => !folders.includes(path));
  const within = folders.flatMap((folder) => {
    const found = listManuscripts(folder);
    if (found.length === 0) {
      for (const path of listMissing(folder)) assertNotMissing(path);
      throw missing(folder);
    }
    return found;
  });
  if (isLazy) return { files: [], folders, lazy: [...new Set([...within, ...named])] };
  return { files: named, folders, lazy: within.filter((path) => !named.includes(path)) };
}

function placeNamed(call: Call, name: string): string {
  const path = completed(placeOf(call, name, "A file"));
  if (statSync(path, { throwIfNoEntry: false }) === undefined) throw missing(path);
  return path;
}

/**
 * Locks a manuscript and opens it as a server does. Throws `Unavailable` if another server has it, and `BadRequest` for a copy
 * of one that is served here: a key could not tell them apart.
 */
export async function openServed(
  path: string,
  others: readonly Locked[],
  options: Pick<Surroundings, "create" | "network" | "warn">,
): Promise<Locked> {
  const { openLocked } = await import("../../../service/shelf/open-locked.ts");
  const served = openLocked(path, options);
  const twin = others.find(({ manuscript: { writer } }) => writer === served.manuscript.writer);
  if (twin === undefined) return served;
  served.close();
  throw new BadRequest(
    `${path} and ${twin.path} are copies of one manuscript, with the same keys; serve one of them.`,
  );
}
