import type { Store } from "./file/store.ts";
import { ACT_HASH, COPY_SEAL, hashSql, PROGRESS_SEAL, SEALED, sealSql, sumSql } from "./schema/hashes.ts";
import { TABLE_NAMES, type TableName } from "./schema/tables.ts";

/** A row whose hash is not that of what it holds. */
export interface DamagedRow {
  table: TableName | "acts" | "working_copies" | "progress";
  /** The row's `id`, or its number where it has none. */
  id: string | number;
  /** Which of its hashes does not fit: of what was written, of what follows from that, or of its blocks' together. */
  kind: "hash" | "seal" | "digest";
  /** The chapter that it is of. */
  chapter: string | null;
}

/**
 * Every row that is not what was written. It looks at all of them: a million words take about a second; `between` is called
 * before each table.
 */
export function listDamagedRows(store: Store, between: () => void = () => {}): DamagedRow[] {
  const ofTables = TABLE_NAMES.flatMap((table) => {
    between();
    return ofTable(store, table);
  });
  return [...ofTables, ...digests(store), ...history(store)];
}

function ofTable(store: Store, table: TableName): DamagedRow[] {
  const chapter = table === "blocks" || table === "mentions" ? "chapter_id" : "NULL";
  const found = (kind: DamagedRow["kind"], expected: string) =>
    store.all<DamagedRow>(
      `SELECT '${table}' AS "table", id, '${kind}' AS kind, ${chapter} AS chapter FROM ${table} WHERE ${kind} <> ${expected} ORDER BY id`,
    );
  const seal = SEALED.includes(table) ? sealSql(table) : undefined;
  return [...found("hash", hashSql(table)), ...(seal === undefined ? [] : found("seal", seal))];
}

/** What each chapter's digest ought to be, in SQL. */
export const DIGEST_SQL = `((SELECT ${sumSql("hash + seal")} FROM blocks WHERE chapter_id = chapters.id)
  + (SELECT ${sumSql("hash")} FROM mentions WHERE chapter_id = chapters.id)) & 281474976710655`;

function digests(store: Store): DamagedRow[] {
  return store.all(
    `SELECT 'chapters' AS "table", id, 'digest' AS kind, id AS chapter FROM chapters WHERE digest <> ${DIGEST_SQL} ORDER BY id`,
  );
}

function history(store: Store): DamagedRow[] {
  return [
    ...store.all<DamagedRow>(
      `SELECT 'acts' AS "table", seq AS id, 'hash' AS kind, NULL AS chapter FROM acts a WHERE hash <> ${ACT_HASH} ORDER BY seq`,
    ),
    ...store.all<DamagedRow>(
      `SELECT 'working_copies' AS "table", seq AS id, 'seal' AS kind, chapter_id AS chapter FROM working_copies w WHERE seal <> ${COPY_SEAL} ORDER BY seq`,
    ),
    ...store.all<DamagedRow>(
      `SELECT 'progress' AS "table", rowid AS id, 'seal' AS kind, NULL AS chapter FROM progress p WHERE seal <> ${PROGRESS_SEAL} ORDER BY rowid`,
    ),
  ];
}

/** A damaged row in words, without what stands in it. */
export function describeDamage({ table, id, kind, chapter }: DamagedRow): string {
  if (table === "acts") return `what act ${id} left in the history`;
  if (table === "working_copies") return `what a folder last had in common with ${chapter ?? "its book"}`;
  if (table === "progress") return `the words counted on a day, entry ${id}`;
  const what =
    kind === "digest" ? "the list of paragraphs" : kind === "seal" ? "the counts and texts" : "the row";
  return `${what} of ${table.replace("_", " ")} ${id}${chapter === null || chapter === id ? "" : ` of ${chapter}`}`;
}
