import { realpathSync, statSync } from "node:fs";
import type { RequestWorker } from "../../../http/worker.ts";
import { BadRequest } from "../../../refusals.ts";
import {
  assertNotMissing,
  listMissing,
  type Manuscript,
  type Surroundings,
} from "../../../service/manuscript.ts";
import type { FolderShelf } from "../../../service/shelf/folder-shelf.ts";
import { listManuscripts } from "../../../service/shelf/list-manuscripts.ts";
import type { LockedFolder } from "../../../service/shelf/lock-folder.ts";
import type { Locked } from "../../../service/shelf/open-locked.ts";
import { placeOf } from "../../input/arguments.ts";
import { completed, missing, theManuscriptFile } from "../../input/manuscript-file.ts";
import type { Call } from "../../io/call.ts";

/** What a server serves besides the files that it opens at its start. */
export interface ServedFolders {
  shelf: FolderShelf;
  /** The files that there are now. */
  files: readonly string[];
  /** Writes down where they are served, and warns of copies. */
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
  { files, folders, within }: ToServe,
  { worker, surroundings, isFirst, warn, ...options }: Opening,
): Promise<ServedFolders | undefined> {
  if (folders.length === 0) return undefined;
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
  const shelf = new FolderShelf(folders, { ...options, except: files, surroundings, opened, closed });
  const close = () => {
    shelf.close();
    unlock();
  };
  const announce = (url: string) => {
    for (const folder of locked) folder.announce(url);
    for (const paths of shelf.twins)
      warn(
        `${paths.join(" and ")} are copies of one manuscript, with the same keys: neither is served until one is left.`,
      );
  };
  return { shelf, files: within, announce, close };
}

/** The files and folders to serve, each once and with its links resolved. */
export interface ToServe {
  /** Opened at the start, and open until the end. */
  files: string[];
  /** Folders, whose manuscripts are opened when a request needs them. */
  folders: string[];
  /** The files that are in the folders now. */
  within: string[];
}

/** Finds what a server is to serve. Throws `NotFound` for a missing file, and for a folder without a manuscript. */
export function servedPlaces(call: Call, names: readonly string[]): ToServe {
  const paths = names.length === 0 ? [theManuscriptFile(call)] : names.map((name) => placeNamed(call, name));
  const places = [...new Set(paths.map((path) => realpathSync(path)))];
  const folders = places.filter((path) => statSync(path).isDirectory());
  const files = places.filter((path) => !folders.includes(path));
  const within = folders.flatMap((folder) => {
    const found = listManuscripts(folder);
    if (found.length === 0) {
      for (const path of listMissing(folder)) assertNotMissing(path);
      throw missing(folder);
    }
    return found;
  });
  return { files, folders, within: within.filter((path) => !files.includes(path)) };
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
