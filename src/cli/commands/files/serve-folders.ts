import { dirname } from "node:path";
import type { RequestWorker } from "../../../http/worker.ts";
import type { Manuscript, Surroundings } from "../../../service/manuscript.ts";
import type { FolderShelf } from "../../../service/shelf/folder-shelf.ts";
import type { LockedFolder } from "../../../service/shelf/lock-folder.ts";
import type { ToServe } from "../../input/served-files.ts";

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
