import { Damaged } from "../../refusals.ts";
import { ACT_HASH, hashOf, hashSql, PROGRESS_SEAL, sealSql } from "../schema/hashes.ts";
import { journalled, type TableName } from "../schema/tables.ts";
import type { Sql } from "./sql.ts";

/**
 * Gives every row that an act wrote its hash and its seal, found by the act's own journal, so that no write can forget
 * them; blocks have theirs already, for they are many. A row that was changed in part must have been sound before: else
 * its damage would pass for written. `counted` are the rows whose counters changed. Throws `Damaged`.
 */
export function sealRows(
  sql: Sql,
  seq: number,
  counted: { books: Iterable<string>; chapters: Iterable<string> },
): void {
  const written = sql.all<{ table: TableName; op: string }>(
    `SELECT DISTINCT tbl AS "table", op FROM journal WHERE act = ? AND tbl <> 'blocks' AND op <> 'delete'`,
    seq,
  );
  for (const { table, op } of written) {
    if (op === "update") assertWereSound(sql, seq, table);
  }
  for (const table of new Set(written.map((one) => one.table))) hashRows(sql, seq, table);
  const ids = { chapters: [...counted.chapters], books: booksOf(sql, counted) };
  for (const table of ["chapters", "books"] as const) {
    sql.run(
      `UPDATE ${table} SET seal = ${sealSql(table)} WHERE id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(ids[table]),
    );
  }
}

/** Gives an act its own hash, once nothing more is added to it. */
export function sealAct(sql: Sql, seq: number): void {
  sql.run(`UPDATE progress AS p SET seal = ${PROGRESS_SEAL} WHERE act = ?`, seq);
  sql.run(`UPDATE acts AS a SET hash = ${ACT_HASH} WHERE seq = ?`, seq);
}

function booksOf(sql: Sql, { books, chapters }: { books: Iterable<string>; chapters: Iterable<string> }) {
  const ofChapters = sql.list<string>(
    "SELECT DISTINCT book_id FROM chapters WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify([...chapters]),
  );
  return [...new Set([...books, ...ofChapters])];
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
