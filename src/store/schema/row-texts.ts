import { hashOfText } from "../../text/row-hash.ts";
import { hashed, leavesSql, sealed } from "./hashes.ts";
import { TABLES } from "./tables.ts";

/** What reads rows, as a store does. */
interface Reads {
  all<Row>(sql: string, ...values: unknown[]): Row[];
}

/** The tables of a chapter whose rows are many. */
type Many = "blocks" | "mentions";

/** Rows as SQLite writes them out, with what they ought to have as hash and seal. */
interface Written {
  id: string;
  hash: number;
  /** Null if a value is. */
  hashText: Buffer | null;
  seal: number | null;
  sealText: Buffer | null;
}

/**
 * Those of a chapter's rows whose hash and seal are those of what they hold, each with both as one text. SQLite writes out what they
 * are of and the bytes are hashed as they are, so that no prose becomes a string: a third of what `row_hash` takes, which is asked
 * for each value. A row that is not among them may be sound all the same: SQLite counts rare characters, outside the basic
 * plane, as one, and ends at a zero byte.
 */
export function intactRows(sql: Reads, table: Many, chapterId: string): Map<string, string> {
  const intact = new Map<string, string>();
  for (const { id, hash, hashText, seal, sealText } of sql.all<Written>(WRITTEN[table], chapterId)) {
    if (hashText === null || hash !== hashOfText(hashText)) continue;
    if (sealText === null) intact.set(id, String(hash));
    else if (seal === hashOfText(sealText)) intact.set(id, `${hash} ${seal}`);
  }
  return intact;
}

const WRITTEN: Readonly<Record<Many, string>> = {
  blocks: writtenSql("blocks"),
  mentions: writtenSql("mentions"),
};

function writtenSql(table: Many): string {
  const seals = sealed(table);
  const leaves = `(SELECT ${stringSql("leaves")} FROM (SELECT ${leavesSql("r")} AS leaves))`;
  const seal =
    seals.length === 0 ? "NULL AS seal, NULL" : `r.seal, CAST(${textSql(table, seals)} || ${leaves} AS BLOB)`;
  return `SELECT r.id, r.hash, CAST(${hashTextSql(table)} AS BLOB) AS hashText, ${seal} AS sealText FROM ${table} r WHERE r.chapter_id = ?`;
}

/** What the hash of a row, called `r`, is of, in SQL: as `rowHash` writes it, where it has no rare characters. */
export function hashTextSql(table: Many): string {
  return textSql(table, hashed(table));
}

/** What `rowHash` writes of a row's id and these columns of it, in SQL. */
function textSql(table: Many, columns: readonly string[]): string {
  const written = columns.map((column) => {
    const declared = TABLES[table].columns[column]?.sql ?? "";
    const value = `r."${column}"`;
    return declared.startsWith("INTEGER") ? `'#' || ${value} || ';'` : stringSql(value);
  });
  return [stringSql(`'${table}'`), stringSql("r.id"), ...written].join(" || ");
}

function stringSql(value: string): string {
  return `length(${value}) || ':' || ${value}`;
}
