import type { ChapterId } from "../../ids.ts";
import { VERSIONS } from "./migrate.ts";
import type { ActSource, Sql } from "./sql.ts";
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
