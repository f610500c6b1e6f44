import { existsSync, readdirSync, type Stats, statSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { createMint } from "../../../ids.ts";
import { MANUSCRIPT_ENDING } from "../../../store/copies.ts";
import { codeOf } from "../../../store/file/explain.ts";
import { openToExamine } from "../../../store/file/open.ts";
import { peekSetting } from "../../../store/file/peek-setting.ts";
import { readSetting } from "../../../store/rows/account.ts";

/** What is known of a file without opening it. */
interface Entry {
  /** Its device, inode, size and time when its writer was read. */
  mark: string;
  writer: string | undefined;
}

/** What a catalog takes from outside. */
export interface CatalogOptions {
  /** Files that are served by other means. */
  except?: readonly string[];
  /** The folders are looked through again at most so often, in milliseconds. */
  pauseMs?: number;
}

/** How long one slice of looking through a folder holds up everybody else, in milliseconds. */
const SLICE_MS = 4;
/** What is asked for with wrong keys costs little. */
const PAUSE_MS = 1000;
/** A file that was overwritten in its place does not change the folder: all are looked at again after this. */
const STALE_MS = 10_000;
/** Of the time, at most this part is spent on looking. */
const SHARE = 1 / 20;
/** A folder's time is that of the system's clock tick: what came in the same tick would go unseen. */
const TICK_MS = 50;

/**
 * Which file of some folders is which writer's, read from the files themselves, in slices, and again when a folder has
 * changed. It is a hint: whoever opens a file looks whose it is.
 */
export class Catalog {
  /** Folders, and files that are served alike. */
  readonly #places: readonly string[];
  /** Files that are served by other means. */
  readonly #except: ReadonlySet<string>;
  readonly #pauseMs: number;
  #entries = new Map<string, Entry>();
  #paths = new Map<string, string[]>();
  /** The time of each folder before it was looked through last. */
  #seen = "";
  #lookedAt = -Infinity;
  #tookMs = 0;
  #looking: Promise<void> | undefined;

  constructor(places: readonly string[], { except = [], pauseMs = PAUSE_MS }: CatalogOptions = {}) {
    this.#places = places;
    this.#pauseMs = pauseMs;
    this.#except = new Set(except);
  }

  /** The files of this writer as far as is known: more than one if somebody has made copies. */
  pathsOf(writer: string): readonly string[] {
    return this.#paths.get(writer) ?? [];
  }

  /** Whose this file is, as far as is known. */
  writerOf(path: string): string | undefined {
    if (!this.#entries.has(path)) this.#read(path);
    return this.#entries.get(path)?.writer;
  }

  /** Every file that is known. */
  get files(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Every writer with several files, which no key can tell apart. */
  get twins(): readonly (readonly string[])[] {
    return [...this.#paths.values()].filter((paths) => paths.length > 1);
  }

  /** Resolves when the folders have been looked through; undefined if nothing new would be found. */
  learn(): Promise<void> | undefined {
    if (this.#looking !== undefined) return this.#looking;
    const age = performance.now() - this.#lookedAt;
    if (age < STALE_MS && this.#times() === this.#seen) return undefined;
    const pauseMs = Math.max(this.#pauseMs, this.#tookMs / SHARE) - age;
    this.#looking = this.#look(Math.max(0, pauseMs)).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Forgets a file that turned out to be gone, or another writer's: it is looked at again. */
  forget(path: string): void {
    this.#drop(path);
    this.#seen = "";
  }

  /** The files that were written since a time, in milliseconds since 1970, or are open somewhere; the newest first. */
  writtenSince(time: number): string[] {
    const names = new Set(
      this.#places.flatMap((folder) => namesIn(folder).map((name) => join(folder, name))),
    );
    const found = [...this.#entries.keys()].flatMap((path) => {
      const isOpen = names.has(`${path}-wal`);
      const at = isOpen ? Infinity : (statOf(path)?.mtimeMs ?? 0);
      return at >= time ? [{ path, at }] : [];
    });
    return found.sort((a, b) => (a.at < b.at ? 1 : -1)).map(({ path }) => path);
  }

  async #look(pauseMs: number): Promise<void> {
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
    const start = performance.now();
    const seen = this.#times();
    const found = new Set<string>();
    for (const place of this.#places) for (const path of await listPaths(place)) found.add(path);
    for (const path of this.#entries.keys()) if (!found.has(path)) this.#drop(path);
    let end = performance.now() + SLICE_MS;
    for (const path of found) {
      if (!this.#except.has(path)) this.#read(path);
      if (performance.now() < end) continue;
      await breathe();
      end = performance.now() + SLICE_MS;
    }
    this.#seen = seen;
    this.#lookedAt = performance.now();
    this.#tookMs = this.#lookedAt - start;
  }

  #read(path: string): void {
    const stat = statOf(path);
    if (!stat?.isFile()) {
      this.#drop(path);
      return;
    }
    const mark = markOf(stat);
    const known = this.#entries.get(path);
    if (known?.mark === mark) return;
    const writer = peekSetting(path, "writer") ?? examine(path);
    if (known?.writer !== undefined && known.writer !== writer) this.#drop(path);
    this.#entries.set(path, { mark, writer });
    if (writer === undefined) return;
    const paths = this.#paths.get(writer) ?? [];
    if (!paths.includes(path)) this.#paths.set(writer, [...paths, path]);
  }

  #drop(path: string): void {
    const { writer = "" } = this.#entries.get(path) ?? {};
    this.#entries.delete(path);
    const left = this.#paths.get(writer)?.filter((other) => other !== path) ?? [];
    if (left.length > 0) this.#paths.set(writer, left);
    else this.#paths.delete(writer);
  }

  #times(): string {
    const now = Date.now();
    return this.#places
      .map((place) => statOf(place)?.mtimeMs ?? 0)
      .map((at) => (now - at < TICK_MS ? `${at} ${performance.now()}` : String(at)))
      .join();
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

function markOf({ dev, ino, size, mtimeMs }: Stats): string {
  return `${dev}:${ino}:${size}:${mtimeMs}`;
}

/** Whose a file is that has it in its log alone, as when its maker was killed. */
function examine(path: string): string | undefined {
  if (!existsSync(`${path}-wal`)) return undefined;
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

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The manuscripts in a folder; hidden ones apart. */
async function listPaths(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder, { withFileTypes: true });
    const own = names.filter(({ name }) => name.endsWith(MANUSCRIPT_ENDING) && !name.startsWith("."));
    return await Promise.all(
      own.map((one) => {
        const path = join(folder, one.name);
        return one.isSymbolicLink() ? realpath(path).catch(() => path) : path;
      }),
    );
  } catch (error) {
    return codeOf(error) === "ENOTDIR" ? [folder] : []; // it is a file, or gone with its files
  }
}
