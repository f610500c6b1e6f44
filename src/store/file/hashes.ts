import { createHash, type Hash, hash } from "node:crypto";
import { journalled, type TableName } from "./tables.ts";

/** Values of a row's cells, as SQLite gives them. */
export type Hashed = string | number | bigint | null | Uint8Array;

const DIGITS = 12;

/**
 * Returns a digest of these values: the first 48 bits of their SHA-256, never 0. A damaged value keeps it with a
 * chance of 1 in 281 million million. Nulls at the end do not count, so that a row keeps its hash when a column comes to its
 * table. About 1 µs, and 2 for each kilobyte.
 */
export function rowHash(...values: readonly Hashed[]): number {
  let text = "";
  const last = values.findLastIndex((value) => value !== null);
  for (const value of last === values.length - 1 ? values : values.slice(0, last + 1)) text += written(value);
  return numberOf(hash("sha256", text, "hex"));
}

/** Hashes one value of many rows, for an aggregate of SQL: memory does not grow with them. */
export const ROWS_HASH = {
  start: (): Hash => createHash("sha256"),
  step: (sum: Hash, value: unknown): Hash => sum.update(written(value as Hashed)),
  result: (sum: Hash): number => numberOf(sum.digest("hex")),
};

// The length comes first, so that no two lists are written alike.
function written(value: Hashed): string {
  if (typeof value === "string") return `${value.length}:${value}`;
  if (value === null) return "~";
  return typeof value === "object" ? `b${Buffer.from(value).toString("hex")};` : `#${value};`;
}

function numberOf(hex: string): number {
  return Number.parseInt(hex.slice(0, DIGITS), 16) || 1;
}

/** Columns by name, as SQLite has them. */
type Cells = Readonly<Record<string, unknown>>;

/** The hash of a row's journalled columns: of a row of the file, of one to be written, or as the journal knew it. */
export function hashOf(table: HashedTable, id: string, row: Cells): number {
  return rowHash(table, id, ...hashed(table).map((column) => (row[column] ?? null) as Hashed));
}

/** `hashOf` in SQL, of the table's row. */
export function hashSql(table: HashedTable, row: string = table): string {
  return functionOf([`'${table}'`, ...["id", ...hashed(table)].map((column) => `${row}."${column}"`)]);
}

/** The hash of what follows from a block's node, and of its leaves, in SQL. */
export const BLOCK_SEAL = functionOf([
  "'blocks'",
  ...["id", "type", "text", "words"].map((column) => `blocks."${column}"`),
  leavesSql("blocks"),
]);

/** The seal of a block to be written; its leaves are those that stand in the file or are to stand there. */
export function sealOfBlock(
  id: string,
  { type, text, words, leaves }: { type: string; text: string; words: number; leaves: readonly string[] },
): number {
  return rowHash("blocks", id, type, text, words, leaves.join(" "));
}

/** `hashOf` of a block: of many of them, naming its columns one by one takes half the time. */
export function hashOfBlock(
  id: string,
  chapterId: string,
  { rank, node, source, gap }: { rank: string; node: string; source: string; gap: string },
): number {
  return rowHash("blocks", id, chapterId, rank, node, source, gap);
}

const DIGESTS = 2 ** 48;

/** A digest with what is added, or taken off if it is negative: sums of hashes and seals, modulo 2^48, never below 0. */
export function addToDigest(digest: number, more: number): number {
  return (((digest + more) % DIGESTS) + DIGESTS) % DIGESTS;
}

/** A sum of numbers of 48 bits in SQL, to be taken modulo 2^48: `sum` alone fails beyond 2^63, at 33,000 paragraphs. */
export function sumSql(value: string): string {
  return `(((coalesce(sum((${value}) >> 24), 0) & 16777215) << 24) + coalesce(sum((${value}) & 16777215), 0))`;
}

/** The tables whose rows have a hash: a chapter's own row, and the rows that are of a chapter. */
export const HASHED = ["chapters", "blocks", "mentions", "snippets"] as const satisfies TableName[];

/** A table whose rows have a hash. */
export type HashedTable = (typeof HASHED)[number];

/** The columns that a row's hash is of, besides its id. */
export const hashed = journalled;

/**
 * The ids of a block's leaves in SQL, in order. Each is asked for by its own key and by its row: an index that says otherwise than
 * the table is seen, too.
 */
export function leavesSql(row: string): string {
  return `coalesce((SELECT group_concat(k.id, ' ') FROM (SELECT id, place FROM leaves WHERE row_id = ${row}.id ORDER BY place) l CROSS JOIN leaves k ON k.id = l.id AND k.row_id = ${row}.id AND k.chapter_id = ${row}.chapter_id), '')`;
}

function functionOf(values: readonly string[]): string {
  return `row_hash(${values.join(", ")})`;
}
