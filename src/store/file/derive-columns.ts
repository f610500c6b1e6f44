import type { ChapterId } from "../../ids.ts";
import { type ActEntries, type ChangeKind, changeKinds, readJournal } from "./act.ts";
import { type HashedTable, hashSql } from "./hashes.ts";
import type { Act, Sql } from "./sql.ts";
import type { TableName } from "./tables.ts";

/**
 * Updates every derived column after an act: positions, revisions, versions, times and hashes. It reads the act's own journal, so
 * no write can forget it. Runs before the commit of every act.
 */
export function deriveColumns(sql: Sql, act: Act, entries: ActEntries): void {
  const changes = changeKinds(sql, act.seq, entries);
  const tables = new Set(changes.map(({ table }) => table));
  if (changes.some(({ isPlace }) => isPlace === 1)) {
    for (const bookId of reordered(sql, act.seq)) sql.run(PLACE, bookId);
  }
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
  for (const table of ["chapters", "mentions", "snippets"] as const)
    if (tables.has(table)) hashRows(sql, act.seq, table);
  settleChapters(sql, act, { prose, touched });
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
  sql.run("UPDATE working_copies SET act = NULL WHERE act = ?", seq);
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

/** Gives the chapters of a book their places. One statement: a chapter at the front moves all others. */
const PLACE = `UPDATE chapters SET position = place, version = version + 1
  FROM (SELECT rowid AS row, row_number() OVER (ORDER BY rank, id) AS place FROM chapters WHERE book_id = ?)
  WHERE chapters.rowid = row AND position <> place`;

const AMONG = "id IN (SELECT value FROM json_each(?))";
const listOf = (ids: Iterable<string>): string => JSON.stringify([...ids]);

/** Gives the rows that an act wrote the hash of what they hold; blocks are many and come with theirs. */
function hashRows(sql: Sql, seq: number, table: HashedTable): void {
  sql.run(
    `UPDATE ${table} SET hash = ${hashSql(table)} WHERE id IN (SELECT row_id FROM journal WHERE act = ? AND tbl = '${table}')`,
    seq,
  );
}

/** A book has changed if anything in it has. */
function touchBooks(
  sql: Sql,
  { at, seq }: Act,
  { tables, chapters }: { tables: ReadonlySet<TableName>; chapters: ReadonlySet<ChapterId> },
): void {
  for (const table of ["goals", "parts", "chapters", "facts", "snippets"] as const) {
    if (!tables.has(table)) continue;
    sql.run(
      `UPDATE books SET updated_at = :at WHERE id IN (SELECT coalesce(t.book_id, json_extract(j.before, '$.book_id'))
         FROM journal j LEFT JOIN ${table} t ON t.id = j.row_id WHERE j.act = :seq AND j.tbl = '${table}')`,
      { at, seq },
    );
  }
  sql.run(
    `UPDATE books SET updated_at = ? WHERE id IN (SELECT book_id FROM chapters WHERE ${AMONG})`,
    at,
    listOf(chapters),
  );
}

const COUNTED = `SELECT id, revision, version, word_count AS wordCount, updated_at AS updatedAt,
  (SELECT max(revision) FROM revisions WHERE chapter_id = chapters.id) AS lastRevision FROM chapters WHERE ${AMONG}`;
const SETTLE = "UPDATE chapters SET revision = ?, version = ?, updated_at = ? WHERE id = ?";
const REVISE =
  "INSERT INTO revisions(chapter_id, revision, act, word_count, added, removed) VALUES(?, ?, ?, ?, ?, ?)";

interface Counted {
  id: ChapterId;
  revision: number;
  version: number;
  wordCount: number;
  updatedAt: number;
  lastRevision: number | null;
}

/** What an act has done to which chapters. */
interface Settled {
  prose: ReadonlySet<ChapterId>;
  touched: ReadonlySet<ChapterId>;
}

/**
 * Raises the revisions of the chapters whose prose was changed and the versions of all that were. A number is never used twice,
 * not even by a chapter that was deleted and brought back.
 */
function settleChapters(sql: Sql, act: Act, { prose, touched }: Settled): void {
  for (const { lastRevision, ...now } of sql.all<Counted>(COUNTED, listOf(new Set([...prose, ...touched])))) {
    const { id } = now;
    const [isProse, isTouched] = [prose.has(id), touched.has(id)];
    const revision = isProse ? 1 + Math.max(now.revision, lastRevision ?? 0) : now.revision;
    const version = now.version + Number(isTouched);
    sql.run(SETTLE, revision, version, isTouched ? act.at : now.updatedAt, id);
    if (!isProse) continue;
    const { added, removed } = act.words.get(id) ?? { added: 0, removed: 0 };
    sql.run(REVISE, id, revision, act.seq, now.wordCount, added, removed);
  }
}
