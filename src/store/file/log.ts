import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { endianness } from "node:os";
import { pause } from "../../disk.ts";
import { openRaw, type RawFile, readBase, readStamp } from "./disk/raw-file.ts";
import type { Statement } from "./driver.ts";

/** A page as a transaction left it in the log (SQLite's WAL). */
export interface Frame {
  /** Number of the page, from 1. */
  page: number;
  content: Buffer;
  /** Pages of the file after the transaction that ends with this frame; 0 where it goes on. */
  pagesAfter: number;
}

/** Bytes before the first frame. */
export const LOG_HEADER_BYTES = 32;
/** Bytes before a frame's page. */
export const FRAME_HEADER_BYTES = 24;
const MAGIC = 0x377f0682; // its last bit tells the byte order of the checksums

/** The bytes of the log beside a file; undefined if there is none, or one in which nothing was begun. */
export function readLog(path: string): Buffer | undefined {
  try {
    const bytes = readFileSync(`${path}-wal`); // SQLite locks nothing in it, so it may be closed again
    return bytes.length > LOG_HEADER_BYTES ? bytes : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

const LONG_BYTES = 16 * 1024 * 1024;
const PATIENCE_MS = 2000;
const LOOK_MS = 25;

/** A file's log as it grows under other programs' saves, beside one who reads for long. */
export class LongLog {
  readonly #path: string;
  readonly #pause: typeof pause;
  #most = LONG_BYTES;

  constructor(path: string, pauses = pause) {
    this.#path = path;
    this.#pause = pauses;
  }

  /**
   * To be called while nothing is being read: if the log is long by now, waits for the next save of another program to take it
   * into the file, which can not while somebody reads.
   */
  wait(): void {
    for (let waited = 0; this.#size() > this.#most; waited += LOOK_MS) {
      if (waited >= PATIENCE_MS) {
        this.#most = this.#size() + LONG_BYTES; // nobody does, so it stays for now
        return;
      }
      this.#pause(LOOK_MS);
    }
    if (this.#size() < LONG_BYTES) this.#most = LONG_BYTES;
  }

  #size(): number {
    return statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }
}

/** Whether a log's first bytes are those of a log. */
export function isLog(log: Buffer): boolean {
  return log.length >= LOG_HEADER_BYTES && (log.readUInt32BE(0) & ~1) === MAGIC;
}

/** The salts of a log, which each that is begun has anew; undefined of what is none. */
export function saltsOf(log: Buffer): Buffer | undefined {
  return isLog(log) ? log.subarray(16, 24) : undefined;
}

/** Whether a frame was written since the log was last begun anew: it has the salts of the log's header. */
export function isOfLog(log: Buffer, frameHeader: Buffer): boolean {
  return frameHeader.length >= 16 && log.compare(frameHeader, 8, 16, 16, 24) === 0;
}

/** The frames of transactions that were committed, in order. `isChecked` leaves out what does not have its checksum, and all behind. */
export function listFrames(log: Buffer, { isChecked }: { isChecked: boolean }): Frame[] {
  if (!isLog(log)) return [];
  const pageSize = log.readUInt32BE(8);
  const frameBytes = FRAME_HEADER_BYTES + pageSize;
  const sum = isChecked ? checksums(log) : undefined;
  const frames: Frame[] = [];
  let committed = 0;
  for (let at = LOG_HEADER_BYTES; at + frameBytes <= log.length; at += frameBytes) {
    const header = log.subarray(at, at + FRAME_HEADER_BYTES);
    if (!isOfLog(log, header)) break;
    const content = log.subarray(at + FRAME_HEADER_BYTES, at + frameBytes);
    if (sum?.(at) === false) break;
    const pagesAfter = header.readUInt32BE(4);
    frames.push({ page: header.readUInt32BE(0), content, pagesAfter });
    if (pagesAfter > 0) committed = frames.length;
  }
  return frames.slice(0, committed);
}

/** Tells of the frame that begins at a byte whether it is as it was written; to be asked of each in turn. Source: https://sqlite.org/fileformat.html. */
function checksums(log: Buffer): (at: number) => boolean {
  const words = wordsOf(log);
  const frameBytes = FRAME_HEADER_BYTES + log.readUInt32BE(8);
  let first = 0;
  let second = 0;
  const add = (from: number, to: number) => {
    for (let at = from >> 2; at < to >> 2; at += 2) {
      first = (first + words[at]! + second) | 0; // within the log
      second = (second + words[at + 1]! + first) | 0; // as above
    }
  };
  const isAt = (at: number) => log.readInt32BE(at) === first && log.readInt32BE(at + 4) === second;
  add(0, 24);
  const isWhole = isAt(24);
  return (at) => {
    if (!isWhole) return false;
    add(at, at + 8);
    add(at + FRAME_HEADER_BYTES, at + frameBytes);
    return isAt(at + 16);
  };
}

/** The log in numbers of the byte order that its checksums are of. */
function wordsOf(log: Buffer): Int32Array {
  const bytes = Buffer.alloc(log.length & ~3); // begins where a number may
  log.copy(bytes);
  const isBigEndian = (log.readUInt32BE(0) & 1) === 1;
  if (isBigEndian !== (endianness() === "BE")) bytes.swap32();
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
}

/** How the note's name ends, beside the file. */
export const NOTE = "-log";

/** Content of the note: a commit in the log, and the state of the file itself at that time. */
export interface Noted {
  /** The number of the commit, which the log held for good before this was written. */
  commit: number;
  /** The page that has the number of the newest commit. */
  page: number;
  size: number;
  mtimeMs: number;
  /** Names the manuscript that the log is of. */
  writer?: string | undefined;
  /** Names the log. */
  salts?: string;
  /** The opening in which the file itself, without its log, was written last. */
  opening?: number | undefined;
}

/**
 * A note beside the file that its log holds saves, so that a log that is taken away while nobody has the file open is
 * missed. Written once whenever a log is begun anew, after the commit that it tells of; whoever closes the file last takes it
 * away. A note that was lost tells nothing; one that is there is true: a file that is as it was, without a log, has not got
 * that commit.
 */
export class LogNote {
  readonly #path: string;
  readonly #prepare: (sql: string) => Statement;
  /** The salts of the log that was noted: each that is begun has its own. */
  #salts = "";
  /** Kept open: to open it for every commit would cost more than all else that is asked of the disk. */
  #log: RawFile | undefined;

  constructor(path: string, prepare: (sql: string) => Statement) {
    this.#path = path;
    this.#prepare = prepare;
  }

  /** Notes a commit that was made, if it is the first that was seen in its log. Never throws. About 2 µs. */
  write(commit: number): void {
    try {
      this.#log ??= openRaw(`${this.#path}-wal`);
      const salts = saltsOf(this.#log.read(0, LOG_HEADER_BYTES))?.toString("latin1");
      if (salts === undefined || salts === this.#salts) return;
      const { size, mtimeMs } = statSync(this.#path);
      const page = readStamp(this.#prepare)?.page ?? 0;
      const writer = this.#prepare("SELECT value FROM settings WHERE name = 'writer'").pluck().get();
      const opening = page === 0 ? 0 : readBase(this.#path, page).stamp?.opening;
      const noted = { commit, page, size, mtimeMs, writer, salts, opening } as Noted;
      writeFileSync(this.#path + NOTE, JSON.stringify(noted), { mode: 0o600 });
      this.#salts = salts;
    } catch {
      // A full disk takes saves no longer than this; they are as safe without the note.
    }
  }

  /** Lets go of the log, so that it can be taken away by whoever closes the file last. */
  release(): void {
    this.#log?.close();
    this.#log = undefined;
  }

  /** Takes the note away, if no log is left that it would tell of; once the file is closed. */
  drop(): void {
    if (readLog(this.#path) === undefined) rmSync(this.#path + NOTE, { force: true });
  }
}

/** The note beside a file; undefined if there is none, or its writer was stopped. */
export function readNote(path: string): Noted | undefined {
  try {
    const noted = JSON.parse(readFileSync(path + NOTE, "utf8")) as Noted;
    const numbers: unknown[] = [noted.commit, noted.page, noted.size, noted.mtimeMs];
    return numbers.every((number) => typeof number === "number" && number > 0) ? noted : undefined;
  } catch {
    return undefined; // there is none, or its writer was stopped: it holds no such thing
  }
}
