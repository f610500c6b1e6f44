import { LruCache } from "../../text/lru-cache.ts";
import { HEADER_BYTES, openRaw, readHeader } from "./disk/raw-file.ts";

/** So many pages of one table are looked into: what is asked for is among a file's first rows. */
const MOST_PAGES = 64;

/** Where the settings begin in the last file of each schema: as a rule it is so in the next. */
const roots = new LruCache<number, number>(16);

/**
 * A setting as it stands in the file itself, read past SQLite: about 40 µs, where opening takes a thousand. Undefined if it
 * is not found there; what the log holds besides is not seen, so whoever opens the file asks again. Never throws. Source:
 * https://sqlite.org/fileformat.html.
 */
export function peekSetting(path: string, name: string): string | undefined {
  try {
    const file = openRaw(path);
    try {
      const { isOurs, pageSize, schemaCookie } = readHeader(file.read(0, HEADER_BYTES));
      if (!isOurs || pageSize === 0) return undefined;
      const page = (number: number) => file.read((number - 1) * pageSize, pageSize);
      const valueIn = (root: number) => find(page, root, ([called]) => called === name)?.[1];
      const known = roots.get(schemaCookie);
      const likely = known === undefined ? undefined : valueIn(known);
      if (typeof likely === "string") return likely;
      const table = find(page, 1, ([type, called]) => type === "table" && called === "settings");
      if (typeof table?.[3] !== "number") return undefined;
      roots.set(schemaCookie, table[3]);
      const value = valueIn(table[3]);
      return typeof value === "string" ? value : undefined;
    } finally {
      file.close();
    }
  } catch {
    return undefined; // it is gone, or its bytes are no pages
  }
}

type Value = string | number | undefined;
type ReadPage = (number: number) => Buffer;

const INTERIOR = 0x05;
const LEAF = 0x0d;

/** The first row of a table that is asked for, in the table's order, by its leading columns. */
function find(
  page: ReadPage,
  root: number,
  isWanted: (row: readonly Value[]) => boolean,
): readonly Value[] | undefined {
  const left = [root];
  for (let read = 0; left.length > 0 && read < MOST_PAGES; read++) {
    const number = left.pop()!; // there is one
    const bytes = page(number);
    const start = number === 1 ? HEADER_BYTES : 0;
    const cells = bytes.readUInt16BE(start + 3);
    const places = start + (bytes[start] === INTERIOR ? 12 : 8);
    const cellAt = (cell: number) => bytes.readUInt16BE(places + 2 * cell);
    if (bytes[start] === INTERIOR) {
      left.push(bytes.readUInt32BE(start + 8));
      for (let cell = cells - 1; cell >= 0; cell--) left.push(bytes.readUInt32BE(cellAt(cell)));
    } else if (bytes[start] === LEAF)
      for (let cell = 0; cell < cells; cell++) {
        const row = readRow(bytes, cellAt(cell));
        if (isWanted(row)) return row;
      }
  }
  return undefined;
}

const COLUMNS = 4;
/** Bytes of an integer by its type. */
const INTEGER_BYTES = [0, 1, 2, 3, 4, 6];

/** The leading columns of a cell's row, as far as they are texts or whole numbers on this page. */
function readRow(page: Buffer, start: number): Value[] {
  const afterSize = varint(page, start).next;
  const record = varint(page, afterSize).next; // behind the row's number
  const header = varint(page, record);
  const end = record + header.value;
  const row: Value[] = [];
  for (let type = header.next, at = end; type < end && row.length < COLUMNS; ) {
    const { value, next } = varint(page, type);
    type = next;
    const bytes = value >= 12 ? (value - 12) >> 1 : INTEGER_BYTES[value];
    if (bytes === undefined || at + bytes > page.length) break;
    if (value >= 13 && value % 2 === 1) row.push(page.toString("utf8", at, at + bytes));
    else row.push(bytes > 0 && value < 12 ? page.readIntBE(at, bytes) : undefined);
    at += bytes;
  }
  return row;
}

/** A number of SQLite's own form, at most 28 bits of it. */
function varint(page: Buffer, start: number): { value: number; next: number } {
  let value = 0;
  let next = start;
  for (let count = 0; count < 9; count++) {
    const byte = page[next++] ?? 0;
    value = ((value << 7) | (byte & 0x7f)) >>> 0;
    if (byte < 0x80) break;
  }
  return { value, next };
}
