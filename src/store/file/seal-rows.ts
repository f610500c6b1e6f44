import { Damaged } from "../../refusals.ts";
import { ACT_HASH, hashOf, hashSql, SEALED, sealSql } from "../schema/hashes.ts";
import { journalled, TABLE_NAMES, type TableName } from "../schema/tables.ts";
import type { Sql } from "./sql.ts";

/**
 * Gives every row that an act wrote its hash and its seal, found by the act's own journal, so that no write can forget
 * them. A row that was changed in part must have been sound before: else its damage would pass for written. Throws
 * `Damaged`.
 */
export function sealRows(sql: Sql, seq: number): void {
  for (const table of TABLE_NAMES) hashRows(sql, seq, table);
  // Children first: a block's seal is in its chapter's digest.
  for (const table of SEALED.toReversed()) {
    sql.run(`UPDATE ${table} SET seal = ${sealSql(table)} WHERE seal = 0`);
  }
}

/** Gives an act its own hash, once nothing more is added to it. */
export function sealAct(sql: Sql, seq: number): void {
  sql.run(`UPDATE acts AS a SET hash = ${ACT_HASH} WHERE seq = ?`, seq);
}

interface Changed {
  id: string;
  op: string;
  before: string | null;
}

function hashRows(sql: Sql, seq: number, table: TableName): void {
  const entries = sql.all<Changed>(
    "SELECT row_id AS id, op, before FROM journal WHERE act = ? AND tbl = ? AND op = 'update' ORDER BY seq DESC",
    seq,
    table,
  );
  const changed = new Map<string, Changed[]>();
  for (const entry of entries) changed.set(entry.id, [...(changed.get(entry.id) ?? []), entry]);
  for (const [id, steps] of changed) assertWasSound(sql, table, { id, steps });
  sql.run(
    `UPDATE ${table} SET hash = ${hashSql(table)} WHERE id IN (SELECT row_id FROM journal WHERE act = ? AND tbl = '${table}' AND op = 'update')`,
    seq,
  );
  sql.run(
    `UPDATE ${table} SET hash = ${hashSql(table)} WHERE hash = 0 AND id IN (SELECT row_id FROM journal WHERE act = ? AND tbl = '${table}' AND op = 'insert')`,
    seq,
  );
}

function assertWasSound(
  sql: Sql,
  table: TableName,
  { id, steps }: { id: string; steps: readonly Changed[] },
): void {
  const columns = journalled(table).map((column) => `"${column}"`);
  const now = sql.get<Record<string, unknown> & { hash: number }>(
    `SELECT ${columns.join(", ")}, hash FROM ${table} WHERE id = ?`,
    id,
  );
  if (now === undefined || now.hash === 0) return; // gone, or made by this act
  const before = Object.assign({}, now, ...steps.map((step) => JSON.parse(step.before ?? "{}")));
  if (hashOf(table, id, before) !== now.hash) throw new Damaged(`${table} ${id}`);
}
