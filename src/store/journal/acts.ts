import type { ActId, BookId, ChapterId, FactId, PartId, SnippetId } from "../../ids.ts";
import type { Act } from "../file/sql.ts";
import type { Store } from "../file/store.ts";
import type { TableName } from "../schema/tables.ts";

/** One write, for the change feed; `touched` holds ids, each once. */
export interface ActRow {
  seq: number;
  id: ActId;
  at: number;
  kind: string;
  source: string;
  undoes: ActId | null;
  undoneBy: ActId | null;
  touched: {
    books: BookId[];
    parts: PartId[];
    chapters: ChapterId[];
    facts: FactId[];
    snippets: SnippetId[];
  };
}

type Raw = Omit<ActRow, "touched" | "undoneBy">;

const ACT = `SELECT a.seq, a.id, a.at, a.kind, a.source, (SELECT id FROM acts WHERE seq = a.undoes) AS undoes FROM acts a`;

/** Acts after `seq`, oldest first, at most `limit`. */
export function listActsAfter(store: Store, seq: number, limit: number): ActRow[] {
  return store
    .all<Raw>(`${ACT} WHERE a.seq > ? ORDER BY a.seq LIMIT ?`, seq, limit)
    .map((row) => touch(store, row));
}

/** The newest acts, oldest of them first, at most `limit`. */
export function listNewestActs(store: Store, limit: number): ActRow[] {
  return store
    .all<Raw>(`${ACT} ORDER BY a.seq DESC LIMIT ?`, limit)
    .map((row) => touch(store, row))
    .reverse();
}

/** The act of this number, which must exist. */
export function readAct(store: Store, seq: number): ActRow {
  return listActsAfter(store, seq - 1, 1)[0]!; // numbers rise, and no act is ever deleted
}

/** Returns how many acts came after `seq`. */
export function countActsAfter(store: Store, seq: number): number {
  return Number(store.list("SELECT count(*) FROM acts WHERE seq > ?", seq)[0]);
}

/** The newest act that changed something and has not been undone, undos themselves excluded. */
export function findLastUndoable(store: Store): ActId | undefined {
  const newest = store.prepare(
    "SELECT seq, id FROM acts a WHERE undoes IS NULL AND EXISTS (SELECT 1 FROM journal WHERE act = a.seq) ORDER BY seq DESC",
  );
  for (const row of newest.iterate()) {
    const { seq, id } = row as { seq: number; id: ActId };
    if (undoOf(store, seq) === undefined) return id;
  }
  return undefined;
}

/** The undo that an act is undone by: the newest one, unless that was undone in turn. */
export function undoOf(store: Store, seq: number): ActId | undefined {
  const newest = store.get<{ seq: number; id: ActId }>(
    "SELECT seq, id FROM acts WHERE undoes = ? ORDER BY seq DESC LIMIT 1",
    seq,
  );
  return newest === undefined || undoOf(store, newest.seq) !== undefined ? undefined : newest.id;
}

/** `seq` of the newest act; 0 in a new file. */
export function lastActSeq(store: Store): number {
  return Number(store.list("SELECT coalesce(max(seq), 0) FROM acts")[0]);
}

/** The rows of these tables that acts after `seq` touched, each once. */
export function listTouched(
  store: Store,
  seq: number,
  tables: readonly TableName[],
): { table: TableName; id: string }[] {
  return store.all(
    "SELECT DISTINCT tbl AS 'table', row_id AS id FROM journal WHERE act > ? AND tbl IN (SELECT value FROM json_each(?))",
    seq,
    JSON.stringify(tables),
  );
}

/** The chapters that an act touched and that still exist, each with its revision now. */
export function listTouchedChapters(store: Store, seq: number): { id: ChapterId; revision: number }[] {
  return store.all(
    `SELECT id, revision FROM chapters WHERE id IN (SELECT chapter FROM journal WHERE act = ?) ORDER BY position, id`,
    seq,
  );
}

/** Words by the writer's local calendar day, `YYYY-MM-DD`. */
interface Progress {
  date: string;
  added: number;
  removed: number;
  imported: number;
}

/** Adds words to a day's count. */
export function countProgress(
  store: Store,
  { seq }: Act,
  {
    added = 0,
    removed = 0,
    imported = 0,
    ...day
  }: Partial<Progress> & Pick<Progress, "date"> & { bookId: BookId },
): void {
  if (added === 0 && removed === 0 && imported === 0) return;
  store.run(
    `INSERT INTO progress(act, book_id, date, added, removed, imported)
     VALUES(:seq, :bookId, :date, :added, :removed, :imported)`,
    { ...day, seq, added, removed, imported },
  );
}

/** Words by local day from `since` (`YYYY-MM-DD`) on; days without any are left out. */
export function listProgress(store: Store, bookId: BookId, since: string): Progress[] {
  return store.all(
    `SELECT date, sum(added) AS added, sum(removed) AS removed, sum(imported) AS imported FROM progress
     WHERE book_id = ? AND date >= ? GROUP BY date ORDER BY date`,
    bookId,
    since,
  );
}

function touch(store: Store, row: Raw): ActRow {
  const touched: ActRow["touched"] = { books: [], parts: [], chapters: [], facts: [], snippets: [] };
  const rows = store.all<{ tbl: string; id: string | null }>(
    `SELECT DISTINCT iif(chapter IS NOT NULL, 'chapters', iif(tbl IN ('goals', 'dismissals'), 'books', tbl)) AS tbl,
       coalesce(chapter, iif(tbl = 'dismissals', coalesce((SELECT book_id FROM dismissals WHERE id = row_id), json_extract(before, '$.book_id')), row_id)) AS id
     FROM journal WHERE act = ? AND tbl <> 'snippets' UNION SELECT 'snippets', row_id FROM journal WHERE act = ? AND tbl = 'snippets'
     ORDER BY 1, 2`,
    row.seq,
    row.seq,
  );
  for (const { tbl, id } of rows) {
    if (tbl in touched && id !== null) (touched[tbl as keyof typeof touched] as string[]).push(id);
  }
  return { ...row, undoneBy: undoOf(store, row.seq) ?? null, touched };
}
