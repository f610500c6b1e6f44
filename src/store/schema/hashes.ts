import { type Hashed, rowHash } from "../../text/row-hash.ts";
import { columnsWhere, journalled, TABLE_NAMES, type TableName } from "./tables.ts";

/** Columns by name, as SQLite has them. */
type Cells = Readonly<Record<string, unknown>>;

/** The hash of a row's journalled columns: of a row of the file, of one to be written, or as the journal knew it. */
export function hashOf(table: TableName, id: string, row: Cells): number {
  return rowHash(table, id, ...hashed(table).map((column) => (row[column] ?? null) as Hashed));
}

/** `hashOf` in SQL, of the table's row. */
export function hashSql(table: TableName, row: string = table): string {
  return functionOf([`'${table}'`, ...["id", ...hashed(table)].map((column) => `${row}."${column}"`)]);
}

/** The hash of a row's derived columns: of a row of the file, or of one to be written. */
export function sealOf(table: Exclude<TableName, "blocks">, id: string, row: Cells): number {
  return rowHash(table, id, ...sealed(table).map((column) => (row[column] ?? null) as Hashed));
}

/** The same in SQL, of the table's row or of what some columns are to be; undefined for a table that has none. */
export function sealSql(
  table: TableName,
  row: string = table,
  next: Readonly<Record<string, string>> = {},
): string | undefined {
  const columns = sealed(table);
  if (columns.length === 0) return undefined;
  const own = ["id", ...columns].map((column) => next[column] ?? `${row}."${column}"`);
  return functionOf([`'${table}'`, ...own, ...(table === "blocks" ? [leavesSql(row)] : [])]);
}

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

/** What an act left in the history, as one number, in SQL: its own row, the journal, revisions and progress. */
export const ACT_HASH = `row_hash('acts', a.seq, a.id, a.at, a.kind, iif(a.by_name IS NULL, a.source, a.source || ' ' || a.by_name), a.key_id, a.undoes, a.schema,
  (SELECT group_concat(j.seq || ' ' || j.tbl || ' ' || j.row_id || ' ' || j.op || ' ' || coalesce(j.chapter, '') || ' ' || coalesce(j.chapter_after, ''), ',') FROM (SELECT * FROM journal WHERE act = a.seq ORDER BY seq) j),
  (SELECT rows_hash(j.before) FROM (SELECT before FROM journal WHERE act = a.seq AND before IS NOT NULL ORDER BY seq) j),
  (SELECT group_concat(r.chapter_id || ' ' || r.revision || ' ' || r.word_count || ' ' || r.added || ' ' || r.removed, ',') FROM (SELECT * FROM revisions WHERE act = a.seq ORDER BY chapter_id, revision) r),
  (SELECT group_concat(p.book_id || ' ' || p.date || ' ' || p.added || ' ' || p.removed || ' ' || p.imported, ',') FROM (SELECT * FROM progress WHERE act = a.seq ORDER BY book_id, date, added, removed, imported) p))`;

/** What a working copy's row says, as one number, in SQL. */
export const COPY_SEAL = `row_hash('working_copies', w.folder, w.book_id, w.act, w.chapter_id, w.file, w.hash, w.written, w.revision, w.title, w.status, w.synopsis, w.part, w.text, w.stored)`;

/** What a row of a day's progress says, as one number, in SQL. */
export const PROGRESS_SEAL = `row_hash('progress', p.act, p.book_id, p.date, p.added, p.removed, p.imported)`;

/** The columns that a row's hash is of. */
export const hashed = journalled;

const SEALED_COLUMNS = columnsWhere((name, role) => role === "derived" && name !== "hash" && name !== "seal");

/** The columns that a row's seal is of. */
export function sealed(table: TableName): readonly string[] {
  return SEALED_COLUMNS.get(table)!; // every table is in it
}

/** The tables whose rows have a seal. */
export const SEALED = TABLE_NAMES.filter((table) => sealed(table).length > 0);

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
