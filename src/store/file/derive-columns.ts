import type { ChapterId } from "../../ids.ts";
import { COPY_SEAL } from "../schema/hashes.ts";
import type { TableName } from "../schema/tables.ts";
import { sealRows } from "./seal-rows.ts";
import type { Act, Sql } from "./sql.ts";

/**
 * Updates every derived column after an act: positions, revisions, versions, times and hashes. It reads the act's own journal, so
 * no write can forget it. Runs before the commit of every act.
 */
export function deriveColumns(sql: Sql, act: Act): void {
  const changes = readChanges(sql, act.seq);
  const tables = new Set(changes.map(({ table }) => table));
  const moved = changes.some(({ isPlace }) => isPlace === 1)
    ? reordered(sql, act.seq).flatMap((bookId) => renumber(sql, bookId))
    : [];
  const prose = new Set([...proseOf(changes), ...act.revised]);
  const touched = new Set(
    changes.flatMap(({ table, chapter }) => (table === "snippets" || chapter === null ? [] : [chapter])),
  );
  for (const chapterId of prose) raiseRevision(sql, act, chapterId, touched.has(chapterId));
  for (const chapterId of touched) if (!prose.has(chapterId)) raiseVersion(sql, act, chapterId);
  const books = touchBooks(sql, act, { tables, chapters: touched });
  for (const table of ["books", "facts", "snippets"] as const) {
    if (!tables.has(table)) continue;
    sql.run(
      `UPDATE ${table} SET updated_at = ? WHERE id IN (SELECT row_id FROM journal WHERE act = ? AND tbl = '${table}')`,
      act.at,
      act.seq,
    );
  }
  sealRows(sql, act.seq, { changes, books, chapters: new Set([...moved, ...prose, ...touched]) });
}

/** A kind of change that an act made, each once. */
interface Change {
  table: TableName;
  op: string;
  chapter: ChapterId | null;
  chapterAfter: ChapterId | null;
  /** 1 if it changed a chapter's Markdown beside its blocks. */
  isProse: number;
  /** 1 if it changed the order of a book's chapters. */
  isPlace: number;
}

function readChanges(sql: Sql, seq: number): Change[] {
  return sql.all<Change>(
    `SELECT DISTINCT tbl AS "table", op, chapter, chapter_after AS chapterAfter,
       tbl = 'chapters' AND (op = 'insert' OR (op = 'update' AND
         (json_type(before, '$.head') IS NOT NULL OR json_type(before, '$.bom') IS NOT NULL OR json_type(before, '$.eol') IS NOT NULL))) AS isProse,
       tbl = 'chapters' AND (op <> 'update' OR json_type(before, '$.rank') IS NOT NULL) AS isPlace
     FROM journal WHERE act = ?`,
    seq,
  );
}

function proseOf(changes: readonly Change[]): ChapterId[] {
  return changes.flatMap(({ table, chapter, chapterAfter, isProse }) => {
    const isOwn = table === "blocks" || isProse === 1;
    return isOwn ? [chapter, chapterAfter].filter((id) => id !== null) : [];
  });
}

/** Chapters whose Markdown an act has changed so far, including those that have been deleted since. */
export function chaptersWithNewProse(sql: Sql, seq: number): ChapterId[] {
  return [...new Set(proseOf(readChanges(sql, seq)))];
}

/** Whether an act has changed nothing that the writer made. */
export function isEmptyAct(sql: Sql, seq: number): boolean {
  return sql.get("SELECT 1 FROM journal WHERE act = ?", seq) === undefined;
}

/** Removes an act that changed nothing; the working copies that it recorded stay. */
export function forgetAct(sql: Sql, seq: number): void {
  sql.run("UPDATE working_copies SET act = NULL, seal = 0 WHERE act = ?", seq);
  sql.run(`UPDATE working_copies AS w SET seal = ${COPY_SEAL} WHERE act IS NULL AND seal = 0`);
  sql.run("DELETE FROM progress WHERE act = ?", seq);
  sql.run("DELETE FROM acts WHERE seq = ?", seq);
}

/** Books whose list of chapters gained, lost or moved one. */
function reordered(sql: Sql, seq: number): string[] {
  return sql.list(
    `SELECT DISTINCT coalesce(c.book_id, json_extract(j.before, '$.book_id')) FROM journal j LEFT JOIN chapters c ON c.id = j.row_id
     WHERE j.act = ? AND j.tbl = 'chapters' AND (j.op <> 'update' OR json_type(j.before, '$.rank') IS NOT NULL)
     AND coalesce(c.book_id, json_extract(j.before, '$.book_id')) IS NOT NULL`,
    seq,
  );
}

/** Gives each chapter of a book its place; returns those that got another. */
function renumber(sql: Sql, bookId: string): string[] {
  return sql.list(
    `UPDATE chapters SET position = o.place, version = version + 1
     FROM (SELECT id AS oid, row_number() OVER (ORDER BY rank, id) AS place FROM chapters WHERE book_id = ?) o
     WHERE id = o.oid AND position <> o.place RETURNING id`,
    bookId,
  );
}

/** A book has changed if anything in it has; returns those, some more than once. */
function touchBooks(
  sql: Sql,
  act: Act,
  { tables, chapters }: { tables: ReadonlySet<TableName>; chapters: Iterable<ChapterId> },
): string[] {
  const ofRows = (["goals", "parts", "chapters", "facts", "snippets"] as const)
    .filter((table) => tables.has(table))
    .flatMap((table) =>
      sql.list<string>(
        `UPDATE books SET updated_at = ? WHERE id IN (
         SELECT coalesce(t.book_id, json_extract(j.before, '$.book_id')) FROM journal j LEFT JOIN ${table} t ON t.id = j.row_id
         WHERE j.act = ? AND j.tbl = '${table}') RETURNING id`,
        act.at,
        act.seq,
      ),
    );
  const ofChapters = new Set(
    [...chapters].flatMap((id) => sql.list<string>("SELECT book_id FROM chapters WHERE id = ?", id)),
  );
  for (const id of ofChapters) sql.run("UPDATE books SET updated_at = ? WHERE id = ?", act.at, id);
  return [...ofRows, ...ofChapters];
}

// A number is never used twice, not even by a chapter that was deleted and brought back.
function raiseRevision(sql: Sql, act: Act, chapterId: string, isTouched: boolean): void {
  const changed = sql.run(
    `UPDATE chapters SET revision = 1 + max(revision, coalesce((SELECT max(revision) FROM revisions WHERE chapter_id = chapters.id), 0)),
       version = version + :touched, updated_at = iif(:touched, :at, updated_at) WHERE id = :chapterId`,
    { chapterId, touched: Number(isTouched), at: act.at },
  );
  if (changed === 0) return;
  const words = act.words.get(chapterId) ?? { added: 0, removed: 0 };
  sql.run(
    `INSERT INTO revisions(chapter_id, revision, act, word_count, added, removed)
     SELECT id, revision, ?, word_count, ?, ? FROM chapters WHERE id = ?`,
    act.seq,
    words.added,
    words.removed,
    chapterId,
  );
}

function raiseVersion(sql: Sql, act: Act, chapterId: string): void {
  sql.run("UPDATE chapters SET version = version + 1, updated_at = ? WHERE id = ?", act.at, chapterId);
}
