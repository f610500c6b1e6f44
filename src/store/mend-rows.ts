import { Damaged } from "../refusals.ts";
import { withoutTriggers } from "./bundle.ts";
import { type DamagedRow, DIGEST_SQL, listDamagedRows } from "./damage.ts";
import { type Hashed, type HashedTable, hashed, rowHash, sealOfBlock } from "./file/hashes.ts";
import type { Store } from "./file/store.ts";
import { imageBefore } from "./journal/images.ts";
import type { DeriveBlock } from "./rows/blocks.ts";

/** A damaged row that is as it was written again, and what proved it. */
export interface MendedRow extends DamagedRow {
  from: "its hash" | "its document" | "its history" | "another copy";
}

/** A row's columns by name. */
type Cells = Record<string, Hashed>;

/** Tables with fewer rows than one of their indexes has entries: made anew, it would tell no more that some are lost. */
export function tablesThatLostRows(store: Store): string[] {
  const indexes = store.all<{ name: string; table: string; sql: string | null; hasRowid: 0 | 1 }>(
    `SELECT name, tbl_name AS "table", sql, (SELECT wr = 0 FROM pragma_table_list t WHERE t.name = tbl_name) AS hasRowid
     FROM sqlite_schema WHERE type = 'index'`,
  );
  const isLarger = ({ name, table, sql, hasRowid }: (typeof indexes)[number]) => {
    const [where = ""] = / WHERE .*$/s.exec(sql ?? "") ?? [];
    // A plain count is made by whichever index is the smallest.
    const count = (by: string) => `(SELECT coalesce(sum(1), 0) FROM "${table}" ${by}${where})`;
    // SQLite reads a table without rowids by its smallest index all the same, unless its key is named.
    const rows = hasRowid === 1 ? "NOT INDEXED" : `INDEXED BY "sqlite_autoindex_${table}_1"`;
    return store.list<number>(`SELECT ${count(`INDEXED BY "${name}"`)} > ${count(rows)}`)[0] === 1;
  };
  return [...new Set(indexes.filter(isLarger).map(({ table }) => table))];
}

interface Mending {
  store: Store;
  /** Other copies of the file, the best first. */
  copies: readonly Store[];
  /** What may be stored with a node, by this version or an earlier one. */
  derivations: (node: string) => ReturnType<DeriveBlock>[];
}

/**
 * Brings back every damaged row of which something proves what was written: a single bit turned over, the document that a
 * text follows from, what the history knows, another copy of the file. Nothing is guessed: what is written back fits the
 * hash. It is no act, for it changes nothing that was written. Runs within the caller's transaction.
 */
export function mendRows(mending: Mending): MendedRow[] {
  const { store } = mending;
  return withoutTriggers(store, () => {
    store.run("REINDEX");
    // Rows first: what is counted of them is proved by them.
    return listDamagedRows(store).flatMap((row) => {
      const from = mendRow(mending, row);
      return from === undefined ? [] : [{ ...row, from }];
    });
  });
}

function mendRow(mending: Mending, { table, id, kind }: DamagedRow): MendedRow["from"] | undefined {
  if (kind === "digest") return mendDigest(mending.store, id);
  if (kind === "seal") return deriveAgain(mending, id);
  const target: Target = { table, id, columns: hashed(table) };
  return turnBack(mending.store, target) ?? fromHistory(mending.store, target) ?? fromCopies(mending, target);
}

/** A row whose hash is not that of these columns. */
interface Target {
  table: HashedTable;
  id: string;
  columns: readonly string[];
}

function mendDigest(store: Store, id: string): MendedRow["from"] | undefined {
  const isWhole = store.get(
    "SELECT 1 FROM chapters c WHERE id = ? AND block_count = (SELECT count(*) FROM leaves WHERE chapter_id = c.id)",
    id,
  );
  if (isWhole === undefined) return undefined;
  store.run(`UPDATE chapters SET digest = ${DIGEST_SQL} WHERE id = ?`, id);
  return "its hash";
}

function deriveAgain({ store, derivations }: Mending, id: string): MendedRow["from"] | undefined {
  const row = store.get<{ node: string; seal: number }>("SELECT node, seal FROM blocks WHERE id = ?", id);
  if (row === undefined) return undefined;
  for (const block of derivations(row.node)) {
    const seal = sealOfBlock(id, block);
    if (seal !== row.seal && !isOneBitFrom(seal, row.seal)) continue;
    store.run("UPDATE blocks SET type = :type, text = :text, words = :words, seal = :seal WHERE id = :id", {
      ...block,
      seal,
      id,
    });
    return "its document";
  }
  return undefined;
}

/** One bit of a row's values, or of its hash, turned back: 48 bits of hash leave no other row that fits. */
function turnBack(store: Store, target: Target): MendedRow["from"] | undefined {
  const { table, id, columns } = target;
  const raw = columns.map(
    (column) => `iif(typeof("${column}") = 'text', CAST("${column}" AS BLOB), "${column}") AS "${column}"`,
  );
  const found = store.get<Record<string, Hashed> & { expected: number }>(
    `SELECT ${raw.join(", ")}, hash AS expected FROM ${table} WHERE id = ?`,
    id,
  );
  if (found === undefined) return undefined;
  const { expected, ...cells } = found;
  const values = columns.map((column) => textOf(cells[column] ?? null));
  const now = rowHash(table, id, ...values);
  if (isOneBitFrom(now, expected)) {
    store.run(`UPDATE ${table} SET hash = ? WHERE id = ?`, now, id);
    return "its hash";
  }
  const turned = turnedBack(target, cells, expected);
  if (turned === undefined) return undefined;
  store.run(`UPDATE ${table} SET "${turned.column}" = ? WHERE id = ?`, turned.value, id);
  return "its hash";
}

/** The one value of a row with the one bit turned back that make it fit its hash; undefined if there is none. Texts as bytes. */
export function turnedBack(
  { table, id, columns }: Target,
  cells: Readonly<Record<string, Hashed>>,
  expected: number,
): { column: string; value: string | number } | undefined {
  const values = columns.map((column) => textOf(cells[column] ?? null));
  for (const [index, column] of columns.entries()) {
    for (const value of turned(cells[column] ?? null)) {
      values[index] = value;
      if (rowHash(table, id, ...values) === expected) return { column, value };
    }
    values[index] = textOf(cells[column] ?? null);
  }
  return undefined;
}

/** Bytes tried of one value; the trials of a longer one would take minutes. */
const MOST_BYTES = 32_768;
const INTEGER_BITS = 53;

/** A value with each of its bits turned over in turn. */
function* turned(value: Hashed): Generator<string | number> {
  if (typeof value === "number") {
    for (let bit = 0; bit < INTEGER_BITS; bit++) {
      const weight = 2 ** bit;
      yield Math.floor(value / weight) % 2 === 0 ? value + weight : value - weight;
    }
  } else if (value instanceof Uint8Array && value.length <= MOST_BYTES) {
    const bytes = Buffer.from(value);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const at = bit >> 3;
      const old = bytes[at] ?? 0; // within the value
      bytes[at] = old ^ (1 << (bit & 7));
      yield bytes.toString();
      bytes[at] = old;
    }
  }
}

function textOf(value: Hashed): Hashed {
  return value instanceof Uint8Array ? Buffer.from(value).toString() : value;
}

function isOneBitFrom(a: number, b: number): boolean {
  const difference = BigInt(a) ^ BigInt(b);
  return difference !== 0n && (difference & (difference - 1n)) === 0n;
}

/** What the row was before any act changed it, where that is what its hash says. */
function fromHistory(store: Store, target: Target): MendedRow["from"] | undefined {
  const numbers = store.list<number>(
    "SELECT seq FROM journal WHERE row_id = ? AND tbl = ? AND json_valid(before) ORDER BY seq DESC",
    target.id,
    target.table,
  );
  const now = cellsOf(store, target);
  const fits = numbers.some((seq) => replace(store, target, { ...now, ...formerCells(store, target, seq) }));
  return fits ? "its history" : undefined;
}

/** The row as it was before a change; undefined where that is only known from what is damaged. */
function formerCells(store: Store, { table, id }: Target, seq: number): Cells | undefined {
  try {
    return imageBefore(store, { table, id }, seq) as Cells;
  } catch (error) {
    if (error instanceof Damaged) return undefined;
    throw error;
  }
}

function fromCopies({ store, copies }: Mending, target: Target): MendedRow["from"] | undefined {
  return copies.some((copy) => replace(store, target, cellsOf(copy, target))) ? "another copy" : undefined;
}

function cellsOf(store: Store, { table, id, columns }: Target): Cells | undefined {
  const names = columns.map((column) => `"${column}"`).join(", ");
  return store.get<Cells>(`SELECT ${names} FROM ${table} WHERE id = ?`, id);
}

/** Writes values over a row's if they are what its hash says. */
function replace(store: Store, { table, id, columns }: Target, cells: Cells | undefined): boolean {
  if (cells === undefined) return false;
  const values = columns.map((column) => cells[column] ?? null);
  const [expected] = store.list<number>(`SELECT hash FROM ${table} WHERE id = ?`, id);
  if (rowHash(table, id, ...values) !== expected) return false;
  store.run(
    `UPDATE ${table} SET ${columns.map((column) => `"${column}" = ?`).join(", ")} WHERE id = ?`,
    ...values,
    id,
  );
  return true;
}
