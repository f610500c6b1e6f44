import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { Unavailable } from "../refusals.ts";
import { APPLICATION_ID } from "./schema.ts";

/** The pages of a file as its last commit left them. */
export interface Pages {
  /** The bytes of a page that hold cells: its size without what is reserved at its end. */
  usable: number;
  /** The page of this number; the first is 1. */
  page(number: number): Buffer;
}

/**
 * Reads a manuscript's pages without SQLite, which makes `-wal` and `-shm` beside a file that it opens for reading
 * alone. Takes no lock: what another program writes meanwhile may be read by halves, so a caller must bear nonsense.
 * Throws for what is no manuscript. Source: https://sqlite.org/fileformat2.html, sections 1.3 and 4.
 */
export function withPages<Result>(path: string, use: (pages: Pages) => Result): Result {
  const file = openSync(path, "r");
  try {
    const header = bytes(file, 0, 100);
    if (header.toString("latin1", 0, 15) !== "SQLite format 3" || header.readUInt32BE(68) !== APPLICATION_ID)
      throw new Unavailable(`${path} is not a manuscript.`);
    const size = sizeOf(header.readUInt16BE(16));
    return withLog(`${path}-wal`, size, (logged) => {
      const page = (number: number) => logged(number) ?? bytes(file, (number - 1) * size, size);
      return use({ usable: size - (header[20] ?? 0), page });
    });
  } finally {
    closeSync(file);
  }
}

// 65,536 does not fit its field.
function sizeOf(field: number): number {
  return field === 1 ? 65_536 : field;
}

/** The bytes at a place; throws where the file ends before. */
function bytes(file: number, at: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  if (readSync(file, buffer, 0, length, at) < length) throw new RangeError("The file ends too soon.");
  return buffer;
}

const LOG_HEADER = 32;
const FRAME_HEADER = 24;

/** Reads the pages that are committed in the write-ahead log; none without one, and where it is of another time. */
function withLog<Result>(
  path: string,
  size: number,
  use: (page: (number: number) => Buffer | undefined) => Result,
): Result {
  let log: number;
  try {
    log = openSync(path, "r");
  } catch {
    return use(() => undefined);
  }
  try {
    const places = committed(log, size);
    return use((number) => {
      const at = places.get(number);
      return at === undefined ? undefined : bytes(log, at, size);
    });
  } finally {
    closeSync(log);
  }
}

/**
 * Where in the log the newest committed version of each page begins. Frames of an earlier use of the log bear other
 * salts; checksums, which tell a frame torn by a power cut, are left to SQLite.
 */
function committed(log: number, size: number): Map<number, number> {
  const places = new Map<number, number>();
  const length = fstatSync(log).size;
  if (length < LOG_HEADER) return places;
  const salts = bytes(log, 16, 8);
  let open: [number, number][] = [];
  for (let at = LOG_HEADER; at + FRAME_HEADER + size <= length; at += FRAME_HEADER + size) {
    const frame = bytes(log, at, FRAME_HEADER);
    if (salts.compare(frame, 8, 16) !== 0) break;
    open.push([frame.readUInt32BE(0), at + FRAME_HEADER]);
    const isCommit = frame.readUInt32BE(4) !== 0;
    if (!isCommit) continue;
    for (const [number, place] of open) places.set(number, place);
    open = [];
  }
  return places;
}
