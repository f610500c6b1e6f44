import { BLOCK_SEAL, HASHED, type HashedTable, hashSql, sumSql } from "./file/hashes.ts";
import type { Store } from "./file/store.ts";

/** A row whose hash is not that of what it holds. */
export interface DamagedRow {
  table: HashedTable;
  id: string;
  /** Which of its hashes does not fit: of what was written, of what follows from that, or of its rows together. */
  kind: "hash" | "seal" | "digest";
  /** The chapter that it is of. */
  chapter: string | null;
}

/**
 * Every row of a chapter that is not what was written. It looks at all of them: a million words take about a second; `between` is
 * called before each table.
 */
export function listDamagedRows(store: Store, between: () => void = () => {}): DamagedRow[] {
  const found = (table: HashedTable, kind: DamagedRow["kind"], expected: string) =>
    store.all<DamagedRow>(
      `SELECT '${table}' AS "table", id, '${kind}' AS kind, ${table === "chapters" ? "id" : "chapter_id"} AS chapter
       FROM ${table} WHERE ${kind} <> ${expected} ORDER BY id`,
    );
  const rows = HASHED.flatMap((table) => {
    between();
    return found(table, "hash", hashSql(table));
  });
  return [...rows, ...found("blocks", "seal", BLOCK_SEAL), ...found("chapters", "digest", DIGEST_SQL)];
}

/** What each chapter's digest ought to be, in SQL. */
export const DIGEST_SQL = `((SELECT ${sumSql("hash + seal")} FROM blocks WHERE chapter_id = chapters.id)
  + (SELECT ${sumSql("hash")} FROM mentions WHERE chapter_id = chapters.id)) & 281474976710655`;

/** A damaged row in words, without what stands in it. */
export function describeDamage({ table, id, kind, chapter }: DamagedRow): string {
  const what =
    kind === "digest" ? "the list of paragraphs" : kind === "seal" ? "the counts and texts" : "the row";
  return `${what} of ${table} ${id}${chapter === null || chapter === id ? "" : ` of ${chapter}`}`;
}
