import { type Hashed, rowHash } from "../../text/row-hash.ts";
import { journalled, type TableName } from "./tables.ts";

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
