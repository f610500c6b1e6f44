import type { ChapterId } from "../../ids.ts";
import { Damaged } from "../../refusals.ts";
import { type Delta, lengthen } from "../file/delta.ts";
import type { Store } from "../file/store.ts";
import { journalled, type TableName } from "../file/tables.ts";

/** A row's journalled columns by name; null if the row does not exist. */
export type RowImage = Readonly<Record<string, string | number | null>> | null;

/** A change of one row, as the journal holds it. */
export interface Entry {
  op: string;
  before: string | null;
}

/** Returns a row as it was before one entry of the journal, given the row after it. Throws `Damaged`. */
export function stepBack(image: RowImage, { op, before }: Entry): RowImage {
  if (op === "insert" || before === null) return null;
  const changed = Object.entries(readBefore(before)).map(([name, value]) => [
    name,
    Array.isArray(value) ? lengthened(value as unknown as Delta, image?.[name]) : value,
  ]);
  return { ...(op === "delete" ? null : image), ...Object.fromEntries(changed) };
}

function lengthened(delta: Delta, now: unknown): string {
  const text = typeof now === "string" ? lengthen(delta, now) : undefined;
  if (text === undefined) throw damaged();
  return text;
}

function readBefore(before: string): Record<string, string | number | null | Delta> {
  try {
    return JSON.parse(before);
  } catch {
    throw damaged();
  }
}

const damaged = () => new Damaged("the history");

/** Returns a row as it is stored. */
export function imageOf(store: Store, table: TableName, id: string): RowImage {
  const columns = journalled(table).map((column) => `"${column}"`);
  return (
    store.get<NonNullable<RowImage>>(`SELECT ${columns.join(", ")} FROM ${table} WHERE id = ?`, id) ?? null
  );
}

/** A row as it was before a number of the journal. */
export interface PastRow {
  seq: number;
  image: RowImage;
}

/**
 * Returns a row as it was before a number of the journal. Cost: the row's entries from there to the next that holds the
 * whole row, some fifty of a paragraph, or to a `later` one that is known. Throws `Damaged`.
 */
export function imageBefore(
  store: Store,
  { table, id }: { table: TableName; id: string },
  seq: number,
  later?: PastRow,
): RowImage {
  const chain: Entry[] = [];
  for (const entry of store.prepare(SINCE).iterate(id, seq, table) as Iterable<Entry & { seq: number }>) {
    if (later !== undefined && later.seq >= seq && entry.seq >= later.seq)
      return chain.reduceRight(stepBack, later.image);
    chain.push(entry);
    if (holdsWhole(table, entry)) return chain.reduceRight<RowImage>(stepBack, null);
  }
  return chain.reduceRight(stepBack, imageOf(store, table, id));
}

const SINCE = `SELECT seq, op, before FROM journal_entries
  WHERE row_no = (SELECT no FROM ids WHERE id = ?) AND seq >= ? AND tbl = ? ORDER BY seq`;

/** True if an entry tells all of the row before it, so that nothing later has to be read. */
export function holdsWhole(table: TableName, { op, before }: Entry): boolean {
  if (op !== "update" || before === null) return true;
  const was = readBefore(before);
  return journalled(table).every((column) => column in was && !Array.isArray(was[column]));
}

/** Returns the number of the first change after an act; beyond all where there is none. */
export function firstChangeAfter(store: Store, act: number): number {
  const sql = "SELECT seq FROM journal_entries WHERE act > ? ORDER BY act, seq LIMIT 1";
  return store.list<number>(sql, act)[0] ?? Number.MAX_SAFE_INTEGER;
}

/** Returns the rows of a table that were ever in a chapter. Cost: a look at an index for each, however often it was saved. */
export function listEverIn(store: Store, table: TableName, chapterId: ChapterId): string[] {
  return store.list<string>(EVER_IN, { chapterId, table });
}

const distinct = (column: string) => `
  SELECT min(row_no) FROM journal_entries WHERE ${column} = (SELECT no FROM chapter)
  UNION ALL SELECT (SELECT min(row_no) FROM journal_entries WHERE ${column} = (SELECT no FROM chapter) AND row_no > rows.no)
  FROM rows WHERE rows.no IS NOT NULL`;
const EVER_IN = `WITH chapter(no) AS (SELECT no FROM ids WHERE id = :chapterId),
  own(no) AS (WITH RECURSIVE rows(no) AS (${distinct("chapter_no")}) SELECT no FROM rows),
  moved(no) AS (WITH RECURSIVE rows(no) AS (${distinct("chapter_after_no")}) SELECT no FROM rows)
  SELECT id FROM (SELECT no FROM own UNION SELECT no FROM moved) JOIN ids USING(no)
  WHERE (SELECT tbl FROM journal_entries WHERE row_no = ids.no LIMIT 1) = :table`;
