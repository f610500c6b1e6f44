import { isDeepStrictEqual } from "node:util";
import type { ProgressStep } from "../../text/progress.ts";
import { shortened } from "../file/delta.ts";
import type { Store } from "../file/store.ts";
import type { TableName } from "../file/tables.ts";
import type { Folds } from "./folds.ts";
import { type Entry, holdsWhole, imageOf, type RowImage, stepBack } from "./images.ts";

/**
 * Makes one act of each run: the newest stays, with its number, id and time, and holds what all of them did; the others go with
 * their revisions. No act itself: it changes nothing that stands. Runs within the caller's transaction. About 50 µs an entry.
 */
export function foldHistory(store: Store, folds: Folds, step: ProgressStep = () => {}): void {
  store.run("CREATE TEMP TABLE folds(act INTEGER PRIMARY KEY, kept INTEGER NOT NULL)");
  for (const [act, kept] of folds) store.run("INSERT INTO temp.folds(act, kept) VALUES(?, ?)", act, kept);
  store.run("CREATE INDEX temp.folds_kept ON folds(kept)");
  const rows = store.all<Row>(`${ROWS} WHERE act IN (SELECT act FROM temp.folds)`);
  for (const [index, row] of rows.entries()) {
    step(index, rows.length);
    foldRow(store, row, folds);
  }
  for (const statement of SUMS) store.run(statement);
  renumber(store);
  store.run("DROP TABLE temp.folds");
}

/** Numbers the entries anew in the order of their acts, without a hole: a rescue takes a hole for a loss. */
function renumber(store: Store): void {
  const last = store.list<number>("SELECT max(seq) FROM journal_entries")[0];
  store.run(
    `INSERT INTO journal_entries(${COLUMNS}) SELECT ${COLUMNS} FROM journal_entries ORDER BY act, seq`,
  );
  store.run("DELETE FROM journal_entries WHERE seq <= ?", last);
  store.run("UPDATE journal_entries SET seq = seq - ?", last);
  store.run(
    "UPDATE sqlite_sequence SET seq = (SELECT max(seq) FROM journal_entries) WHERE name = 'journal_entries'",
  );
}

interface Row {
  table: TableName;
  no: number;
  id: string;
}

interface Stored extends Entry {
  seq: number;
  act: number;
}

const ROWS = `SELECT DISTINCT tbl AS "table", row_no AS no, id FROM journal_entries JOIN ids ON no = row_no`;
const ENTRIES =
  "SELECT seq, act, op, before FROM journal_entries WHERE row_no = ? AND tbl = ? ORDER BY seq DESC";
const COLUMNS = "act, tbl, row_no, op, chapter_no, chapter_after_no, before";

/** Entries of a row in one run, and the row before and after them. */
interface Group {
  kept: number;
  /** Their numbers, the newest first. */
  seqs: number[];
  before: RowImage;
  after: RowImage;
  /** Whether one of them holds the whole row, so that no text is far from one. */
  isWhole: boolean;
}

function foldRow(store: Store, { table, no, id }: Row, folds: Folds): void {
  let image = imageOf(store, table, id);
  let group: Group | undefined;
  for (const entry of store.all<Stored>(ENTRIES, no, table)) {
    const before = stepBack(image, entry);
    const kept = folds.get(entry.act);
    if (group !== undefined && kept !== group.kept) {
      writeGroup(store, table, group);
      group = undefined;
    }
    if (kept !== undefined) {
      group ??= { kept, seqs: [], before, after: image, isWhole: false };
      group.seqs.push(entry.seq);
      group.before = before;
      group.isWhole ||= entry.op === "update" && holdsWhole(table, entry);
    }
    image = before;
  }
  if (group !== undefined) writeGroup(store, table, group);
}

/** Writes one entry in the place of a group; none where it left the row as it was. */
function writeGroup(store: Store, table: TableName, group: Group): void {
  const { kept, seqs, before, after } = group;
  const isSame = isDeepStrictEqual(before, after);
  const gone = isSame ? seqs : seqs.slice(1);
  for (const seq of gone) store.run("DELETE FROM journal_entries WHERE seq = ?", seq);
  if (isSame) return;
  const op = before === null ? "insert" : after === null ? "delete" : "update";
  const sql = "UPDATE journal_entries SET act = ?, op = ?, before = ? WHERE seq = ?";
  store.run(sql, kept, op, formerOf(table, group), seqs[0]);
}

function formerOf(table: TableName, { before, after, isWhole }: Group): string | null {
  if (before === null) return null;
  if (after === null || isWhole) return JSON.stringify(before);
  const changed = Object.fromEntries(Object.entries(before).filter(([name, was]) => was !== after[name]));
  return JSON.stringify(table === "blocks" ? shortened(changed, after) : changed);
}

const GONE = "(SELECT act FROM temp.folds WHERE act <> kept)";
const SUMS = [
  `UPDATE revision_entries SET (added, removed) = (SELECT sum(r.added), sum(r.removed) FROM temp.folds f
     JOIN revision_entries r ON r.act = f.act WHERE f.kept = revision_entries.act) WHERE act IN (SELECT kept FROM temp.folds)`,
  `DELETE FROM revision_entries WHERE act IN ${GONE}`,
  `INSERT INTO progress_entries(act, book_no, day, added, removed, imported)
     SELECT kept, book_no, day, sum(added), sum(removed), sum(imported) FROM temp.folds JOIN progress_entries USING(act)
     WHERE act <> kept GROUP BY kept, book_no, day
     ON CONFLICT DO UPDATE SET added = added + excluded.added, removed = removed + excluded.removed, imported = imported + excluded.imported`,
  `DELETE FROM progress_entries WHERE act IN ${GONE}`,
  `UPDATE acts SET undoes = NULL WHERE undoes IN ${GONE}`,
  `DELETE FROM acts WHERE seq IN ${GONE}`,
];

/**
 * Rows that a folded history tells otherwise than the whole one did, at most 20: as they are now, after each of these acts, and
 * after each act that the folded history has of them. Looks at every entry of both.
 */
export function listFoldedWrongly(
  { whole, folded }: Record<"whole" | "folded", Store>,
  bounds: readonly number[],
  step: ProgressStep = () => {},
): string[] {
  const wrong: string[] = [];
  const rows = whole.all<Row>(ROWS);
  for (const [index, { table, no, id }] of rows.entries()) {
    step(index, rows.length);
    const [old, now] = [whole, folded].map((store) => ({
      image: imageOf(store, table, id),
      entries: store.all<Stored>(ENTRIES, no, table),
    })) as [Told, Told]; // one for each
    const acts = [Number.MAX_SAFE_INTEGER, ...bounds, ...now.entries.map(({ act }) => act), 0];
    if (
      !isToldAlike(
        old,
        now,
        [...new Set(acts)].sort((a, b) => b - a),
      )
    )
      wrong.push(`${table} ${id}`);
    if (wrong.length === MOST) break;
  }
  return wrong;
}

const MOST = 20;

interface Told {
  image: RowImage;
  /** The newest first. */
  entries: Stored[];
}

function isToldAlike(old: Told, now: Told, acts: readonly number[]): boolean {
  const [one, other] = [old, now].map(({ image, entries }) => {
    let at = 0;
    let row = image;
    return (act: number) => {
      for (let entry = entries[at]; entry !== undefined && entry.act > act; entry = entries[++at])
        row = stepBack(row, entry);
      return row;
    };
  }) as [After, After]; // one for each
  let known: readonly RowImage[] = [];
  return acts.every((act) => {
    const [before, after] = [one(act), other(act)];
    if (before === known[0] && after === known[1]) return true;
    known = [before, after];
    return isAlike(before, after);
  });
}

/** An act of an older version knows no later column: that one may be anything. */
function isAlike(one: RowImage, other: RowImage): boolean {
  if (one === null || other === null) return one === other;
  return Object.entries(one).every(([name, value]) => other[name] === value);
}

type After = (act: number) => RowImage;
