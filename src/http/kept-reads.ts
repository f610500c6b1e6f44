import { findVersion } from "../service/books/read-chapter.ts";
import { localDay, type Manuscript } from "../service/manuscript.ts";
import { readIfNoneMatch } from "./entity-tag.ts";
import type { Finished } from "./helpers/asked.ts";

/** A moment of an open file; answers may tell of the last days, so it has a local day, too. */
export interface Moment {
  store: Manuscript["store"];
  state: number;
  day: string;
}

/** An answer as it was given, and the moment before it was read; a file that was closed meanwhile is not held by it. */
interface Kept extends Omit<Moment, "store"> {
  store: WeakRef<Manuscript["store"]>;
  finished: Finished;
  /** That the client has it already. */
  unchanged: Finished;
  sizeBytes: number;
}

/** This moment of a manuscript's file. */
export function momentOf({ store }: Manuscript): Moment {
  return { store, state: store.state(), day: localDay(store.clock()) };
}

/** What an answer takes besides its body. */
const AROUND_BYTES = 1024;
/** One answer may take up this share of all. */
const SHARE = 1 / 4;
const MIB = 2 ** 20;

/**
 * Finished answers of reads, given again as long as nothing was written to their file, by whatever program; of a chapter, as
 * long as its own version is the same. Those that were asked for least recently go when all take more than their room.
 */
export class KeptReads {
  readonly #mostBytes: number;
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>();
  #sizeBytes = 0;

  constructor(mostMib: number) {
    this.#mostBytes = mostMib * MIB;
  }

  /** What all answers take together, in bytes. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** The answer that goes by this name, or that the client has it already; undefined if it is to be read. */
  find(manuscript: Manuscript, name: string, ifNoneMatch: string | undefined): Finished | undefined {
    const key = `${manuscript.writer} ${name}`;
    const kept = this.#kept.get(key);
    if (kept === undefined || !isCurrent(manuscript, kept)) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const { finished } = kept;
    const { ETag: tag } = finished.headers;
    if (tag !== undefined && (tag === ifNoneMatch || readIfNoneMatch(ifNoneMatch)?.(tag.slice(1, -1))))
      return kept.unchanged;
    return finished.body === undefined ? undefined : finished;
  }

  /** Keeps an answer that was read at this moment, or later. */
  keep({ writer }: Manuscript, name: string, moment: Moment, finished: Finished): void {
    const { status, headers, body, chapter } = finished;
    if (status !== 200 && status !== 304) return;
    const key = `${writer} ${name}`;
    this.#drop(key);
    const sizeBytes = (body?.length ?? 0) + 2 * key.length + AROUND_BYTES;
    if (sizeBytes > this.#mostBytes * SHARE) return;
    const { "Content-Type": _, ...known } = headers;
    this.#kept.set(key, {
      finished: { status: 200, headers, body: body && standingAlone(body), chapter },
      unchanged: { status: 304, headers: known, body: undefined },
      ...moment,
      store: new WeakRef(moment.store),
      sizeBytes,
    });
    this.#sizeBytes += sizeBytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#sizeBytes <= this.#mostBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#sizeBytes -= this.#kept.get(key)?.sizeBytes ?? 0;
    this.#kept.delete(key);
  }
}

/** Whether reading again would give the same. */
function isCurrent(manuscript: Manuscript, kept: Kept): boolean {
  const { store } = manuscript;
  if (kept.store.deref() !== store || kept.day !== localDay(store.clock())) return false;
  const state = store.state();
  if (kept.state === state) return true;
  const { chapter } = kept.finished;
  const now = chapter && findVersion(manuscript, chapter.chapterId);
  if (now === undefined || now.revision !== chapter?.revision || now.version !== chapter.version)
    return false;
  kept.state = state;
  return true;
}

/** A small buffer is part of a larger one, which would be kept with it. */
function standingAlone(body: Buffer): Buffer {
  return body.length === body.buffer.byteLength ? body : Buffer.from(Uint8Array.from(body).buffer);
}
