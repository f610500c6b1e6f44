import type {
  ActId,
  BookId,
  ChapterId,
  FactId,
  MilestoneId,
  PartId,
  ProposalId,
  SnippetId,
} from "../../ids.ts";
import { PREFIXES } from "../../ids.ts";
import type { Act } from "../file/sql.ts";
import type { Store } from "../file/store.ts";
import type { TableName } from "../file/tables.ts";

/** One write, for the change feed; `touched` holds ids, each once. */
export interface ActRow {
  seq: number;
  id: ActId;
  at: number;
  kind: string;
  source: string;
  undoes: ActId | null;
  undoneBy: ActId | null;
  /** The name of the key that it was requested with, or of the program that had none. */
  by: string | null;
  /** The books of all that it touched, those of deleted records too. */
  bookIds: BookId[];
  touched: {
    books: BookId[];
    parts: PartId[];
    chapters: ChapterId[];
    facts: FactId[];
    snippets: SnippetId[];
    proposals: ProposalId[];
    milestones: MilestoneId[];
  };
}

type Raw = Omit<ActRow, "bookIds" | "touched" | "undoneBy">;

const ACT = `SELECT a.seq, a.id, a.at, a.kind, a.source, coalesce(a.by_name, (SELECT name FROM keys WHERE id = a.key_id)) AS "by", (SELECT id FROM acts WHERE seq = a.undoes) AS undoes FROM acts a`;

/** Acts after `seq` and before another, oldest first, at most `limit`. */
export function listActsAfter(store: Store, seq: number, limit: number, before = LAST): ActRow[] {
  const rows = store.all<Raw>(
    `${ACT} WHERE a.seq > ? AND a.seq < ? ORDER BY a.seq LIMIT ?`,
    ...[seq, before, limit],
  );
  return rows.map((row) => touch(store, row));
}

/** The newest acts, of those before another one if it is given, oldest of them first, at most `limit`. */
export function listNewestActs(store: Store, limit: number, before = LAST): ActRow[] {
  const sql = `${ACT} WHERE a.seq < ? ORDER BY a.seq DESC LIMIT ?`;
  const rows = store.all<Raw>(sql, before, limit).reverse();
  return rows.map((row) => touch(store, row));
}

const LAST = Number.MAX_SAFE_INTEGER;

/** The act of this number, which must exist. */
export function readAct(store: Store, seq: number): ActRow {
  return listActsAfter(store, seq - 1, 1)[0]!; // numbers rise
}

/** Returns how many acts came after `seq` and before another; SQLite counts all of them without looking at each. */
export function countActsAfter(store: Store, seq: number, before = LAST): number {
  const sql =
    seq > 0
      ? "SELECT count(*) FROM acts WHERE seq > :seq AND seq < :before"
      : "SELECT (SELECT count(*) FROM acts) - (SELECT count(*) FROM acts WHERE seq >= :before)";
  return store.list<number>(sql, { seq, before })[0]!; // an aggregate has a row
}

/** `seq` of the first act at this moment or later, in milliseconds since 1970; undefined if there is none. */
export function findFirstSince(store: Store, at: number): number | undefined {
  return store.list<number>("SELECT seq FROM acts WHERE at >= ? ORDER BY seq LIMIT 1", at)[0];
}

/** `seq` of the last act at this moment or earlier, in milliseconds since 1970; 0 if there is none. */
export function actUntil(store: Store, at: number): number {
  return store.list<number>("SELECT seq FROM acts WHERE at <= ? ORDER BY seq DESC LIMIT 1", at)[0] ?? 0;
}

/** `seq` of the act that made a row; 0 if none did. */
export function findFirstActOf(store: Store, id: string): number {
  return store.list<number>("SELECT act FROM journal WHERE row_id = ? ORDER BY seq LIMIT 1", id)[0] ?? 0;
}

/** Who asked for the act that made a row: its face, its key, its own name without one; undefined if no act did. */
export function findMaker(
  store: Store,
  id: string,
): { source: string; keyId: string | null; byName: string | null } | undefined {
  const seq = findFirstActOf(store, id);
  return store.get("SELECT source, key_id AS keyId, by_name AS byName FROM acts WHERE seq = ?", seq);
}

/**
 * The acts from `seq` on whose undoing, newest first, leads back to before it: those that changed something and stand.
 * An undo of one of them is none, for the two cancel out, unless an act between the two wrote prose of the same chapter:
 * what stands there stands on both. An undo of an older act is one.
 */
export function listStanding(store: Store, seq: number): ActId[] {
  const acts = store.all<Numbered>(
    `SELECT seq, id, undoes FROM acts a WHERE seq >= ? AND EXISTS (SELECT 1 FROM journal_entries WHERE act = a.seq) ORDER BY seq`,
    seq,
  );
  const left: Numbered[] = [];
  const takenBack = new Map<number | null, Numbered>();
  for (const act of acts) {
    const at = act.undoes === null ? -1 : left.findIndex((one) => one.seq === act.undoes);
    const undone = left[at];
    const redone = takenBack.get(act.undoes);
    if (undone !== undefined && !writesBeside(store, act, left.slice(at + 1))) {
      takenBack.set(act.seq, undone);
      left.splice(at, 1);
    } else if (redone !== undefined && !writesBeside(store, act, left.filter(isSince(act.undoes)))) {
      left.push({ ...redone, seq: act.seq }); // what was done again stands where that was
    } else left.push(act);
  }
  return left.reverse().map(({ id }) => id);
}

const isSince = (since: number | null) => (act: Numbered) => act.seq > Number(since);

/** Whether an act wrote prose of a chapter in which others did so, too. */
function writesBeside(store: Store, { seq }: Numbered, others: readonly Numbered[]): boolean {
  const beside = `SELECT 1 FROM journal a JOIN journal b ON a.chapter = b.chapter
    WHERE a.act = ? AND a.tbl = 'blocks' AND b.tbl = 'blocks' AND b.act IN (SELECT value FROM json_each(?)) LIMIT 1`;
  return (
    others.length > 0 &&
    store.get(beside, seq, JSON.stringify(others.map((other) => other.seq))) !== undefined
  );
}

interface Numbered {
  seq: number;
  id: ActId;
  undoes: number | null;
}

function standing(store: Store, acts: readonly Numbered[], since: number): Numbered[] {
  return acts.filter(
    ({ seq, undoes }) => (undoes === null || undoes < since) && undoOf(store, seq) === undefined,
  );
}

/**
 * The acts between two others that changed rows, or a leaf of a chapter's blocks, newest first; without those that are
 * undone. A leaf stands within its block's node, so it is looked for there.
 */
export function listChanging(
  store: Store,
  { after, before }: { after: number; before: number },
  { rows, chapters }: { rows: readonly string[]; chapters: readonly { id: string; leaf?: string }[] },
): ActId[] {
  const byRow = `SELECT act FROM journal WHERE act > :after AND act < :before AND row_id IN (SELECT value FROM json_each(:rows))`;
  const byLeaf = `SELECT j.act FROM journal j JOIN json_each(:chapters) c ON j.chapter = c.value ->> 'id'
     WHERE j.act > :after AND j.act < :before AND j.tbl = 'blocks' AND instr(coalesce(j.before, ''), coalesce(c.value ->> 'leaf', '')) > 0`;
  const acts = store.all<Numbered>(
    `SELECT seq, id, undoes FROM acts WHERE seq IN (${byRow} UNION ${byLeaf}) ORDER BY seq DESC`,
    { after, before, rows: JSON.stringify(rows), chapters: JSON.stringify(chapters) },
  );
  return standing(store, acts, after + 1).map(({ id }) => id);
}

/** What no title is longer than; of a note it is the beginning. */
const NAME_CHARACTERS = 500;

/**
 * What records are called, by id: books, parts, chapters by title in their order, facts and milestones by name, notes by how
 * they begin; of each kind those that are deleted come first, as they were last.
 */
export function listNames(store: Store, ids: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const [kind, table, columns, order] of NAMED) {
    const own = ids.filter((id) => id.startsWith(PREFIXES[kind]));
    if (own.length === 0) continue;
    const wanted = JSON.stringify(own);
    const nameIn = (column: (name: string) => string) =>
      `substr(coalesce(${columns.map(column).join(", ")}, ''), 1, ${NAME_CHARACTERS})`;
    const gone = store.all<{ id: string; act: number; name: string }>(
      `SELECT row_id AS id, act, ${nameIn((column) => `before ->> '$.${column}'`)} AS name FROM journal
       WHERE tbl = '${table}' AND op = 'delete' AND row_id IN (SELECT value FROM json_each(?)) ORDER BY seq`,
      wanted,
    );
    const there = store.all<{ id: string; name: string }>(
      `SELECT id, ${nameIn(String)} AS name FROM ${table} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY ${order}, id`,
      wanted,
    );
    for (const { id, name } of [...gone, ...there]) names.set(id, name);
  }
  return names;
}

/** What has a name: its table, the columns that give it, the first that is not NULL, and in which order. */
const NAMED = [
  ["book", "books", ["title"], "created_at"],
  ["part", "parts", ["title"], "rank"],
  ["chapter", "chapters", ["title"], "position"],
  ["fact", "facts", ["name"], "name"],
  ["snippet", "snippets", ["text", "url", "kind"], "created_at"],
  ["milestone", "milestones", ["name"], "act"],
] as const;

/** The newest act that changed something and has not been undone, undos themselves excluded. */
export function findLastUndoable(store: Store): ActId | undefined {
  const newest = store.prepare(
    "SELECT seq, id FROM acts a WHERE undoes IS NULL AND EXISTS (SELECT 1 FROM journal_entries WHERE act = a.seq) ORDER BY seq DESC",
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

/** `seq` of the newest act, or of the newest before another; 0 if there is none. */
export function lastActSeq(store: Store, before = LAST): number {
  return Number(store.list("SELECT coalesce(max(seq), 0) FROM acts WHERE seq < ?", before)[0]);
}

/** The newest act; undefined in a new file. */
export function findNewestAct(store: Store): { seq: number; id: ActId } | undefined {
  return store.get("SELECT seq, id FROM acts ORDER BY seq DESC LIMIT 1");
}

/** The number of the newest change; 0 in a new file. */
export function lastChange(store: Store): number {
  return Number(store.list("SELECT coalesce(max(seq), 0) FROM journal_entries")[0]);
}

/** True if anything but chapters of other books was changed after that; of no book, if anything was. */
export function isBookChangedSince(store: Store, change: number, bookId: string | null): boolean {
  const ofOther =
    "tbl <> 'snippets' AND chapter_after_no IS NULL AND chapter_no IN (SELECT no FROM ids JOIN chapters USING(id) WHERE book_id <> ?)";
  const sql = `SELECT 1 FROM journal_entries NOT INDEXED WHERE seq > ? AND (${ofOther}) IS NOT TRUE`;
  return store.get(sql, change, bookId) !== undefined;
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

/** The chapters that an act brought back with every block that they have: nothing of them was anybody else's since. */
export function listBroughtBack(store: Store, seq: number): Set<ChapterId> {
  const made = "SELECT row_id FROM journal WHERE act = :seq AND tbl = 'chapters' AND op = 'insert'";
  const blocks =
    "SELECT chapter, count(*) AS count FROM journal WHERE act = :seq AND tbl = 'blocks' AND op = 'insert' GROUP BY chapter";
  return new Set(
    store.list<ChapterId>(
      `SELECT chapter FROM (${blocks}) WHERE chapter IN (${made})
       AND count = (SELECT count(*) FROM blocks WHERE chapter_id = chapter)`,
      { seq },
    ),
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
    `INSERT INTO progress_entries(act, book_no, day, added, removed, imported)
     VALUES(:seq, (SELECT no FROM ids WHERE id = :bookId), unixepoch(:date) / 86400, :added, :removed, :imported)
     ON CONFLICT DO UPDATE SET added = added + excluded.added, removed = removed + excluded.removed, imported = imported + excluded.imported`,
    { ...day, seq, added, removed, imported },
  );
}

/** Words by local day from `since` (`YYYY-MM-DD`, or "" for all) on; days without any are left out. */
export function listProgress(store: Store, bookId: BookId, since: string): Progress[] {
  return store.all(
    `SELECT date(day * 86400, 'unixepoch') AS date, sum(added) AS added, sum(removed) AS removed, sum(imported) AS imported
     FROM progress_entries WHERE book_no = (SELECT no FROM ids WHERE id = ?) AND day >= coalesce(unixepoch(?) / 86400, 0)
     GROUP BY day ORDER BY day`,
    bookId,
    since,
  );
}

function touch(store: Store, row: Raw): ActRow {
  const touched: ActRow["touched"] = {
    books: [],
    parts: [],
    chapters: [],
    facts: [],
    snippets: [],
    proposals: [],
    milestones: [],
  };
  const rows = store.all<{ tbl: string; id: string | null }>(
    `SELECT DISTINCT
       CASE WHEN chapter IS NOT NULL THEN 'chapters' WHEN tbl IN ('goals', 'dismissals', 'book_pictures') THEN 'books'
         WHEN tbl = 'proposed_edits' THEN 'proposals' ELSE tbl END AS tbl,
       CASE WHEN chapter IS NOT NULL THEN chapter WHEN tbl IN ('dismissals', 'book_pictures', 'proposed_edits') THEN substr(row_id, 1, instr(row_id, ' ') - 1) ELSE row_id END AS id
     FROM journal WHERE act = ? AND tbl <> 'snippets' UNION SELECT 'snippets', row_id FROM journal WHERE act = ? AND tbl = 'snippets'
     ORDER BY 1, 2`,
    row.seq,
    row.seq,
  );
  for (const { tbl, id } of rows) {
    if (tbl in touched && id !== null) (touched[tbl as keyof typeof touched] as string[]).push(id);
  }
  return {
    ...row,
    undoneBy: undoOf(store, row.seq) ?? null,
    bookIds: listBooksOf(store, touched),
    touched,
  };
}

/** Lists the books of records, each once. A deleted record's book stands in its last row, which the journal keeps. */
function listBooksOf(store: Store, { books, ...others }: ActRow["touched"]): BookId[] {
  const owners = Object.entries(others).flatMap(([table, ids]) => {
    if (ids.length === 0) return [];
    const isOneOf = "IN (SELECT value FROM json_each(:ids))";
    return store.list<BookId>(
      `SELECT book_id FROM ${table} WHERE id ${isOneOf} UNION
       SELECT before ->> '$.book_id' FROM journal WHERE tbl = '${table}' AND op = 'delete' AND row_id ${isOneOf}`,
      { ids: JSON.stringify(ids) },
    );
  });
  return [...new Set([...books, ...owners])];
}
