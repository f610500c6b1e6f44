import { journalled, TABLES, type TableName } from "./tables.ts";

const ACT = "(SELECT seq FROM current_act)";

/** True unless many blocks are written at once, which are journalled and counted all together. */
export const ONE_BY_ONE = "(SELECT at_once FROM current_act) IS NULL";

function entry(
  table: TableName,
  op: string,
  values: { id: string; chapter: string; after: string; before: string },
) {
  const columns = "act, tbl, row_no, op, chapter_no, chapter_after_no, before";
  const { id, chapter, after, before } = values;
  return `INSERT INTO journal_entries(${columns}) VALUES(${ACT}, '${table}', ${numberSql(id)}, '${op}', ${numberSql(chapter)}, ${numberSql(after)}, ${before});`;
}

/** The number by which the journal names an id, in SQL; NULL for none. */
export function numberSql(id: string): string {
  return id === "NULL" ? id : `(SELECT no FROM ids WHERE id = ${id})`;
}

/** Numbers an id unless it has a number, in SQL. */
function numbering(id: string): string {
  return `INSERT INTO ids(id) SELECT ${id} WHERE ${id} IS NOT NULL ON CONFLICT DO NOTHING;`;
}

/** A row's journalled columns as the journal holds them, in SQL. */
export function imageSql(table: TableName, row: string): string {
  return `json_object(${journalled(table)
    .map((column) => `'${column}', ${row}."${column}"`)
    .join(", ")})`;
}

/**
 * The triggers that journal a table: no write outside an act, ids never change, an insert leaves its id, a delete the
 * whole row, an update the columns that changed (the whole row if it moved to another chapter). The guards have no
 * WHEN: behind one, another program's update that changes nothing would pass. Source: docs/decisions/002-journal.md.
 */
export function triggersOf(table: TableName): string[] {
  const columns = journalled(table);
  const { chapter } = TABLES[table];
  const chapterOf = (row: string) => (chapter === undefined ? "NULL" : `${row}."${chapter}"`);
  const changed = columns.map((column) => `OLD."${column}" IS NOT NEW."${column}"`).join(" OR ");
  const whole = imageSql(table, "OLD");
  const each = table === "blocks" ? ` WHEN ${ONE_BY_ONE}` : "";
  // A removed key would be read as unchanged, so a changed column appears even if it was NULL.
  const partial = `(SELECT json_group_object(k, v) FROM (${columns
    .map(
      (column) =>
        `SELECT '${column}' AS k, OLD."${column}" AS v WHERE OLD."${column}" IS NOT NEW."${column}"`,
    )
    .join(" UNION ALL ")}))`;
  const moved =
    chapter === undefined || chapter === "id" ? undefined : `OLD."${chapter}" IS NOT NEW."${chapter}"`;
  const inChapter = moved === undefined ? "" : `${numbering(chapterOf("NEW"))} `;
  const guard = (op: string) =>
    `CREATE TRIGGER guard_${table}_${op.toLowerCase()} BEFORE ${op} ON ${table} BEGIN SELECT RAISE(ABORT, 'a write outside an act') WHERE ${ACT} IS NULL; END`;
  return [
    guard("INSERT"),
    guard("UPDATE"),
    guard("DELETE"),
    `CREATE TRIGGER fixed_${table}_id BEFORE UPDATE OF id ON ${table} WHEN OLD.id IS NOT NEW.id BEGIN SELECT RAISE(ABORT, 'an id never changes'); END`,
    `CREATE TRIGGER journal_${table}_insert AFTER INSERT ON ${table}${each} BEGIN ${numbering("NEW.id")} ${inChapter}${entry(table, "insert", { id: "NEW.id", chapter: chapterOf("NEW"), after: "NULL", before: "NULL" })} END`,
    `CREATE TRIGGER journal_${table}_delete AFTER DELETE ON ${table}${each} BEGIN ${entry(table, "delete", { id: "OLD.id", chapter: chapterOf("OLD"), after: "NULL", before: whole })} END`,
    `CREATE TRIGGER journal_${table}_update AFTER UPDATE ON ${table} WHEN ${table === "blocks" ? `${ONE_BY_ONE} AND (${changed})` : changed} BEGIN ${inChapter}${entry(
      table,
      "update",
      {
        id: "NEW.id",
        chapter: chapterOf("OLD"),
        after: moved === undefined ? "NULL" : `iif(${moved}, ${chapterOf("NEW")}, NULL)`,
        before: moved === undefined ? partial : `iif(${moved}, ${whole}, ${partial})`,
      },
    )} END`,
  ];
}
