import type { Cell } from "../bundle.ts";
import type { PageImage } from "../file/remains.ts";

// The only reader of SQLite's pages past SQLite: of what is left of a file that SQLite itself does not read any more.
// Numbers are big-endian. Source: https://sqlite.org/fileformat.html.

/** A row as it stands in a cell; `rowid` is undefined in a tree without rowids. */
export interface FoundRow<Value = Cell> {
  rowid: number | undefined;
  values: Value[];
}

const KINDS = {
  2: "index branch",
  5: "table branch",
  10: "index leaf",
  13: "table leaf",
} as const;
/** What a page of a tree is. */
export type PageKind = (typeof KINDS)[keyof typeof KINDS];

/** Where a tree's page begins: behind the file's header on the first one. */
const startOf = (number: number) => (number === 1 ? 100 : 0);

/** What a page says that it is; undefined for one that is of no tree: overflow, free, zeroed, or gone. */
export function pageKind(image: PageImage, number: number): PageKind | undefined {
  const byte = image.page(number)?.[startOf(number)];
  return KINDS[byte as keyof typeof KINDS];
}

/** Every row on a page of a tree that can be read whole, in the page's order. */
export function rowsOn(image: PageImage, number: number): FoundRow[] {
  return readRows(image, number, readValue);
}

/** The same, with rows that hold bytes. */
export function rowsWithBytesOn(image: PageImage, number: number): FoundRow<Cell | Buffer>[] {
  return readRows(image, number, (bytes, type) => (isBlob(type) ? bytes : readValue(bytes, type)));
}

type Read<Value> = (bytes: Buffer, type: number) => Value;

function readRows<Value>(image: PageImage, number: number, read: Read<Value>): FoundRow<Value>[] {
  const kind = pageKind(image, number);
  if (kind === undefined || kind === "table branch") return [];
  return cellsOf(image, number).flatMap((at) => {
    try {
      return [readRow(image, { number, at, kind }, read)];
    } catch (error) {
      if (error instanceof RangeError || error instanceof TypeError) return []; // the cell leads nowhere
      throw error;
    }
  });
}

/** The pages below a branch of a tree, in order. */
export function childrenOn(image: PageImage, number: number): number[] {
  const page = image.page(number);
  const kind = pageKind(image, number);
  if (page === undefined || (kind !== "table branch" && kind !== "index branch")) return [];
  const below = cellsOf(image, number).map((at) => page.readUInt32BE(at));
  return [...below, page.readUInt32BE(startOf(number) + 8)].filter((child) => child > 1);
}

/** Where the cells of a page begin. */
function cellsOf(image: PageImage, number: number): number[] {
  const page = image.page(number);
  if (page === undefined) return [];
  const start = startOf(number);
  const isBranch = (page[start] ?? 0) < 8;
  const first = start + (isBranch ? 12 : 8);
  const count = Math.min(page.readUInt16BE(start + 3), Math.floor((page.length - first) / 2));
  const places = Array.from({ length: count }, (_, cell) => page.readUInt16BE(first + 2 * cell));
  return places.filter((at) => at >= first + 2 * count && at < page.length - 4);
}

interface CellPlace {
  number: number;
  at: number;
  kind: PageKind;
}

function readRow<Value>(
  image: PageImage,
  { number, at, kind }: CellPlace,
  read: Read<Value>,
): FoundRow<Value> {
  const page = image.page(number)!; // it has a kind
  const reader = new Reader(page, kind === "index branch" ? at + 4 : at);
  const length = reader.varint();
  const rowid = kind === "table leaf" ? reader.varint() : undefined;
  const payload = readPayload(image, { page, at: reader.at, length, isTable: kind === "table leaf" });
  return { rowid, values: readRecord(payload, read) };
}

/** A row's bytes, those on overflow pages among them. Throws `RangeError` where they end too soon or go on too far. */
function readPayload(
  image: PageImage,
  { page, at, length, isTable }: { page: Buffer; at: number; length: number; isTable: boolean },
): Buffer {
  const size = image.pageSize;
  const most = isTable ? size - 35 : Math.floor(((size - 12) * 64) / 255) - 23;
  if (length > size * image.pageCount) throw new RangeError("longer than the file");
  if (length <= most) return slice(page, at, length);
  const least = Math.floor(((size - 12) * 32) / 255) - 23;
  const fitting = least + ((length - least) % (size - 4));
  const local = fitting <= most ? fitting : least;
  const pieces = [slice(page, at, local)];
  let next = page.readUInt32BE(at + local);
  for (let left = length - local; left > 0; ) {
    const overflow = image.page(next);
    if (next < 2 || overflow === undefined) throw new RangeError("its overflow ends too soon");
    const piece = slice(overflow, 4, Math.min(left, size - 4));
    pieces.push(piece);
    left -= piece.length;
    next = overflow.readUInt32BE(0);
  }
  if (next !== 0) throw new RangeError("its overflow goes on too far");
  return Buffer.concat(pieces, length);
}

function slice(bytes: Buffer, from: number, length: number): Buffer {
  if (from + length > bytes.length) throw new RangeError("beyond the page");
  return bytes.subarray(from, from + length);
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The values of a record. Throws `RangeError` or `TypeError` for what is none, or holds what no manuscript does. */
function readRecord<Value>(payload: Buffer, read: Read<Value>): Value[] {
  const header = new Reader(payload, 0);
  const headerEnd = header.varint();
  if (headerEnd < 1 || headerEnd > payload.length) throw new RangeError("no header");
  const values: Value[] = [];
  let at = headerEnd;
  while (header.at < headerEnd) {
    const type = header.varint();
    const length = lengthOf(type);
    values.push(read(slice(payload, at, length), type));
    at += length;
  }
  if (header.at !== headerEnd || at !== payload.length) throw new RangeError("no record");
  return values;
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8];
const [ZERO, ONE, FIRST_BLOB, FIRST_TEXT] = [8, 9, 12, 13];

const isBlob = (type: number) => type >= FIRST_BLOB && type % 2 === 0;

function lengthOf(type: number): number {
  if (type >= FIRST_BLOB) return Math.floor((type - FIRST_BLOB) / 2);
  return INTEGER_BYTES[type] ?? 0;
}

function readValue(bytes: Buffer, type: number): Cell {
  if (type === 0) return null;
  if (type === ZERO || type === ONE) return type - ZERO;
  if (type >= FIRST_TEXT && type % 2 === 1) {
    if (bytes.includes(0)) throw new RangeError("no text: it is cut off");
    return UTF8.decode(bytes);
  }
  if (type >= INTEGER_BYTES.length) throw new RangeError("a blob or a fraction");
  return bytes.length === 8 ? Number(bytes.readBigInt64BE(0)) : bytes.readIntBE(0, bytes.length);
}

/** Reads numbers of 1 to 9 bytes, one after another. */
class Reader {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** Throws `RangeError` beyond the end. Numbers above 2^53 are rounded. */
  varint(): number {
    let value = 0;
    for (let byte = 1; byte <= 9; byte++) {
      const next = this.#bytes.readUInt8(this.at++);
      if (byte === 9) return value * 256 + next;
      value = value * 128 + (next & 127);
      if (next < 128) break;
    }
    return value;
  }
}
