import type { ChapterId } from "../../ids.ts";
import { type HashedTable, hashSql } from "./hashes.ts";
import { VERSIONS } from "./migrate.ts";
import type { Act, ActSource, Sql } from "./sql.ts";
import type { TableName } from "./tables.ts";

/** Who writes, and what: `kind` is the operation's name, `source` the face that requested it. */
export interface ActMeta {
  kind: string;
  source: ActSource;
  keyId?: string | null;
  /** Who asks, if that is a program without a key. */
  byName?: string | undefined;
  /** `seq` of the act that this one undoes. */
  undoes?: number;
  /** Run the whole write and roll it back: nothing is written. */
  dryRun?: boolean;
  /** A write that changes nothing leaves no act: `act` is null then, as after a dry run. */
  skipsEmpty?: boolean;
}

/** A row of `acts`. */
interface ActValues {
  id: string;
  at: number;
  kind: string;
  source: string;
  byName: string | null;
  keyId: string | null;
  undoes: number | null;
  schema: number;
}

/** Columns of an act besides its number, id and time. */
export function valuesOf(meta: ActMeta): Omit<ActValues, "id" | "at"> {
  const { kind, source, keyId, undoes, byName } = meta;
  const who = { keyId: keyId ?? null, byName: byName ?? null };
  return { kind, source, ...who, undoes: undoes ?? null, schema: VERSIONS.length };
}

const INSERT =
  "INSERT INTO acts(id, at, kind, source, key_id, undoes, schema, by_name) VALUES(?, ?, ?, ?, ?, ?, ?, ?)";

/** Adds an act's row; returns its number. */
export function insertAct(sql: Sql, act: ActValues): number {
  const { id, at, kind, source, keyId, undoes, schema, byName } = act;
  const { lastInsertRowid } = sql.prepare(INSERT).run(id, at, kind, source, keyId, undoes, schema, byName);
  return Number(lastInsertRowid);
}

/** An entry of the journal: what an act did to a row. */
export interface JournalEntry {
  seq: number;
  table: TableName;
  rowId: string;
  op: string;
  chapter: ChapterId | null;
  chapterAfter: ChapterId | null;
  before: string | null;
}

/** A kind of change that an act made, each once. */
export interface ChangeKind {
  table: TableName;
  op: string;
  chapter: ChapterId | null;
  chapterAfter: ChapterId | null;
  /** 1 if it changed a chapter's Markdown beside its blocks. */
  isProse: number;
  /** 1 if it changed the order of a book's chapters. */
  isPlace: number;
}

/** An act of more entries is looked at by SQLite alone. */
const FEW = 32;

const ENTRIES = `SELECT seq, tbl AS "table", row_id AS rowId, op, chapter, chapter_after AS chapterAfter, before
  FROM journal WHERE act = ? ORDER BY seq LIMIT ${FEW + 1}`;

/** Entries of an act, in order; undefined if there are more than `FEW`. Most writes have one or two. */
export type ActEntries = readonly JournalEntry[] | undefined;

/** Reads the entries of an act; undefined if there are too many. */
export function readJournal(sql: Sql, seq: number): ActEntries {
  const entries = sql.all<JournalEntry>(ENTRIES, seq);
  return entries.length > FEW ? undefined : entries;
}

/** The kinds of changes that an act made; of one that did not do much by its entries. */
export function changeKinds(sql: Sql, seq: number, entries: ActEntries): ChangeKind[] {
  return entries?.map(changeOf) ?? sql.all<ChangeKind>(CHANGES, seq);
}

const CHANGES = `SELECT DISTINCT tbl AS "table", op, chapter, chapter_after AS chapterAfter,
    tbl = 'chapters' AND (op = 'insert' OR (op = 'update' AND
      (json_type(before, '$.head') IS NOT NULL OR json_type(before, '$.bom') IS NOT NULL OR json_type(before, '$.eol') IS NOT NULL))) AS isProse,
    tbl = 'chapters' AND (op <> 'update' OR json_type(before, '$.rank') IS NOT NULL) AS isPlace
  FROM journal WHERE act = ?`;

function changeOf({ table, op, chapter, chapterAfter, before }: JournalEntry): ChangeKind {
  const known = { table, op, chapter, chapterAfter };
  if (table !== "chapters") return { ...known, isProse: 0, isPlace: 0 };
  const was: object = op === "update" ? JSON.parse(before ?? "{}") : {};
  const isProse = op === "insert" || "head" in was || "bom" in was || "eol" in was;
  return { ...known, isProse: Number(isProse), isPlace: Number(op !== "update" || "rank" in was) };
}

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
    if (tables.has(table)) sql.run(HASH_ROWS[table], act.seq);
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
  return sql.get("SELECT 1 FROM journal_entries WHERE act = ?", seq) === undefined;
}

/** Removes an act that changed nothing; the working copies that it recorded stay. */
export function forgetAct(sql: Sql, seq: number): void {
  sql.run("UPDATE working_copies SET act = NULL WHERE act = ?", seq);
  sql.run("DELETE FROM progress_entries WHERE act = ?", seq);
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

const hashRows = (table: HashedTable): string =>
  `UPDATE ${table} SET hash = ${hashSql(table)} WHERE id IN (SELECT row_id FROM journal WHERE act = ? AND tbl = '${table}')`;
/** Give the rows that an act wrote the hash of what they hold; blocks are many and come with theirs. */
const HASH_ROWS = {
  chapters: hashRows("chapters"),
  mentions: hashRows("mentions"),
  snippets: hashRows("snippets"),
};

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
  (SELECT max(revision) FROM revision_entries WHERE chapter_no = (SELECT no FROM ids WHERE id = chapters.id)) AS lastRevision FROM chapters WHERE ${AMONG}`;
const SETTLE = "UPDATE chapters SET revision = ?, version = ?, updated_at = ? WHERE id = ?";
const REVISE =
  "INSERT INTO revision_entries(chapter_no, revision, act, word_count, added, removed) VALUES((SELECT no FROM ids WHERE id = ?), ?, ?, ?, ?, ?)";

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
