import { type Pages, withPages } from "./pages.ts";

/** A row as stored, by column. Whole numbers past 2^53 are rounded, bytes left out. */
export type Peeked<Name extends string> = Readonly<Record<Name, Value>>;

type Value = string | number | null;

/** These columns of a table's rows in the order of their rowids, or the newest first; read as they are asked for. */
export type Peek = <Name extends string>(
  table: string,
  columns: readonly Name[],
  order?: "oldest" | "newest",
) => Iterable<Peeked<Name>>;

/**
 * Reads rows of a manuscript as they lie on the disk: nothing is opened for writing, locked or made, and a table of a
 * hundred rows costs under a millisecond in a file of any size. For hints alone: a write at the same moment may be
 * read by halves. Knows ordinary tables, not those WITHOUT ROWID. Throws for a file or a table that is not there.
 * Source: https://sqlite.org/fileformat2.html, sections 1.6 and 2.
 */
export function peek<Result>(path: string, read: (rows: Peek) => Result): Result {
  return withPages(path, (pages) => {
    return read((table, columns, order = "oldest") => {
      const { root, places } = findTable(pages, table, columns);
      return rowsOf(pages, root, { columns, places, isReversed: order === "newest" });
    });
  });
}

/** Of the table that lists all others, the columns type, name, rootpage and sql. */
const SCHEMA_PLACES = [0, 1, 3, 4];

/** Where a table begins, and the place of each column in its rows. */
function findTable(
  pages: Pages,
  table: string,
  columns: readonly string[],
): { root: number; places: number[] } {
  for (const [, payload] of payloads(pages, 1, false)) {
    const [type, name, root, sql] = valuesOf(payload, SCHEMA_PLACES);
    if (type !== "table" || name !== table) continue;
    const declared = columnsOf(String(sql));
    const places = columns.map((column) => {
      const place = declared.findIndex((one) => one.name === column);
      if (place < 0) throw new RangeError(`${table} has no column ${column}.`);
      return declared[place]?.isRowid ? ROWID : place;
    });
    return { root: Number(root), places };
  }
  throw new RangeError(`There is no table ${table}.`);
}

interface Column {
  name: string;
  /** Stands for the rowid, and is not stored again. */
  isRowid: boolean;
}

/** The columns that one of our own CREATE TABLE statements declares. */
function columnsOf(sql: string): Column[] {
  const inside = sql.slice(sql.indexOf("(") + 1, sql.lastIndexOf(")"));
  return inside
    .split(/,(?![^(]*\))/)
    .filter((part) => !/^\s*(PRIMARY KEY|CHECK|UNIQUE|FOREIGN KEY)\b/.test(part))
    .map((part) => ({
      name: /^\s*"?(\w+)/.exec(part)?.[1] ?? "",
      isRowid: /\bINTEGER PRIMARY KEY\b/.test(part),
    }));
}

/** The place of a column that is not in the row but beside it. */
const ROWID = -1;

function* rowsOf<Name extends string>(
  pages: Pages,
  root: number,
  asked: { columns: readonly Name[]; places: readonly number[]; isReversed: boolean },
): Generator<Peeked<Name>> {
  for (const [rowid, payload] of payloads(pages, root, asked.isReversed)) {
    const values = valuesOf(payload, asked.places);
    const pairs = asked.columns.map((name, index): [Name, Value] => {
      return [name, asked.places[index] === ROWID ? rowid : (values[index] ?? null)];
    });
    yield Object.fromEntries(pairs) as Record<Name, Value>;
  }
}

type Cell = [rowid: number, payload: Buffer];

const INTERIOR = 5;
const LEAF = 13;

// A page is in a table once: `seen` ends the walk where a page torn by a write leads in a circle.
function* payloads(
  pages: Pages,
  number: number,
  isReversed: boolean,
  seen = new Set<number>(),
): Generator<Cell> {
  const page = pages.page(number);
  const head = number === 1 ? 100 : 0; // the first page begins with the file's header
  const type = page[head];
  if ((type !== INTERIOR && type !== LEAF) || seen.has(number)) throw new RangeError("That is no table.");
  seen.add(number);
  const isLeaf = type === LEAF;
  const places = Array.from({ length: page.readUInt16BE(head + 3) }, (_, index) =>
    page.readUInt16BE(head + (isLeaf ? 8 : 12) + 2 * index),
  );
  if (isLeaf) {
    for (const at of isReversed ? places.reverse() : places) yield cellAt(pages, page, at);
    return;
  }
  const children = [...places.map((at) => page.readUInt32BE(at)), page.readUInt32BE(head + 8)];
  for (const child of isReversed ? children.reverse() : children)
    yield* payloads(pages, child, isReversed, seen);
}

function cellAt(pages: Pages, page: Buffer, at: number): Cell {
  const [length, afterLength] = varint(page, at);
  const [rowid, start] = varint(page, afterLength);
  return [rowid, payloadAt(pages, page, { start, length })];
}

/** Bytes; longer than any row that a manuscript has, and as much as a damaged length may cost. */
const LONGEST = 64 * 1024 * 1024;

/** The bytes of a row: those on its page, then those on the pages that it overflows to. */
function payloadAt(pages: Pages, page: Buffer, { start, length }: { start: number; length: number }): Buffer {
  const { usable } = pages;
  if (length > LONGEST) throw new RangeError("The row is too long.");
  if (length <= usable - 35) return page.subarray(start, start + length);
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((length - least) % (usable - 4));
  const local = fitting <= usable - 35 ? fitting : least;
  const parts = [page.subarray(start, start + local)];
  let next = page.readUInt32BE(start + local);
  for (let left = length - local; left > 0; left -= usable - 4) {
    const overflow = pages.page(next);
    parts.push(overflow.subarray(4, 4 + Math.min(left, usable - 4)));
    next = overflow.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

/** The bytes of a whole number or a fraction, by its serial type. */
const WIDTHS = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

/** The values at these places of a row; null where the row was written before its table had the column. */
function valuesOf(payload: Buffer, places: readonly number[]): Value[] {
  const values: Value[] = places.map(() => null);
  const last = Math.max(...places);
  const [headLength, first] = varint(payload, 0);
  let at = headLength;
  for (let head = first, place = 0; head < headLength && place <= last; place++) {
    const [type, next] = varint(payload, head);
    const width = WIDTHS[type] ?? Math.floor((type - 12) / 2);
    const index = places.indexOf(place);
    if (index >= 0) values[index] = valueAt(payload, at, { type, width });
    at += width;
    head = next;
  }
  return values;
}

function valueAt(payload: Buffer, at: number, { type, width }: { type: number; width: number }): Value {
  if (type >= 13 && type % 2 === 1) return payload.toString("utf8", at, at + width);
  if (type === 7) return payload.readDoubleBE(at);
  if (type === 6) return Number(payload.readBigInt64BE(at));
  if (type >= 1 && type <= 5) return payload.readIntBE(at, width);
  return type === 8 ? 0 : type === 9 ? 1 : null; // the rest are null and bytes
}

/** A whole number of one to nine bytes, and where it ends. */
function varint(bytes: Buffer, at: number): [value: number, end: number] {
  let value = 0;
  for (let index = 0; index < 8; index++) {
    const byte = bytes.readUInt8(at + index);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + index + 1];
  }
  return [value * 256 + bytes.readUInt8(at + 8), at + 9];
}
