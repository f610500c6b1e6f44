import { endianness } from "node:os";
import { Unavailable } from "../../refusals.ts";
import { largest } from "../../text/extremes.ts";
import { HEADER_BYTES, openRaw, readHeader } from "./disk/raw-file.ts";
import { FRAME_HEADER_BYTES, isLog, isOfLog, LOG_HEADER_BYTES, readLog, readNote } from "./log.ts";
import { fileMark } from "./open/place.ts";
import { assertLogUnbroken } from "./own-log.ts";

/** The pages of a database as they are found, sound or not. */
export interface PageImage {
  pageSize: number;
  pageCount: number;
  /** A page by its number, from 1; undefined beyond the end. */
  page(number: number): Buffer | undefined;
}

/** The readable rest of a manuscript's file, in memory. The file is never written, and SQLite does not open it. */
export interface Remains {
  /** As it would be read now: the file, and over it what was committed to its log. */
  now: PageImage;
  /** The file alone. */
  base: PageImage;
  /** Numbers of the pages that are in the log, too. */
  logged: ReadonlySet<number>;
  /** The number of the format, as a header says it; undefined without a header. */
  version: number | undefined;
  /** Pages of the log that cannot be trusted. */
  badFrames: number;
  /** The end of the log is gone: what was saved last is not in it, and nothing tells what that was. */
  isCut: boolean;
  /** The log beside it was written for another manuscript, and is left out. */
  isForeign: boolean;
  /** Pages that are gone, or hold nothing but zeros, of how many. */
  gone: number;
  pageCount: number;
}

/** SQLite's own choice, and so every manuscript's. */
const PAGE_SIZE = 4096;

/** Reads a file and the log beside it as they are found. */
export function readRemains(path: string): Remains {
  const { bytes, log } = readBoth(path);
  const { pageSize } = readHeader(bytes);
  const size = isPageSize(pageSize) ? pageSize : PAGE_SIZE;
  const base = imageOf(bytes, size);
  const isForeign = log !== undefined && isOfAnother(path, bytes);
  const { pages, bad, isCut } = log === undefined || isForeign ? NO_LOG : readPages(log, size);
  const now: PageImage = {
    pageSize: size,
    pageCount: Math.max(base.pageCount, largest(pages.keys())),
    page: (number) => pages.get(number) ?? base.page(number),
  };
  const { gone, pageCount } = countGone(now);
  return {
    now,
    base,
    logged: new Set(pages.keys()),
    version: versionOf([now, base]),
    badFrames: bad,
    isForeign,
    isCut: isCut || isShorterThanKnown(path),
    gone,
    pageCount,
  };
}

const TRIES = 10;

/** The file and its log as they were at one moment, also while somebody writes. */
function readBoth(path: string): { bytes: Buffer; log: Buffer | undefined } {
  const file = openRaw(path);
  try {
    for (let time = 1; ; time++) {
      const before = file.stat();
      const bytes = file.read(0, before.size);
      const log = readLog(path);
      if (fileMark(before) === fileMark(file.stat()) || time === TRIES) return { bytes, log };
    }
  } finally {
    file.close();
  }
}

/** True if a log has fewer pages than SQLite's own index of it knew. */
function isShorterThanKnown(path: string): boolean {
  try {
    assertLogUnbroken(path);
    return false;
  } catch (error) {
    if (error instanceof Unavailable) return true;
    throw error;
  }
}

/** True if the note beside a log names another manuscript than the file does. */
function isOfAnother(path: string, bytes: Buffer): boolean {
  // A row of the settings is its name and its value, one behind the other.
  const own = /writer([0-9a-f]{8,})/.exec(bytes.toString("latin1"))?.[1];
  const noted = readNote(path)?.writer;
  return noted !== undefined && own !== undefined && noted !== own;
}

const NO_LOG: LogPages = { pages: new Map(), bad: 0, isCut: false };

function isPageSize(size: number): boolean {
  return size >= 512 && size <= 65_536 && Number.isInteger(Math.log2(size));
}

/** The pages of a file; where it was cut off within one, the rest of that is zeros. */
function imageOf(bytes: Buffer, pageSize: number): PageImage {
  const pageCount = Math.ceil(bytes.length / pageSize);
  return {
    pageSize,
    pageCount,
    page: (number) => {
      if (number < 1 || number > pageCount) return undefined;
      const page = bytes.subarray((number - 1) * pageSize, number * pageSize);
      return page.length === pageSize ? page : Buffer.concat([page], pageSize);
    },
  };
}

/** The pages that a file's header lists as free; those of the list itself among them. */
export function freePages(image: PageImage): Set<number> {
  const free = new Set<number>();
  const header = image.page(1);
  for (let trunk = header?.readUInt32BE(32) ?? 0; trunk > 0 && !free.has(trunk); ) {
    const page = image.page(trunk);
    free.add(trunk);
    if (page === undefined) break;
    const count = Math.min(page.readUInt32BE(4), image.pageSize / 4 - 2);
    for (let leaf = 0; leaf < count; leaf++) free.add(page.readUInt32BE(8 + 4 * leaf));
    trunk = page.readUInt32BE(0);
  }
  return free;
}

/** As many pages as the header says that there are, or as there are; SQLite leaves none empty. */
function countGone(image: PageImage): { gone: number; pageCount: number } {
  const header = readHeader(image.page(1) ?? Buffer.alloc(HEADER_BYTES));
  const pageCount = Math.max(image.pageCount, header.isSqlite ? header.pageCount : 0);
  const none = Buffer.alloc(image.pageSize);
  const free = freePages(image);
  let gone = 0;
  for (let number = 1; number <= pageCount; number++)
    if (!free.has(number) && image.page(number)?.equals(none) !== false) gone++;
  return { gone, pageCount };
}

function versionOf(images: readonly PageImage[]): number | undefined {
  for (const image of images) {
    const { isOurs, version } = readHeader(image.page(1)?.subarray(0, HEADER_BYTES) ?? Buffer.alloc(0));
    if (isOurs && version > 0) return version;
  }
  return SIGNS.find(({ sql }) => images.some((image) => holds(image, sql)))?.version;
}

/** SQL that came into the schema with each version, the newest first. */
const SIGNS = [
  { version: 6, sql: "CREATE TABLE book_pictures(" },
  { version: 5, sql: "CREATE TABLE journal_entries(" },
  { version: 4, sql: "CREATE TABLE milestones(" },
  { version: 3, sql: "CREATE TABLE replays(" },
  { version: 2, sql: "CREATE TABLE working_copies(" },
  { version: 1, sql: "CREATE TABLE exchanges(" },
];

function holds(image: PageImage, text: string): boolean {
  for (let number = 1; number <= image.pageCount; number++)
    if (image.page(number)?.includes(text) === true) return true;
  return false;
}

interface LogPages {
  /** The newest committed content of each page, by its number. */
  pages: Map<number, Buffer>;
  bad: number;
  isCut: boolean;
}

/**
 * The pages that were committed to a log. SQLite stops at the first frame that is not as it was written; here only that frame is
 * left out, for what was committed behind it is as good as ever. Source: https://sqlite.org/fileformat.html.
 */
function readPages(log: Buffer, fileSize: number): LogPages {
  const size = isLog(log) && isPageSize(log.readUInt32BE(8)) ? log.readUInt32BE(8) : fileSize;
  const frameBytes = FRAME_HEADER_BYTES + size;
  const salts = isLog(log) ? log : headerFrom(log);
  const pages = new Map<number, Buffer>();
  let waiting: [number, Buffer][] = [];
  let [bad, doubtful] = [0, 0];
  let isLastGood = isLog(log);
  let isCut = false;
  let at = LOG_HEADER_BYTES;
  for (; at + frameBytes <= log.length; at += frameBytes) {
    const header = log.subarray(at, at + FRAME_HEADER_BYTES);
    // Behind a frame that is damaged itself nothing says for sure what the checksum should be.
    const isGood = isOfLog(salts, header) && (!isLastGood || isAsWritten(log, { at, frameBytes }));
    isLastGood = isGood;
    if (!isGood) {
      doubtful++; // or left from before the log was last begun anew, if none follows
      isCut ||= !isLeftOver(salts, header);
      continue;
    }
    [bad, doubtful, isCut] = [bad + doubtful, 0, false];
    waiting.push([header.readUInt32BE(0), log.subarray(at + FRAME_HEADER_BYTES, at + frameBytes)]);
    if (header.readUInt32BE(4) === 0) continue;
    for (const [number, content] of waiting) pages.set(number, content);
    waiting = [];
  }
  isCut ||= waiting.length > 0 || (at < log.length && !isLeftOver(salts, log.subarray(at)));
  return { pages, bad, isCut };
}

/** SQLite shortens a log that it begins anew to this, in the midst of a page. */
const LEFT_BYTES = 1_048_576;
const GENERATIONS = 2 ** 20;

/** Whether a frame was left from before the log was last begun anew: the first salt goes up by one each time. */
function isLeftOver(salts: Buffer, header: Buffer): boolean {
  if (header.length < FRAME_HEADER_BYTES)
    return header.byteOffset - salts.byteOffset + header.length === LEFT_BYTES;
  const since = (salts.readUInt32BE(16) - header.readUInt32BE(8)) >>> 0;
  return since > 0 && since < GENERATIONS;
}

/** A log's header that has the salts of its first frame, where its own is gone. */
function headerFrom(log: Buffer): Buffer {
  const header = Buffer.alloc(LOG_HEADER_BYTES);
  log.copy(header, 16, LOG_HEADER_BYTES + 8, LOG_HEADER_BYTES + 16);
  return header;
}

/** Whether a frame has the checksum that follows from that of the frame before it. */
function isAsWritten(log: Buffer, { at, frameBytes }: { at: number; frameBytes: number }): boolean {
  const isBigEndian = isLog(log) ? (log.readUInt32BE(0) & 1) === 1 : endianness() === "BE";
  const before = at === LOG_HEADER_BYTES ? 24 : at - frameBytes + 16;
  let first = log.readInt32BE(before);
  let second = log.readInt32BE(before + 4);
  const word = (place: number) => (isBigEndian ? log.readInt32BE(place) : log.readInt32LE(place));
  const add = (from: number, to: number) => {
    for (let place = from; place < to; place += 8) {
      first = (first + word(place) + second) | 0;
      second = (second + word(place + 4) + first) | 0;
    }
  };
  add(at, at + 8);
  add(at + FRAME_HEADER_BYTES, at + frameBytes);
  return first === log.readInt32BE(at + 16) && second === log.readInt32BE(at + 20);
}
