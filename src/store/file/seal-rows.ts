import { Damaged } from "../../refusals.ts";
import { ACT_HASH, hashOf, hashSql, PROGRESS_SEAL, sealSql } from "../schema/hashes.ts";
import { journalled, type TableName } from "../schema/tables.ts";
import type { Sql } from "./sql.ts";

const SEAL = { chapters: sealOne("chapters"), books: sealOne("books") } as const;

const SEAL_PROGRESS = `UPDATE progress AS p SET seal = ${PROGRESS_SEAL} WHERE act = ?`;
const HASH_ACT = `UPDATE acts AS a SET hash = ${ACT_HASH} WHERE seq = ?`;

function sealOne(table: TableName): string {
  return `UPDATE ${table} SET seal = ${sealSql(table)} WHERE id = ?`;
}

/** What an act has changed, by its journal, and the rows whose counters changed with that. */
interface Counted {
  changes: readonly { table: TableName; op: string }[];
  books: Iterable<string>;
  chapters: Iterable<string>;
}

/**
 * Gives every row that an act wrote its hash and its seal, found by the act's own journal, so that no write can forget
 * them; blocks have theirs already, for they are many. A row that was changed in part must have been sound before: else
 * its damage would pass for written. Throws `Damaged`.
 */
export function sealRows(sql: Sql, seq: number, { changes, ...counted }: Counted): void {
  const written = changes.filter(({ table, op }) => table !== "blocks" && op !== "delete");
  const tables = (of: typeof written) => new Set(of.map(({ table }) => table));
  for (const table of tables(written.filter(({ op }) => op === "update"))) assertWereSound(sql, seq, table);
  for (const table of tables(written)) hashRows(sql, seq, table);
  const ids = { chapters: counted.chapters, books: booksOf(sql, counted) };
  for (const table of ["chapters", "books"] as const) {
    for (const id of ids[table]) sql.run(SEAL[table], id);
  }
}

/** Gives an act its own hash, once nothing more is added to it. */
export function sealAct(sql: Sql, seq: number): void {
  sql.run(SEAL_PROGRESS, seq);
  sql.run(HASH_ACT, seq);
}

function booksOf(sql: Sql, { books, chapters }: { books: Iterable<string>; chapters: Iterable<string> }) {
  const ofChapters = [...chapters].flatMap((id) =>
    sql.list<string>("SELECT book_id FROM chapters WHERE id = ?", id),
  );
  return new Set([...books, ...ofChapters]);
}

/** A seal is of what an act leaves, so chapters and books are sealed when all is counted. */
function hashRows(sql: Sql, seq: number, table: TableName): void {
  const seal = table === "chapters" ? undefined : sealSql(table);
  sql.run(
    `UPDATE ${table} SET hash = ${hashSql(table)}${seal === undefined ? "" : `, seal = ${seal}`}
     WHERE id IN (SELECT row_id FROM journal WHERE act = ? AND tbl = '${table}')`,
    seq,
  );
}

interface Changed {
  id: string;
  before: string;
}

function assertWereSound(sql: Sql, seq: number, table: TableName): void {
  const steps = sql.all<Changed>(
    "SELECT row_id AS id, before FROM journal WHERE act = ? AND tbl = ? AND op = 'update' ORDER BY seq DESC",
    seq,
    table,
  );
  const columns = journalled(table).map((column) => `"${column}"`);
  const images = new Map<string, Record<string, unknown>>();
  for (const { id, before } of steps) {
    const row =
      images.get(id) ??
      sql.get<Record<string, unknown>>(`SELECT ${columns.join(", ")}, hash FROM ${table} WHERE id = ?`, id);
    if (row !== undefined) images.set(id, Object.assign(row, JSON.parse(before)));
  }
  for (const [id, row] of images) {
    // One without a hash was made by this act.
    if (row.hash !== 0 && hashOf(table, id, row) !== row.hash) throw new Damaged(`${table} ${id}`);
  }
}
