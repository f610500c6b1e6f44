import type { ChapterId } from "../../ids.ts";
import { ROWS_HASH, rowHash } from "../../text/row-hash.ts";
import { ACT_HASH, PROGRESS_SEAL } from "../schema/hashes.ts";
import type { TableName } from "../schema/tables.ts";
import type { Sql } from "./sql.ts";

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

/** What an act did, in order; undefined if that is much. Most writes have an entry or two. */
export function readJournal(sql: Sql, seq: number): JournalEntry[] | undefined {
  const entries = sql.all<JournalEntry>(ENTRIES, seq);
  return entries.length > FEW ? undefined : entries;
}

/** The kinds of changes that an act made; of one that did not do much by its entries. */
export function changeKinds(
  sql: Sql,
  seq: number,
  entries: readonly JournalEntry[] | undefined,
): ChangeKind[] {
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

/** A row of `acts` without its hash. */
export interface ActValues {
  seq: number;
  id: string;
  at: number;
  kind: string;
  source: string;
  byName: string | null;
  keyId: string | null;
  undoes: number | null;
  schema: number;
}

const SEAL_PROGRESS = `UPDATE progress AS p SET seal = ${PROGRESS_SEAL} WHERE act = ?`;
const HASH_ACT = `UPDATE acts AS a SET hash = ${ACT_HASH} WHERE seq = ?`;
const SET_HASH = "UPDATE acts SET hash = ? WHERE seq = ?";
// As the hash in SQL has them.
const REVISIONS =
  "SELECT chapter_id || ' ' || revision || ' ' || word_count || ' ' || added || ' ' || removed FROM revisions WHERE act = ? ORDER BY chapter_id, revision";
const PROGRESS =
  "SELECT book_id || ' ' || date || ' ' || added || ' ' || removed || ' ' || imported FROM progress WHERE act = ? ORDER BY book_id, date, added, removed, imported";

/** Gives an act its own hash, once nothing more is added to it. */
export function sealAct(sql: Sql, act: ActValues, entries: readonly JournalEntry[] | undefined): void {
  const { seq } = act;
  const progress = sql.list<string>(PROGRESS, seq);
  if (progress.length > 0) sql.run(SEAL_PROGRESS, seq);
  if (entries === undefined) sql.run(HASH_ACT, seq);
  else sql.run(SET_HASH, hashOfAct(act, entries, { progress, revisions: sql.list(REVISIONS, seq) }), seq);
}

/** `ACT_HASH` of an act that has left no more than this. */
function hashOfAct(
  { seq, id, at, kind, source, byName, keyId, undoes, schema }: ActValues,
  entries: readonly JournalEntry[],
  { progress, revisions }: { progress: readonly string[]; revisions: readonly string[] },
): number {
  const by = byName === null ? source : `${source} ${byName}`;
  const journal = entries.map(
    (one) => `${one.seq} ${one.table} ${one.rowId} ${one.op} ${one.chapter ?? ""} ${one.chapterAfter ?? ""}`,
  );
  const befores = ROWS_HASH.start();
  for (const { before } of entries) if (before !== null) ROWS_HASH.step(befores, before);
  const listed = [listOf(journal), ROWS_HASH.result(befores), listOf(revisions), listOf(progress)];
  return rowHash("acts", seq, id, at, kind, by, keyId, undoes, schema, ...listed);
}

const listOf = (texts: readonly string[]): string | null => (texts.length === 0 ? null : texts.join(","));
