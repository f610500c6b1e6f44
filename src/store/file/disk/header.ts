import { APPLICATION_ID } from "../schema.ts";

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
}

/** How many bytes a header has. */
export const HEADER_BYTES = 100;
const PAGE_SIZE = 16;
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
  };
}
