import { Conflict, NotFound } from "../../refusals.ts";
import type { Act } from "../file/sql.ts";
import type { Store } from "../file/store.ts";
import { type DeriveBlock, refreshBlocks } from "../rows/blocks.ts";
import { placeRanks } from "../rows/sequence.ts";
import { childrenOf, isRank, journalled, listOf, parentsOf, type TableName } from "../schema/tables.ts";

/** A row's journalled columns by name; null if the row does not exist. */
type Image = Readonly<Record<string, string | number | null>> | null;

interface Entry {
  act: number;
  tbl: TableName;
  row_id: string;
  op: "insert" | "update" | "delete";
  before: string | null;
}

/** What undoing does to one row: from `after`, as the act left it, to `before`, as the act found it. */
interface Step {
  table: TableName;
  id: string;
  before: Image;
  after: Image;
  now: Image;
}

/** One thing that stands in the way of an undo. */
export interface Standing {
  table: TableName;
  id: string;
  reason: "changed" | "gone" | "in_use" | "parent_gone";
}

/**
 * Puts back every row that an act changed, within the act given. Only content columns that the act changed are
 * compared, by value: an older edit of another paragraph can be undone, and so can an undo. Throws `Conflict` with
 * `standing` if a row has changed since. Cost: a few statements a row. Source: docs/decisions/002-journal.md.
 */
export function undoAct(store: Store, undone: number, act: Act, derive: DeriveBlock): void {
  const steps = planUndo(store, undone);
  const standing = steps.filter((step) => !isUnchanged(step)).map(stand);
  if (standing.length > 0) throw conflict(standing);
  for (const step of steps) apply(store, step);
  separateRanks(store, steps);
  refreshBlocks(
    store,
    steps.filter(({ table, before }) => table === "blocks" && before !== null).map(({ id }) => id),
    derive,
  );
  assertWhole(store, steps);
  for (const { chapterId, added, removed } of wordsOf(store, undone)) {
    act.words.set(chapterId, { added: removed, removed: added });
  }
  // The words of the act count no more, on the day they were counted: an undo of the undo counts them again.
  store.run(
    "INSERT INTO progress(act, book_id, date, added, removed, imported) SELECT ?, book_id, date, -added, -removed, -imported FROM progress WHERE act = ?",
    act.seq,
    undone,
  );
}

function wordsOf(store: Store, seq: number): { chapterId: string; added: number; removed: number }[] {
  return store.all("SELECT chapter_id AS chapterId, added, removed FROM revisions WHERE act = ?", seq);
}

/** `seq` of the act with this id, and the act that it undoes, if any. Throws `NotFound`. */
export function findAct(store: Store, id: string): { seq: number; kind: string; undoes: number | null } {
  const found = store.get<{ seq: number; kind: string; undoes: number | null }>(
    "SELECT seq, kind, undoes FROM acts WHERE id = ?",
    id,
  );
  if (found === undefined) throw new NotFound("act");
  return found;
}

/** The error of an undo that something stands in the way of. */
export function conflict(standing: readonly Standing[]): Conflict {
  const first = standing.slice(0, 3).map(({ table, id, reason }) => `${table} ${id} (${reason})`);
  const more = standing.length > 3 ? ` and ${standing.length - 3} more` : "";
  return new Conflict(
    `It cannot be undone any more: ${first.join(", ")}${more} changed since. Undo the later acts first; GET /acts lists them.`,
    { standing },
  );
}

function planUndo(store: Store, undone: number): Step[] {
  const rows = store.all<{ tbl: TableName; row_id: string }>(
    "SELECT DISTINCT tbl, row_id FROM journal WHERE act = ? ORDER BY tbl, row_id",
    undone,
  );
  return rows
    .map(({ tbl, row_id }) => walkBack(store, undone, tbl, row_id))
    .filter(({ before, after }) => before !== null || after !== null);
}

function walkBack(store: Store, undone: number, table: TableName, id: string): Step {
  const entries = store.all<Entry>(
    "SELECT act, tbl, row_id, op, before FROM journal WHERE row_id = ? AND tbl = ? AND act >= ? ORDER BY seq DESC",
    id,
    table,
    undone,
  );
  const now = imageOf(store, table, id);
  let image = now;
  let after: Image = now;
  let reached = false;
  for (const entry of entries) {
    if (entry.act === undone && !reached) {
      after = image;
      reached = true;
    }
    image = stepBack(image, entry);
  }
  return { table, id, before: image, after, now };
}

/** The row as it was before one entry of the journal. */
export function stepBack(image: Image, entry: { op: string; before: string | null }): Image {
  if (entry.op === "insert" || entry.before === null) return null;
  const before = JSON.parse(entry.before) as NonNullable<Image>;
  return entry.op === "delete" ? before : { ...image, ...before };
}

function imageOf(store: Store, table: TableName, id: string): Image {
  const columns = journalled(table).map((column) => `"${column}"`);
  return store.get<NonNullable<Image>>(`SELECT ${columns.join(", ")} FROM ${table} WHERE id = ?`, id) ?? null;
}

function isUnchanged({ table, before, after, now }: Step): boolean {
  if (after === null) return now === null;
  // A row that only changed its place, and is gone by now, has no place to go back to.
  if (now === null) return isOnlyMoved(table, before, after);
  const compared = journalled(table).filter(
    (column) => !isRank(table, column) && (before === null || before[column] !== after[column]),
  );
  return compared.every((column) => now[column] === after[column]);
}

function isOnlyMoved(table: TableName, before: Image, after: Image): boolean {
  if (before === null || after === null) return false;
  return journalled(table).every((column) => isRank(table, column) || before[column] === after[column]);
}

function stand({ table, id, now }: Step): Standing {
  return { table, id, reason: now === null ? "gone" : "changed" };
}

function apply(store: Store, { table, id, before, after, now }: Step): void {
  if (before === null) {
    if (table === "blocks") store.run("DELETE FROM leaves WHERE row_id = ?", id);
    store.run(`DELETE FROM ${table} WHERE id = ?`, id);
    return;
  }
  const columns = journalled(table);
  if (after !== null && now === null) return; // it only moved, and is gone: see isUnchanged
  if (after === null || now === null) {
    insert(store, table, id, before);
    return;
  }
  const changed = columns.filter(
    (column) => before[column] !== after[column] && (!isRank(table, column) || now[column] === after[column]),
  );
  if (changed.length === 0) return;
  store.run(
    `UPDATE ${table} SET ${changed.map((column) => `"${column}" = ?`).join(", ")} WHERE id = ?`,
    ...changed.map((column) => before[column]),
    id,
  );
}

/** Gives a list new ranks if a row came back to one that another has taken since, so that no two are equal. */
function separateRanks(store: Store, steps: readonly Step[]): void {
  const lists = new Map<string, [table: TableName, list: string, parent: string]>();
  for (const { table, before } of steps) {
    const column = listOf(table);
    const parent = column === undefined ? undefined : before?.[column];
    if (column !== undefined && typeof parent === "string")
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
      if (rank !== row.rank) store.run(`UPDATE ${table} SET rank = ? WHERE id = ?`, rank, row.id);
    });
  }
}

function insert(store: Store, table: TableName, id: string, row: NonNullable<Image>): void {
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
function assertWhole(store: Store, steps: readonly Step[]): void {
  const standing: Standing[] = [];
  for (const { table, id, before } of steps) {
    if (before === null) {
      for (const [child, column] of childrenOf(table)) {
        const user = store.get<{ id: string }>(`SELECT id FROM ${child} WHERE "${column}" = ? LIMIT 1`, id);
        if (user !== undefined) standing.push({ table: child, id: user.id, reason: "in_use" });
      }
    } else {
      for (const [column, parent] of parentsOf(table)) {
        const key = before[column];
        if (key != null && store.get(`SELECT 1 FROM ${parent} WHERE id = ?`, key) === undefined) {
          standing.push({ table, id, reason: "parent_gone" });
        }
      }
    }
  }
  standing.push(...looseAnchors(store, steps));
  if (standing.length > 0) throw conflict(standing);
}

/** Mentions and snippets, in any chapter that the undo reaches, whose paragraph is no longer there. */
function looseAnchors(store: Store, steps: readonly Step[]): Standing[] {
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
        .map(({ id }): Standing => ({ table, id, reason: "in_use" })),
    ),
  );
}
