import { existsSync } from "node:fs";
import { NotFound, Unavailable } from "../../refusals.ts";
import type { Manuscript, Surroundings } from "../manuscript.ts";
import { Catalog, type CatalogOptions } from "./catalog/catalog.ts";
import { type Locked, MOST_CACHE_MIB, openLocked } from "./open-locked.ts";
import type { ServedShelf } from "./shelf.ts";

/** What a shelf takes from outside, and how much it keeps. */
export interface FolderShelfOptions extends CatalogOptions {
  /** Files that are open at a time, at most. */
  most?: number;
  /** How long a file stays open that nobody asks for, in milliseconds. */
  idleMs?: number;
  /** How each is opened. */
  surroundings?: Surroundings;
  /** Is told of each file when it has been opened. */
  opened?: (manuscript: Manuscript) => void;
  /** Is told of each file when it has been closed. */
  closed?: (path: string) => void;
}

/** A file that is open here. */
interface Kept extends Locked {
  /** What holds it open. */
  uses: number;
  /** The round in which it was asked for last. */
  round: number;
}

/** How many files are open at a time by default. */
const MOST_OPEN = 256;
const IDLE_MS = 60_000;
/** An idle file is open for so many rounds more. */
const ROUNDS = 4;
/** The pages of all open files together, in MiB. */
const CACHES_MIB = 128;
/** How many files are looked into for an approval. */
const MOST_APPROVED = 64;

/**
 * The manuscripts of whole folders, thousands of them: each is opened when its key comes first, under the lock of a server,
 * and closed when nobody has asked for it for a while, or when others need its place.
 */
export class FolderShelf implements ServedShelf {
  readonly catalog: Catalog;
  readonly #options: FolderShelfOptions;
  readonly #most: number;
  /** By writer, least recently asked for first. */
  readonly #kept = new Map<string, Kept>();
  readonly #ticking: NodeJS.Timeout;
  #newest: Kept | undefined;
  #round = 0;

  constructor(folders: readonly string[], options: FolderShelfOptions = {}) {
    const { most = MOST_OPEN, idleMs = IDLE_MS } = options;
    this.catalog = new Catalog(folders, options);
    this.#options = options;
    this.#most = most;
    this.#ticking = setInterval(() => this.#closeIdle(), idleMs / ROUNDS).unref();
  }

  find(writer: string): Manuscript | undefined {
    const kept = this.#kept.get(writer) ?? this.#open(writer);
    if (kept === undefined) return undefined;
    kept.round = this.#round;
    if (kept !== this.#newest) {
      this.#newest = kept;
      this.#kept.delete(writer);
      this.#kept.set(writer, kept);
    }
    return kept.manuscript;
  }

  learn(): Promise<void> | undefined {
    return this.catalog.learn();
  }

  hold(manuscript: Manuscript, work: Promise<unknown>): void {
    const kept = this.#kept.get(manuscript.writer);
    if (kept?.manuscript !== manuscript) return;
    kept.uses++;
    const release = () => void kept.uses--;
    work.then(release, release);
  }

  lose(manuscript: Manuscript): void {
    const kept = this.#kept.get(manuscript.writer);
    if (kept?.manuscript !== manuscript || kept.uses > 0) return;
    this.#close(kept);
    this.catalog.forget(kept.path);
  }

  *approvedWithin(ms: number): Generator<Manuscript> {
    const paths = this.catalog.writtenSince(Date.now() - ms);
    for (const path of paths.slice(0, MOST_APPROVED)) {
      const manuscript = this.at(path);
      if (manuscript !== undefined) yield manuscript;
    }
  }

  /** The manuscript in this file; undefined if it cannot be opened. */
  at(path: string): Manuscript | undefined {
    const writer = this.catalog.writerOf(path);
    try {
      return writer === undefined ? undefined : this.find(writer);
    } catch {
      return undefined; // whoever asks for it is told
    }
  }

  /** The manuscripts that are open now. */
  get open(): readonly Manuscript[] {
    return [...this.#kept.values()].map(({ manuscript }) => manuscript);
  }

  /** Closes every file. */
  close(): void {
    clearInterval(this.#ticking);
    for (const kept of [...this.#kept.values()]) this.#close(kept);
  }

  #open(writer: string): Kept | undefined {
    const [path, ...others] = this.catalog.pathsOf(writer).filter((one) => existsSync(one));
    if (path === undefined) {
      for (const gone of this.catalog.pathsOf(writer)) this.catalog.forget(gone);
      return undefined;
    }
    if (others.length > 0)
      throw new Unavailable(
        `${[path, ...others].join(" and ")} are copies of one manuscript, with the same keys; leave one of them in its folder.`,
      );
    this.#makeRoom();
    const kept = this.#lockAndOpen(path);
    if (kept?.manuscript.writer === writer) {
      this.#kept.set(writer, kept);
      this.#options.opened?.(kept.manuscript);
      return kept;
    }
    kept?.close();
    this.catalog.forget(path); // another manuscript was put there
    return undefined;
  }

  #lockAndOpen(path: string): Kept | undefined {
    const cacheMib = CACHES_MIB / Math.max(this.#most, CACHES_MIB / MOST_CACHE_MIB);
    try {
      const locked = openLocked(path, { ...this.#options.surroundings, cacheMib });
      return { ...locked, uses: 0, round: this.#round };
    } catch (error) {
      if (error instanceof NotFound) return undefined; // it was removed a moment ago
      throw error;
    }
  }

  /** Closes those that were asked for least recently, until there is a place. Throws `Unavailable` if all are in use. */
  #makeRoom(): void {
    for (const kept of this.#kept.values()) {
      if (this.#kept.size < this.#most) return;
      if (kept.uses === 0) this.#close(kept);
    }
    if (this.#kept.size >= this.#most)
      throw new Unavailable(
        `${this.#most} manuscripts are in use, and no more may be open at a time; try again soon, or start the server with a larger --open-files.`,
      );
  }

  #closeIdle(): void {
    this.#round++;
    for (const kept of this.#kept.values()) {
      if (this.#round - kept.round <= ROUNDS) return; // so are all after it
      if (kept.uses === 0) this.#close(kept);
    }
  }

  #close(kept: Kept): void {
    this.#kept.delete(kept.manuscript.writer);
    if (this.#newest === kept) this.#newest = undefined;
    kept.close();
    this.#options.closed?.(kept.path);
  }
}
