import { realpathSync, type Stats, statSync } from "node:fs";
import { createMint } from "../../ids.ts";
import { NotFound, Unavailable } from "../../refusals.ts";
import { openToExamine } from "../../store/file/open.ts";
import { readSetting } from "../../store/rows/account.ts";
import type { Manuscript, Surroundings } from "../manuscript.ts";
import { listManuscripts } from "./list-manuscripts.ts";
import { type Locked, openLocked } from "./open-locked.ts";
import type { ServedShelf } from "./shelf.ts";

/** Settings of a shelf, and who hears of its files. */
export interface FolderShelfOptions {
  /** Files that are served by other means. */
  except?: readonly string[];
  /** Files that are open at a time, at most. */
  most?: number;
  /** How each is opened. */
  surroundings?: Surroundings;
  opened?: (manuscript: Manuscript) => void;
  closed?: (path: string) => void;
}

/** An open file, and how many promises hold it open. */
type OpenFile = Locked & { uses: number };

/** How many files are open at a time by default. */
const MOST_OPEN = 32;

/**
 * The manuscripts of whole folders, tens of them: each is opened when its key comes first, under the lock of a server, and
 * closed when others need its place. The folders are read again whenever a key names a writer whose file is not open.
 */
export class FolderShelf implements ServedShelf {
  readonly #folders: readonly string[];
  readonly #options: FolderShelfOptions;
  readonly #most: number;
  /** By writer, least recently used first. */
  readonly #open = new Map<string, OpenFile>();
  /** The writer of each file, read when its state was `mark`. */
  readonly #writers = new Map<string, { mark: string; writer: string | undefined }>();

  constructor(folders: readonly string[], options: FolderShelfOptions = {}) {
    this.#folders = folders;
    this.#options = options;
    this.#most = options.most ?? MOST_OPEN;
  }

  find(writer: string): Manuscript | undefined {
    const file = this.#open.get(writer) ?? this.#openFileOf(writer);
    if (file === undefined) return undefined;
    this.#open.delete(writer);
    this.#open.set(writer, file);
    return file.manuscript;
  }

  hold(manuscript: Manuscript, work: Promise<unknown>): void {
    const file = this.#open.get(manuscript.writer);
    if (file?.manuscript !== manuscript) return;
    file.uses++;
    const release = () => void file.uses--;
    work.then(release, release);
  }

  lose(manuscript: Manuscript): void {
    const file = this.#open.get(manuscript.writer);
    if (file?.manuscript === manuscript && file.uses === 0) this.#close(file);
  }

  *approvedWithin(ms: number): Generator<Manuscript> {
    const since = Date.now() - ms;
    for (const path of this.files) {
      const isRecent = [path, `${path}-wal`].some((name) => (statOf(name)?.mtimeMs ?? 0) >= since);
      const manuscript = isRecent ? this.at(path) : undefined;
      if (manuscript !== undefined) yield manuscript;
    }
  }

  /** The manuscript in this file; undefined if it cannot be opened. */
  at(path: string): Manuscript | undefined {
    const writer = this.#writerOf(path);
    try {
      return writer === undefined ? undefined : this.find(writer);
    } catch {
      return undefined; // whoever sends its key is told why
    }
  }

  /** Paths of all files that there are now, links resolved. */
  get files(): string[] {
    const paths = this.#folders.flatMap(listReadable).map((path) => realpathSync(path));
    return [...new Set(paths)].filter((path) => !this.#options.except?.includes(path));
  }

  /** Files of one writer, which no key can tell apart. */
  get twins(): string[][] {
    const { files } = this;
    const writers = new Set(files.map((path) => this.#writerOf(path)));
    writers.delete(undefined);
    return [...writers]
      .map((writer) => files.filter((path) => this.#writerOf(path) === writer))
      .filter((paths) => paths.length > 1);
  }

  /** The manuscripts that are open now. */
  get open(): readonly Manuscript[] {
    return [...this.#open.values()].map(({ manuscript }) => manuscript);
  }

  /** Closes every file. */
  close(): void {
    for (const file of [...this.#open.values()]) this.#close(file);
  }

  #openFileOf(writer: string): OpenFile | undefined {
    const [path, ...others] = this.files.filter((one) => this.#writerOf(one) === writer);
    if (path === undefined) return undefined;
    if (others.length > 0)
      throw new Unavailable(
        `${[path, ...others].join(" and ")} are copies of one manuscript, with the same keys; leave one of them in its folder.`,
      );
    this.#makeRoom();
    const file = this.#lockAndOpen(path);
    if (file?.manuscript.writer === writer) {
      this.#open.set(writer, file);
      this.#options.opened?.(file.manuscript);
      return file;
    }
    file?.close(); // another manuscript was put there
    return undefined;
  }

  #lockAndOpen(path: string): OpenFile | undefined {
    try {
      return { ...openLocked(path, this.#options.surroundings ?? {}), uses: 0 };
    } catch (error) {
      if (error instanceof NotFound) return undefined; // it was removed a moment ago
      throw error;
    }
  }

  /** Closes those that were used least recently, until there is a place. Throws `Unavailable` if all are in use. */
  #makeRoom(): void {
    for (const file of this.#open.values()) {
      if (this.#open.size < this.#most) return;
      if (file.uses === 0) this.#close(file);
    }
    if (this.#open.size >= this.#most)
      throw new Unavailable(
        `${this.#most} manuscripts are in use, and no more may be open at a time; try again soon, or start the server with a larger --open-files.`,
      );
  }

  #close(file: OpenFile): void {
    this.#open.delete(file.manuscript.writer);
    file.close();
    this.#options.closed?.(file.path);
  }

  /** The writer of a file, read from it if it has changed; the last one known of a file that cannot be read. */
  #writerOf(path: string): string | undefined {
    const stat = statOf(path);
    if (stat === undefined) return undefined;
    const mark = [stat.dev, stat.ino, stat.size, stat.mtimeMs].join(":");
    const known = this.#writers.get(path);
    if (known?.mark === mark && known.writer !== undefined) return known.writer;
    const writer = readWriter(path) ?? known?.writer;
    this.#writers.set(path, { mark, writer });
    return writer;
  }
}

function readWriter(path: string): string | undefined {
  try {
    const store = openToExamine(path, { clock: Date.now, mint: createMint() });
    try {
      return readSetting(store, "writer");
    } finally {
      store.close();
    }
  } catch {
    return undefined;
  }
}

function listReadable(folder: string): string[] {
  try {
    return listManuscripts(folder);
  } catch {
    return [];
  }
}

/** Undefined for what is not there, or may not be looked at. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
