import { closeSync, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { identityOf } from "../../../disk.ts";
import type { Statement } from "../driver.ts";
import { APPLICATION_ID } from "../schema.ts";

/** A file read past SQLite, byte by byte. */
export interface RawFile {
  /** The bytes from `from` on, at most `length` of them: fewer at the file's end. */
  read(from: number, length: number): Buffer;
  stat(): Stats;
  close(): void;
}

/** Open descriptors, by the identity of their file. */
const shared = new Map<string | undefined, { fd: number; users: number; path: string }>();

/** Whether somebody in this process reads the file so by now. */
export function isOpenRaw(path: string): boolean {
  return shared.has(identityOf(path));
}

/** The path by which this process has the file open, which may have another one by now; undefined if it has not. */
export function openedAs(path: string): string | undefined {
  return shared.get(identityOf(path))?.path;
}

/**
 * The file, opened for reading. A process that closes any descriptor of a file drops every lock that it has on it, SQLite's
 * among them: so each file is opened once however many read it, and closed after the last. Source:
 * https://sqlite.org/howtocorrupt.html.
 */
export function openRaw(path: string): RawFile {
  const key = identityOf(path);
  const file = shared.get(key) ?? { fd: openSync(path, "r"), users: 0, path };
  file.users++;
  shared.set(key, file);
  return {
    read: (from, length) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file.fd, bytes, 0, length, from));
    },
    stat: () => fstatSync(file.fd),
    close: () => {
      if (--file.users > 0) return;
      shared.delete(key);
      closeSync(file.fd);
    },
  };
}

/** What the first bytes of a file, or of its first page in the log, say. Numbers are big-endian. Source: https://sqlite.org/fileformat.html. */
export interface Header {
  /** Whether nothing was ever written: 0 bytes, or a database without a table. */
  isBlank: boolean;
  isSqlite: boolean;
  isOurs: boolean;
  /** Version of the format. */
  version: number;
  /** A number that goes up with every change of the schema, and that a rebuilt copy has one higher. */
  schemaCookie: number;
  /** Bytes of a page. */
  pageSize: number;
  /** How many pages a file has that begins so. */
  pageCount: number;
}

/** How many bytes a header has. */
export const HEADER_BYTES = 100;
const PAGE_SIZE = 16;
const PAGE_COUNT = 28;
const SCHEMA_COOKIE = 40;
const SCHEMA_FORMAT = 44;
const USER_VERSION = 60;
const APPLICATION = 68;

/** The header in these bytes. */
export function readHeader(bytes: Buffer): Header {
  const isSqlite = bytes.length >= HEADER_BYTES && bytes.toString("latin1", 0, 16) === "SQLite format 3\0";
  const at = (place: number) => (isSqlite ? bytes.readUInt32BE(place) : 0);
  const pageSize = isSqlite ? bytes.readUInt16BE(PAGE_SIZE) : 0;
  return {
    isBlank:
      bytes.length === 0 ||
      (isSqlite && [SCHEMA_FORMAT, USER_VERSION, APPLICATION].every((place) => at(place) === 0)),
    isSqlite,
    isOurs: at(APPLICATION) === APPLICATION_ID,
    version: at(USER_VERSION),
    schemaCookie: at(SCHEMA_COOKIE),
    pageSize: pageSize === 1 ? 65_536 : pageSize,
    pageCount: at(PAGE_COUNT),
  };
}

/**
 * The commit that a page of the file is of. It stands in `sqlite_sequence`, a page that every act writes anyway: so the log
 * holds it, and the file itself does as soon as a checkpoint takes it there.
 */
export interface Stamp {
  /** Write transactions since the first. */
  commits: number;
  /** The schema cookie at that time, its lower 24 bits. A rebuilt copy (VACUUM) has other pages, and another cookie. */
  layout: number;
  /** The opening of the file that committed: a random number; 0 if an older version did. */
  opening: number;
}

/** Its two rows: no table has these names. */
const COMMITS = "manuscript_commits";
const OPENING = "manuscript_opening";
const LAYOUTS = 2 ** 24;

type Prepare = (sql: string) => Statement;

/** Counts the transaction that runs, as its last statement; returns how many there were. `cookie` is the schema's, if known. */
export function writeStamp(
  prepare: Prepare,
  { opening, cookie = schemaCookie(prepare) }: { opening: number; cookie?: number | undefined },
): number {
  const commits = (readStamp(prepare)?.commits ?? 0) + 1;
  setRow(prepare, COMMITS, commits * LAYOUTS + (cookie % LAYOUTS));
  setRow(prepare, OPENING, opening);
  return commits;
}

function setRow(prepare: Prepare, name: string, seq: number): void {
  const update = prepare("UPDATE sqlite_sequence SET seq = CAST(? AS INTEGER) WHERE name = ?");
  if (update.run(seq, name).changes > 0) return;
  prepare("INSERT INTO sqlite_sequence(name, seq) VALUES(?, CAST(? AS INTEGER))").run(name, seq);
}

/** The stamp of what SQLite reads now, and the page that it stands on; undefined before the first. */
export function readStamp(prepare: Prepare): (Stamp & { page: number }) | undefined {
  const row = prepare(
    `SELECT seq, (SELECT seq FROM sqlite_sequence WHERE name = '${OPENING}') AS opening,
       (SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_sequence') AS page
     FROM sqlite_sequence WHERE name = '${COMMITS}'`,
  ).get() as { seq: number; opening: number | null; page: number } | undefined;
  return row && { ...unpack(row.seq, row.opening ?? 0), page: row.page };
}

/** The schema cookie of what SQLite reads now. */
export function schemaCookie(prepare: Prepare): number {
  return prepare("PRAGMA schema_version").pluck().get() as number;
}

/** Whether a header's cookie may be that of a file whose newest commit has this layout. */
export function isLayoutUpTo(cookie: number, newest: number): boolean {
  return cookie % LAYOUTS <= newest % LAYOUTS;
}

function unpack(seq: number, opening: number): Stamp {
  return { commits: Math.floor(seq / LAYOUTS), layout: seq % LAYOUTS, opening };
}

/** Header and stamp of the file itself, without its log. */
export interface Base {
  isSqlite: boolean;
  cookie: number;
  /** On the page that was asked for, if it stands there. */
  stamp: Stamp | undefined;
}

/** Reads what the file itself says, without its log; its stamp from this page. */
export function readBase(path: string, page: number): Base {
  const file = openRaw(path);
  try {
    const { isSqlite, schemaCookie: cookie, pageSize } = readHeader(file.read(0, HEADER_BYTES));
    return { isSqlite, cookie, stamp: findStamp(file.read((page - 1) * pageSize, pageSize)) };
  } finally {
    file.close();
  }
}

const LEAF = 0x0d;
const CELLS = 8;

/** The stamp on a page as it is in the file; undefined on any other page. Source: https://sqlite.org/fileformat.html. */
export function findStamp(page: Buffer): Stamp | undefined {
  // The name is looked for first: few pages have it.
  if (page[0] !== LEAF || !page.includes(COMMITS, 0, "latin1")) return undefined;
  let seq: number | undefined;
  let opening: number | undefined;
  for (let cell = 0; cell < page.readUInt16BE(3) && CELLS + 2 * cell + 2 <= page.length; cell++) {
    const start = page.readUInt16BE(CELLS + 2 * cell);
    seq ??= readCell(page, start, COMMITS);
    opening ??= readCell(page, start, OPENING);
  }
  return seq === undefined ? undefined : unpack(seq, opening ?? 0);
}

/** Bytes of an integer by its type. */
const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8];

/** The number in a cell that holds this name and a number; undefined for another one. */
function readCell(page: Buffer, start: number, name: string): number | undefined {
  // Its size and row number, each below 128 in a table of so few short rows, then the record's header.
  const at = start + 2;
  const bytes = INTEGER_BYTES[page[at + 2] ?? 0];
  const isRow = page[at] === 3 && page[at + 1] === 13 + 2 * name.length && bytes !== undefined && bytes > 0;
  const end = at + 3 + name.length;
  if (!isRow || end + bytes > page.length) return undefined;
  if (page.toString("latin1", at + 3, end) !== name) return undefined;
  return bytes === 8 ? Number(page.readBigInt64BE(end)) : page.readIntBE(end, bytes);
}
