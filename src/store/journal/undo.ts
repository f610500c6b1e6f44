import type { ActId, ChapterId } from "../../ids.ts";
import { Conflict, NotFound } from "../../refusals.ts";
import { append } from "../../text/extremes.ts";
import { groupBy } from "../../text/group-by.ts";
import { hashSql } from "../file/hashes.ts";
import type { Act } from "../file/sql.ts";
import type { Store } from "../file/store.ts";
import { childrenOf, isRank, journalled, listOf, parentsOf, type TableName } from "../file/tables.ts";
import { type DeriveBlock, refreshBlocks } from "../rows/blocks.ts";
import { assertChapter } from "../rows/integrity.ts";
import { placeRanks } from "../rows/rank.ts";
import { listChanging } from "./acts.ts";
import { type Entry, imageBefore, imageOf, type PastRow, type RowImage, stepBack } from "./images.ts";
import {
  changedColumns,
  findWholeBlocks,
  putBackWhole,
  type RowStep,
  type WholeBlocks,
} from "./whole-blocks.ts";

/** A row that makes an undo impossible; `parent` is the row that it would need. */
export interface Obstacle {
  table: TableName;
  id: string;
  reason: "changed" | "gone" | "in_use" | "parent_gone";
  parent?: string;
}

/**
 * Puts back every row that an act changed, within the act given. Only content columns that the act changed are
 * compared, by value: an older edit of another paragraph can be undone, and so can an undo. Throws `Conflict` with
 * `standing` and `later` if a row has changed since. Cost: a few statements a row. Source: docs/decisions/002-journal.md.
 */
export function undoAct(
  store: Store,
  { undone, steps, blocks }: PlannedUndo,
  act: Act,
  derive: DeriveBlock,
): void {
  const obstacles = steps
    .filter((step) => !isUnchanged(step))
    .map(({ table, id, now }): Obstacle => ({ table, id, reason: now === null ? "gone" : "changed" }));
  if (obstacles.length > 0) throw undoConflict(store, act, obstacles);
  const single = steps.filter(({ id }) => !blocks.rows.has(id));
  for (const step of single) applyStep(store, step);
  refreshBlocks(
    store,
    single.filter(({ table, before }) => table === "blocks" && before !== null).map(({ id }) => id),
    derive,
  );
  putBackWhole(store, blocks);
  separateRanks(store, steps);
  assertWhole(store, act, steps);
  for (const { chapterId, added, removed } of store.all<{
    chapterId: string;
    added: number;
    removed: number;
  }>("SELECT chapter_id AS chapterId, added, removed FROM revisions WHERE act = ?", undone)) {
    act.words.set(chapterId, { added: removed, removed: added });
  }
  // The words of the act are taken off the day that they were counted on; an undo of the undo counts them again.
  store.run(
    "INSERT INTO progress_entries(act, book_no, day, added, removed, imported) SELECT ?, book_no, day, -added, -removed, -imported FROM progress_entries WHERE act = ?",
    act.seq,
    undone,
  );
}

/** `seq` of the act with this id, and the act that it undoes, if any. Throws `NotFound`. */
export function findAct(store: Store, id: string): { seq: number; kind: string; undoes: number | null } {
  const found = store.get<{ seq: number; kind: string; undoes: number | null }>(
    "SELECT seq, kind, undoes FROM acts WHERE id = ?",
    id,
  );
  if (found === undefined) throw new NotFound(isFolded(store) ? `act, or no more: ${FOLDED}` : "act");
  return found;
}

const FOLDED = '"manuscript compact" folded old saves into one each, and the history lists those that stayed';

/** True if saves were folded: only then the revisions of a chapter have holes. */
export function isFolded(store: Store): boolean {
  const sql =
    "SELECT 1 FROM revision_entries GROUP BY chapter_no HAVING max(revision) - min(revision) >= count(*) LIMIT 1";
  return store.get(sql) !== undefined;
}

/** The error of an undo, the act given, that these rows make impossible: `later` are the acts to undo first, newest first. */
export function undoConflict(store: Store, act: Act, obstacles: readonly Obstacle[]): Conflict {
  const standing = obstacles.map(({ parent: _, ...obstacle }) => obstacle);
  const later = laterActs(store, act, obstacles);
  const rows = listed(standing.map(({ table, id, reason }) => `${table} ${id} (${reason})`));
  const order = later.length === 0 ? "" : `, in this order: ${listed(later)}`;
  const refusal = new Conflict(
    `It cannot be undone any more: ${rows} changed since. Undo the later acts first${order}.`,
    { standing, later },
  );
  return later.length === 0 ? refusal.helpedBy({ call: "listActs" }) : refusal;
}

function listed(names: readonly string[]): string {
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  return names.slice(0, 3).join(", ") + more;
}

/** The acts since the undone one that stand in its way; where rows do not say, those that wrote their chapter. */
function laterActs(store: Store, { seq: before }: Act, obstacles: readonly Obstacle[]): ActId[] {
  const after = store.list<number>("SELECT undoes FROM acts WHERE seq = ?", before)[0];
  if (after === undefined) return [];
  const rows = obstacles.flatMap(({ id, parent }) => (parent === undefined ? [id] : [id, parent]));
  const anchors = anchorsOf(store, rows);
  const found = listChanging(store, { after, before }, { rows, chapters: anchors });
  if (found.length > 0) return found;
  const chapters = [...rows, ...anchors.map(({ id }) => id)].map((id) => ({ id }));
  return listChanging(store, { after, before }, { rows, chapters });
}

/** The chapters and leaves that mentions and snippets among the rows stand at. */
function anchorsOf(store: Store, rows: readonly string[]): { id: string; leaf: string }[] {
  return (["mentions", "snippets"] as const).flatMap((table) =>
    store.all<{ id: string; leaf: string }>(
      `SELECT chapter_id AS id, block_id AS leaf FROM ${table}
       WHERE block_id IS NOT NULL AND id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(rows),
    ),
  );
}

/** What undoing an act does to each row, as the file was at one moment. */
export interface PlannedUndo {
  /** `seq` of the act. */
  undone: number;
  steps: readonly RowStep[];
  blocks: WholeBlocks;
}

/** Throws `Damaged` unless the chapters that acts wrote are sound: what is put back in part would pass for written. */
export function assertUndoable(store: Store, acts: readonly number[]): void {
  for (const id of store.list<ChapterId>(CHAPTERS_OF, { acts: JSON.stringify(acts) }))
    assertChapter(store, id);
}

const OF_ACTS = "act IN (SELECT value FROM json_each(:acts))";
const CHAPTERS_OF = `SELECT chapter FROM journal WHERE ${OF_ACTS} AND chapter IS NOT NULL
  UNION SELECT chapter_after FROM journal WHERE ${OF_ACTS} AND chapter_after IS NOT NULL`;

/** Rows as they were before the acts whose undoing was planned, by `table id`: the next older act need not look for them. */
export type PastRows = Map<string, PastRow>;

/** Plans the undoing of an act, of several the newest first. */
export function planUndo(
  store: Store,
  undone: number,
  { derive, past = new Map() }: { derive: DeriveBlock; past?: PastRows },
): PlannedUndo {
  const entries = store.all<OwnEntry>(OWN, undone);
  const steps = [...groupBy(entries, ({ table, id }) => `${table} ${id}`)]
    .map(([name, own]) => stepOf(store, own, { name, past }))
    .filter(({ before, after }) => before !== null || after !== null);
  return { undone, steps, blocks: findWholeBlocks(store, steps, derive) };
}

const OWN = `SELECT tbl AS "table", row_id AS id, seq, op, before FROM journal WHERE act = ? ORDER BY tbl, row_id, seq DESC`;

type OwnEntry = Entry & { table: TableName; id: string; seq: number };

/** From all entries that the act has of a row, the newest first. */
function stepOf(
  store: Store,
  own: readonly [OwnEntry, ...OwnEntry[]],
  { name, past }: { name: string; past: PastRows },
): RowStep {
  const [{ table, id, seq }] = own;
  const after = imageBefore(store, { table, id }, seq + 1, past.get(name));
  const before = own.reduce<RowImage>(stepBack, after);
  past.set(name, { seq: own.at(-1)!.seq, image: before }); // there is one
  return { table, id, before, after, now: imageOf(store, table, id) };
}

function isUnchanged({ table, before, after, now }: RowStep): boolean {
  if (after === null) return now === null;
  // A row that only changed its place, and was deleted since, has no place to go back to.
  if (now === null) return isOnlyMoved(table, before, after);
  const compared = journalled(table).filter(
    (column) => !isRank(table, column) && (before === null || before[column] !== after[column]),
  );
  return compared.every((column) => now[column] === after[column]);
}

function isOnlyMoved(table: TableName, before: RowImage, after: RowImage): boolean {
  if (before === null || after === null) return false;
  return journalled(table).every((column) => isRank(table, column) || before[column] === after[column]);
}

/** Writes one row as a step says; what the file derives from it is the caller's to do. */
export function applyStep(store: Store, step: RowStep): void {
  const { table, id, before, after, now } = step;
  if (before === null) {
    if (table === "blocks") store.run("DELETE FROM leaves WHERE row_id = ?", id);
    store.run(`DELETE FROM ${table} WHERE id = ?`, id);
    return;
  }
  if (after !== null && now === null) return; // it only moved, and was deleted since: see isUnchanged
  if (after === null || now === null) {
    insert(store, table, id, before);
    return;
  }
  const changed = changedColumns(step);
  if (changed.length === 0) return;
  if (table === "mentions" && changed.includes("chapter_id")) {
    // A chapter counts the mentions that come and go, not those that change their chapter.
    store.run("DELETE FROM mentions WHERE id = ?", id);
    insert(store, table, id, {
      ...now,
      ...Object.fromEntries(changed.map((column) => [column, before[column]!])), // both are whole rows
    });
    return;
  }
  store.run(
    `UPDATE ${table} SET ${changed.map((column) => `"${column}" = ?`).join(", ")} WHERE id = ?`,
    ...changed.map((column) => before[column]),
    id,
  );
}

const HASH = hashSql("blocks");

/** Ranks a list anew if a restored row has the rank of another one, so that no two are equal. */
function separateRanks(store: Store, steps: readonly RowStep[]): void {
  const lists = new Map<string, [table: TableName, list: string, parent: string]>();
  for (const { table, before, now } of steps) {
    const column = listOf(table);
    const parent = column === undefined ? undefined : before?.[column];
    const isPlaced = now?.rank !== before?.rank || (column !== undefined && now?.[column] !== parent);
    if (isPlaced && column !== undefined && typeof parent === "string")
      lists.set(`${table} ${parent}`, [table, column, parent]);
  }
  for (const [table, column, parent] of lists.values()) {
    const rows = store.all<{ id: string; rank: string }>(
      `SELECT id, rank FROM ${table} WHERE "${column}" = ? ORDER BY rank, id`,
      parent,
    );
    if (!rows.some(({ rank }, index) => rank === rows[index - 1]?.rank)) continue;
    placeRanks(rows).forEach((rank, index) => {
      const row = rows[index]!; // one rank a row
      if (rank === row.rank) return;
      store.run(`UPDATE ${table} SET rank = ? WHERE id = ?`, rank, row.id);
      if (table === "blocks") store.run(`UPDATE blocks SET hash = ${HASH} WHERE id = ?`, row.id);
    });
  }
}

function insert(store: Store, table: TableName, id: string, row: NonNullable<RowImage>): void {
  // An act of an older version knows no later column: that one gets its default.
  const columns = journalled(table).filter((column) => column in row);
  // A block's derived columns are required; they are computed from its node right after.
  const derived = table === "blocks" ? { type: "", text: "", words: 0 } : {};
  const names = ["id", ...columns, ...Object.keys(derived)];
  store.run(
    `INSERT INTO ${table}(${names.map((name) => `"${name}"`).join(", ")}) VALUES(${names.map(() => "?").join(", ")})`,
    id,
    ...columns.map((column) => row[column]),
    ...Object.values(derived),
  );
}

/** Refuses an undo that would leave a row without its parent, before SQLite does so without saying which. */
function assertWhole(store: Store, act: Act, steps: readonly RowStep[]): void {
  const obstacles: Obstacle[] = [];
  const found = new Set<string>(); // many rows have the same parent
  const isThere = (parent: TableName, key: unknown) => {
    const name = `${parent} ${key}`;
    if (found.has(name)) return true;
    const isFound = store.get(`SELECT 1 FROM ${parent} WHERE id = ?`, key) !== undefined;
    if (isFound) found.add(name);
    return isFound;
  };
  for (const { table, id, before } of steps) {
    if (before === null) {
      for (const [child, column] of childrenOf(table)) {
        const user = store.get<{ id: string }>(`SELECT id FROM ${child} WHERE "${column}" = ? LIMIT 1`, id);
        if (user !== undefined) obstacles.push({ table: child, id: user.id, reason: "in_use" });
      }
    } else {
      for (const [column, parent] of parentsOf(table)) {
        const key = before[column];
        if (key != null && !isThere(parent, key)) {
          obstacles.push({ table, id, reason: "parent_gone", parent: String(key) });
        }
      }
    }
  }
  append(obstacles, looseAnchors(store, steps));
  if (obstacles.length > 0) throw undoConflict(store, act, obstacles);
}

/** Mentions and snippets, in any chapter that the undo touches, whose paragraph no longer exists. */
function looseAnchors(store: Store, steps: readonly RowStep[]): Obstacle[] {
  const chapters = new Set(
    steps
      .filter(({ table }) => table === "blocks" || table === "mentions" || table === "snippets")
      .flatMap(({ before, now }) => [before?.chapter_id, now?.chapter_id])
      .filter((id) => id != null),
  );
  return [...chapters].flatMap((chapterId) =>
    (["mentions", "snippets"] as const).flatMap((table) =>
      store
        .all<{ id: string }>(
          `SELECT id FROM ${table} WHERE chapter_id = ? AND block_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM leaves WHERE leaves.id = ${table}.block_id)`,
          chapterId,
        )
        .map(({ id }): Obstacle => ({ table, id, reason: "in_use" })),
    ),
  );
}
