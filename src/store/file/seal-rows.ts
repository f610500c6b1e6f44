import { Damaged } from "../../refusals.ts";
import { hashOf, hashSql, sealSql } from "../schema/hashes.ts";
import { journalled, type TableName } from "../schema/tables.ts";
import type { Sql } from "./sql.ts";

/**
 * Gives every row that an act wrote its hash and its seal, found by the act's own journal, so that no write can forget
 * them; blocks have theirs already, for they are many, and chapters get their seals when all is counted. A row that was changed
 * in part must have been sound before: else its damage would pass for written. Throws `Damaged`.
 */
export function sealRows(sql: Sql, seq: number, changes: readonly { table: TableName; op: string }[]): void {
  const written = changes.filter(({ table, op }) => table !== "blocks" && op !== "delete");
  const tables = (of: typeof written) => new Set(of.map(({ table }) => table));
  const updated = tables(written.filter(({ op }) => op === "update"));
  for (const table of updated) assertWereSound(sql, seq, table);
  // Mentions come with their hash.
  for (const table of tables(written)) hashRows(sql, seq, table, updated.has(table) ? "" : "hash = 0 AND");
}

function hashRows(sql: Sql, seq: number, table: TableName, where: string): void {
  const seal = table === "chapters" ? undefined : sealSql(table);
  sql.run(
    `UPDATE ${table} SET hash = ${hashSql(table)}${seal === undefined ? "" : `, seal = ${seal}`}
     WHERE ${where} id IN (SELECT row_id FROM journal WHERE act = ? AND tbl = '${table}')`,
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
