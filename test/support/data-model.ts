import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "../../src/store/file/driver.ts";
import { SCHEMA } from "../../src/store/file/schema.ts";
import { TABLES, type TableName } from "../../src/store/file/tables.ts";

export const DATA_MODEL = join(import.meta.dirname, "../../docs/data-model.md");

const source = (file: string) =>
  readFileSync(join(import.meta.dirname, "../../src/store/file", file), "utf8");

const INTRODUCTION = `# Data model

What a manuscript's file holds. This page is written by \`npm run golden\` from \`src/store/file/tables.ts\` and
\`src/store/file/schema.ts\`; the words are the comments there.

How undo treats a column of the writer's own tables is its role: **content** is journalled, compared and restored; a **rank** is
journalled, and restored only if nothing has moved the row since; what is **derived** is computed again. See
[decision 002](decisions/002-journal.md).`;

const WITHOUT_THE_PROGRAM = `## Without the program

SQLite's own command prints the prose of every book: \`sqlite3 -readonly novel.manuscript < prose.sql\`. Before each chapter stands
a line with its book, number and title; the Markdown after it is what was written, with line ends of Unix. If there is a
\`novel.manuscript-wal\` beside the file, keep both together: it holds the newest saves.

\`\`\`sql
SELECT '== ' || b.title || ', ' || c.position || ': ' || c.title || ' ==' || char(10, 10) || c.head || coalesce(
    (SELECT group_concat(source || gap, '')
     FROM (SELECT source, gap FROM blocks WHERE chapter_id = c.id ORDER BY rank, id)), '') AS prose
FROM chapters c JOIN books b ON b.id = c.book_id
ORDER BY b.created_at, b.id, c.rank, c.id;
\`\`\``;

/** Stands for the comment that a table lacks; a test refuses it. */
export const UNTOLD = "_(without a comment)_";

interface Column {
  name: string;
  type: string;
  notnull: 0 | 1;
  pk: number;
}

/** \`docs/data-model.md\`: every table and column of an empty file of today's version. */
export function dataModelPage(): string {
  const connection = connect(":memory:");
  try {
    for (const statement of SCHEMA) connection.exec(statement);
    const names = connection
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
      )
      .pluck()
      .all() as string[];
    const section = (name: string) =>
      tableSection(name, connection.pragma(`table_info(${name})`) as Column[], keys(name));
    const keys = (name: string) =>
      new Map(
        (connection.pragma(`foreign_key_list(${name})`) as { from: string; table: string }[]).map(
          ({ from, table }) => [from, table] as const,
        ),
      );
    const own = names.filter(isOwn);
    return `${[
      INTRODUCTION,
      WITHOUT_THE_PROGRAM,
      "## What the writer made",
      ...own.map(section),
      "## Outside the journal",
      ...names.filter((name) => !isOwn(name)).map(section),
    ].join("\n\n")}\n`;
  } finally {
    connection.close();
  }
}

function isOwn(name: string): name is TableName {
  return name in TABLES;
}

function tableSection(name: string, columns: readonly Column[], keys: ReadonlyMap<string, string>): string {
  const comments = COMMENTS.get(name) ?? new Map<string, string>();
  const rows = columns.map(({ name: column, type, notnull, pk }) =>
    [
      `\`${column}\``,
      `${type}${notnull === 1 || pk > 0 ? "" : " or null"}`,
      pk > 0 ? "key" : isOwn(name) ? (TABLES[name].columns[column]?.role ?? "") : "",
      keys.has(column) ? `\`${keys.get(column)}\`` : "",
      comments.get(column) ?? "",
    ].join(" | "),
  );
  const table = [
    ["column", "type", "role", "names a row of", ""].join(" | "),
    Array(5).fill("---").join(" | "),
    ...rows,
  ];
  const lines = table.map((row) => `| ${row} |`);
  return `### ${name}\n\n${comments.get("") ?? UNTOLD}\n\n${lines.join("\n")}`;
}

/** The comments of the source by table and column; that of the table itself stands under "". */
const COMMENTS: ReadonlyMap<string, ReadonlyMap<string, string>> = readComments();

function readComments(): Map<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>();
  const of = (table: string) => found.get(table) ?? found.set(table, new Map()).get(table)!; // just set
  let table = "";
  for (const [, comment = "", indent = "", name = ""] of source("tables.ts").matchAll(
    /(?:^ +\/\*\* (.+) \*\/\n)?^( {2}| {6})(\w+)(?:: |,)/gm,
  )) {
    if (indent.length === 2) table = name;
    if (comment !== "") of(table).set(indent.length === 2 ? "" : name, comment);
  }
  for (const [, comment = "", name = ""] of source("schema.ts").matchAll(
    /^((?: +\/\/ .+\n)+) +`CREATE TABLE (\w+)/gm,
  ))
    of(name).set("", comment.replaceAll(/\s*\n? +\/\/ /g, " ").trim());
  return found;
}
