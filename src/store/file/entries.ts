import type { ChapterId } from "../../ids.ts";
import { type Hashed, pieceHash, ROWS_HASH, rowHash } from "../../text/row-hash.ts";
import { PROGRESS_SEAL } from "../schema/hashes.ts";
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
export type ActEntries = readonly JournalEntry[] | undefined;

/** What an act did. */
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
const SET_HASH = "UPDATE acts SET hash = ? WHERE seq = ?";
// As the hash in SQL has them.
const ENTRY =
  "seq || ' ' || tbl || ' ' || row_id || ' ' || op || ' ' || coalesce(chapter, '') || ' ' || coalesce(chapter_after, '')";
const PIECE = `SELECT group_concat(entry, ',') AS piece, max(seq) AS last
  FROM (SELECT seq, ${ENTRY} AS entry FROM journal WHERE act = ? AND seq > ? ORDER BY seq LIMIT 1000)`;
const BEFORES =
  "SELECT rows_hash(before) FROM (SELECT before FROM journal WHERE act = ? AND before IS NOT NULL ORDER BY seq)";
const REVISIONS =
  "SELECT chapter_id || ' ' || revision || ' ' || word_count || ' ' || added || ' ' || removed FROM revisions WHERE act = ? ORDER BY chapter_id, revision";
const PROGRESS =
  "SELECT book_id || ' ' || date || ' ' || added || ' ' || removed || ' ' || imported FROM progress WHERE act = ? ORDER BY book_id, date, added, removed, imported";

/** Gives an act its own hash, once nothing more is added to it. */
export function sealAct(sql: Sql, act: ActValues, entries: ActEntries): void {
  const { seq } = act;
  const progress = sql.list<string>(PROGRESS, seq);
  if (progress.length > 0) sql.run(SEAL_PROGRESS, seq);
  const lists = [listOf(sql.list(REVISIONS, seq)), listOf(progress)];
  const own = valuesOf(act);
  const hash =
    entries === undefined ? hashOfMany(sql, seq, { own, lists }) : hashOfFew(entries, { own, lists });
  sql.run(SET_HASH, hash, seq);
}

/** What `ACT_HASH` is of, the journal apart, which stands between them. */
interface Around {
  own: readonly Hashed[];
  lists: readonly Hashed[];
}

function valuesOf({ seq, id, at, kind, source, byName, keyId, undoes, schema }: ActValues): Hashed[] {
  const by = byName === null ? source : `${source} ${byName}`;
  return [seq, id, at, kind, by, keyId, undoes, schema];
}

/** `ACT_HASH` of an act of any number of entries, whose list is never one text: of a million paragraphs it has 70 MB. */
function hashOfMany(sql: Sql, seq: number, { own, lists }: Around): number {
  const pieces: string[] = [];
  const after = (last: number) => sql.get<{ piece: string | null; last: number }>(PIECE, seq, last);
  for (let found = after(0); found !== undefined && found.piece !== null; found = after(found.last))
    pieces.push(pieces.length === 0 ? found.piece : `,${found.piece}`);
  return pieceHash(["acts", ...own], pieces, [...sql.list<number>(BEFORES, seq), ...lists]);
}

/** The same of an act that has left no more than these. */
function hashOfFew(entries: readonly JournalEntry[], { own, lists }: Around): number {
  const journal = entries.map(
    (one) => `${one.seq} ${one.table} ${one.rowId} ${one.op} ${one.chapter ?? ""} ${one.chapterAfter ?? ""}`,
  );
  const befores = ROWS_HASH.start();
  for (const { before } of entries) if (before !== null) ROWS_HASH.step(befores, before);
  return rowHash("acts", ...own, listOf(journal), ROWS_HASH.result(befores), ...lists);
}

const listOf = (texts: readonly string[]): string | null => (texts.length === 0 ? null : texts.join(","));
