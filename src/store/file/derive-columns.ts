import type { ChapterId } from "../../ids.ts";
import { COPY_SEAL, sealed, sealOf, sealSql } from "../schema/hashes.ts";
import type { TableName } from "../schema/tables.ts";
import { type ActEntries, type ChangeKind, changeKinds, readJournal } from "./entries.ts";
import { sealRows } from "./seal-rows.ts";
import type { Act, Sql } from "./sql.ts";

/**
 * Updates every derived column after an act: positions, revisions, versions, times and hashes. It reads the act's own journal, so
 * no write can forget it. Runs before the commit of every act.
 */
export function deriveColumns(sql: Sql, act: Act, entries: ActEntries): void {
  const changes = changeKinds(sql, act.seq, entries);
  const tables = new Set(changes.map(({ table }) => table));
  const moved = changes.some(({ isPlace }) => isPlace === 1)
    ? reordered(sql, act.seq).flatMap((bookId) => renumber(sql, bookId))
    : [];
  const prose = new Set([...proseOf(changes), ...act.revised]);
  const touched = new Set(
    changes.flatMap(({ table, chapter }) => (table === "snippets" || chapter === null ? [] : [chapter])),
  );
  touchBooks(sql, act, { tables, chapters: touched });
  for (const table of ["books", "facts", "snippets"] as const) {
    if (!tables.has(table)) continue;
    sql.run(
      `UPDATE ${table} SET updated_at = ? WHERE id IN (SELECT row_id FROM journal WHERE act = ? AND tbl = '${table}')`,
      act.at,
      act.seq,
    );
  }
  sealRows(sql, act.seq, changes);
  for (const id of new Set([...moved, ...prose, ...touched]))
    settleChapter(sql, act, { id, isProse: prose.has(id), isTouched: touched.has(id) });
}

/** Chapters whose Markdown an act has changed so far, including those that have been deleted since. */
export function chaptersWithNewProse(sql: Sql, seq: number): ChapterId[] {
  return [...new Set(proseOf(changeKinds(sql, seq, readJournal(sql, seq))))];
}

function proseOf(changes: readonly ChangeKind[]): ChapterId[] {
  return changes.flatMap(({ table, chapter, chapterAfter, isProse }) => {
    const isOwn = table === "blocks" || isProse === 1;
    return isOwn ? [chapter, chapterAfter].filter((id) => id !== null) : [];
  });
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

const TOUCH = `UPDATE books SET updated_at = :at, seal = ${sealSql("books", "books", { updated_at: ":at" })}`;

/** A book has changed if anything in it has. */
function touchBooks(
  sql: Sql,
  { at, seq }: Act,
  { tables, chapters }: { tables: ReadonlySet<TableName>; chapters: Iterable<ChapterId> },
): void {
  for (const table of ["goals", "parts", "chapters", "facts", "snippets"] as const) {
    if (!tables.has(table)) continue;
    sql.run(
      `${TOUCH} WHERE id IN (SELECT coalesce(t.book_id, json_extract(j.before, '$.book_id'))
         FROM journal j LEFT JOIN ${table} t ON t.id = j.row_id WHERE j.act = :seq AND j.tbl = '${table}')`,
      { at, seq },
    );
  }
  const books = new Set(
    [...chapters].flatMap((id) => sql.list<string>("SELECT book_id FROM chapters WHERE id = ?", id)),
  );
  // SQLite calls a function of ours slower than we do.
  for (const id of books)
    sql.run(
      "UPDATE books SET updated_at = ?, seal = ? WHERE id = ?",
      at,
      sealOf("books", id, { updated_at: at }),
      id,
    );
}

const COUNTED = `SELECT ${sealed("chapters").join(", ")},
  (SELECT max(revision) FROM revisions WHERE chapter_id = chapters.id) AS lastRevision FROM chapters WHERE id = ?`;
const SETTLE = "UPDATE chapters SET revision = ?, version = ?, updated_at = ?, seal = ? WHERE id = ?";
const REVISE =
  "INSERT INTO revisions(chapter_id, revision, act, word_count, added, removed) VALUES(?, ?, ?, ?, ?, ?)";

interface Counted extends Record<string, unknown> {
  revision: number;
  version: number;
  word_count: number;
  updated_at: number;
  lastRevision: number | null;
}

/**
 * Raises a chapter's revision if its prose was changed, its version if anything was, and seals it, when all is counted. A number
 * is never used twice, not even by a chapter that was deleted and brought back.
 */
function settleChapter(
  sql: Sql,
  act: Act,
  { id, isProse, isTouched }: { id: string; isProse: boolean; isTouched: boolean },
): void {
  const now = sql.get<Counted>(COUNTED, id);
  if (now === undefined) return;
  const revision = isProse ? 1 + Math.max(now.revision, now.lastRevision ?? 0) : now.revision;
  const version = now.version + Number(isTouched);
  const updated_at = isTouched ? act.at : now.updated_at;
  const seal = sealOf("chapters", id, { ...now, revision, version, updated_at });
  sql.run(SETTLE, revision, version, updated_at, seal, id);
  if (!isProse) return;
  const { added, removed } = act.words.get(id) ?? { added: 0, removed: 0 };
  sql.run(REVISE, id, revision, act.seq, now.word_count, added, removed);
}
