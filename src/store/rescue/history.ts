import type { Mint } from "../../ids.ts";
import { DIGEST_SQL } from "../damage.ts";
import { valuesOf } from "../file/act.ts";
import type { Connection } from "../file/driver.ts";
import { hashSql } from "../file/hashes.ts";
import { TABLE_NAMES, TABLES } from "../file/tables.ts";

/** How far a history goes that was taken over. */
export interface KeptHistory {
  /** The time of the first moment that it knows, in milliseconds since 1970; null if it begins with the rescue. */
  since: number | null;
  /** True if all of it was taken over. */
  isWhole: boolean;
  /** Names of milestones that are of a time before. */
  lostMilestones: string[];
}

/** What a history is settled by. */
export interface Settling {
  mint: Mint;
  /** Now, in milliseconds since 1970. */
  at: number;
  /** Chapters that are perhaps not as they were written last. */
  unproved: readonly string[];
  /** The newest act of which entries may be gone; 0 if none are. */
  newestGap: number;
  /** Take over nothing of it. */
  isCut: boolean;
}

/**
 * Gives the chapters of a file that was put together their counts, and makes its history one that contradicts nothing: it begins behind
 * the newest of what is gone of it, with everything that was there then. For a file of `SETTLING_STEPS` at `SETTLED_FORMAT`, without triggers.
 */
export function settleRows(file: Connection, settling: Settling): KeptHistory {
  const rows = new Rows(file);
  recount(rows);
  const before = rows.list<string>("SELECT name FROM milestones");
  rows.run("UPDATE acts SET undoes = NULL WHERE undoes >= seq OR undoes NOT IN (SELECT seq FROM acts)");
  const { isCut, newestGap } = settling;
  const doubtful = isCut ? lastAct(rows) : Math.max(newestGap, newestDoubt(rows));
  if (doubtful > 0) beginBehind(rows, doubtful, settling);
  settleSingleRows(rows, settling);
  settleRevisions(rows, settling);
  const left = new Set(rows.list<string>("SELECT name FROM milestones"));
  const [first] = rows.list<number>("SELECT at FROM acts ORDER BY seq LIMIT 1");
  return {
    since: isCut ? null : (first ?? null),
    isWhole: doubtful === 0,
    lostMilestones: before.filter((name) => !left.has(name)),
  };
}

/** Statements on a file that is not open as a manuscript. */
class Rows {
  readonly #file: Connection;

  constructor(file: Connection) {
    this.#file = file;
  }

  run(sql: string, ...values: unknown[]): void {
    this.#file.prepare(sql).run(...values);
  }

  list<Value>(sql: string, ...values: unknown[]): Value[] {
    return this.#file
      .prepare(sql)
      .pluck()
      .all(...values) as Value[];
  }

  all<Row>(sql: string): Row[] {
    return this.#file.prepare(sql).all() as Row[];
  }
}

const COUNTS = `UPDATE chapters SET
  word_count = (SELECT coalesce(sum(words), 0) FROM blocks WHERE chapter_id = chapters.id),
  block_count = (SELECT count(*) FROM leaves WHERE chapter_id = chapters.id),
  mention_count = (SELECT count(*) FROM mentions WHERE chapter_id = chapters.id)`;
const PLACES = `UPDATE chapters SET position = place
  FROM (SELECT id, row_number() OVER (PARTITION BY book_id ORDER BY rank, id) AS place FROM chapters) AS placed
  WHERE placed.id = chapters.id`;

function recount(rows: Rows): void {
  rows.run(COUNTS);
  rows.run(PLACES);
  for (const table of ["chapters", "mentions", "snippets"] as const)
    rows.run(`UPDATE ${table} SET hash = ${hashSql(table)}`);
  rows.run(`UPDATE chapters SET digest = ${DIGEST_SQL}`);
}

function lastAct(rows: Rows): number {
  const [last] = rows.list<number>(
    "SELECT max(seq) FROM (SELECT max(seq) AS seq FROM acts UNION ALL SELECT max(act) FROM journal UNION ALL SELECT max(act) FROM revisions)",
  );
  return last ?? 0;
}

/** The newest act of which something may be gone: what is before it cannot be walked back to. 0 if all is there. */
function newestDoubt(rows: Rows): number {
  const [doubt] = rows.list<number | null>(
    `SELECT max(act) FROM (
       SELECT act FROM journal WHERE act NOT IN (SELECT seq FROM acts)
       UNION ALL SELECT act FROM revisions WHERE act > (SELECT coalesce(max(act), 0) FROM journal)
       UNION ALL SELECT (SELECT max(seq) FROM acts) FROM chapters c
         WHERE revision > (SELECT coalesce(max(revision), 0) FROM revisions WHERE chapter_id = c.id))`,
  );
  return doubt ?? 0;
}

/** Lets the history begin with an act: what was before is gone, and so is what the act itself did. */
function beginBehind(rows: Rows, act: number, settling: Settling): void {
  rows.run("DELETE FROM journal WHERE act <= ?", act);
  rows.run("DELETE FROM acts WHERE seq <= ?", act);
  const [next] = rows.list<number>("SELECT at FROM acts ORDER BY seq LIMIT 1");
  beginWith(rows, act, { ...settling, at: next ?? settling.at });
  rows.run("UPDATE acts SET undoes = NULL WHERE undoes <= ?", act);
  rows.run("UPDATE working_copies SET act = NULL WHERE act < ?", act);
  rows.run("UPDATE progress SET act = :act WHERE act < :act", { act });
  rows.run("DELETE FROM milestones WHERE act < ?", act);
  rows.run(
    `DELETE FROM revisions WHERE act < ? AND revision < (SELECT max(revision) FROM revisions r WHERE r.chapter_id = revisions.chapter_id)`,
    act,
  );
  rows.run("UPDATE revisions SET act = :act WHERE act < :act", { act });
}

function beginWith(rows: Rows, seq: number, { mint, at }: Pick<Settling, "mint" | "at">): void {
  const { kind, source, schema } = valuesOf({ kind: "rescue", source: "restore" });
  rows.run(
    "INSERT INTO acts(seq, id, at, kind, source, schema) VALUES(?, ?, ?, ?, ?, ?)",
    ...[seq, mint("act"), at, kind, source, schema],
  );
}

const IN_FILE = TABLE_NAMES.map((table) => {
  const { chapter } = TABLES[table];
  return `SELECT '${table}' AS tbl, id AS row_id, ${chapter === undefined ? "NULL" : `"${chapter}"`} AS chapter FROM ${table}`;
}).join(" UNION ALL ");

/**
 * A row that came back without its beginning, or otherwise than the journal tells, is one that was there from the first. The past of a
 * row that did not come back is left out.
 */
function settleSingleRows(rows: Rows, settling: Settling): void {
  rows.run(
    `DELETE FROM journal WHERE (tbl, row_id) IN (
       SELECT j.tbl, j.row_id FROM (SELECT tbl, row_id, op, max(seq) FROM journal GROUP BY 1, 2) j
         LEFT JOIN (${IN_FILE}) f USING(tbl, row_id) WHERE (j.op = 'delete') <> (f.row_id IS NULL)
       UNION SELECT tbl, row_id FROM (SELECT tbl, row_id, op, seq, lag(op) OVER (PARTITION BY tbl, row_id ORDER BY seq) AS previous FROM journal)
         WHERE previous IS NOT NULL AND (op = 'insert') <> (previous = 'delete')
       UNION SELECT tbl, row_id FROM journal WHERE before IS NOT NULL AND NOT json_valid(before))`,
  );
  const begun = `SELECT tbl, row_id, chapter FROM (SELECT tbl, row_id, chapter, op, min(seq) FROM journal GROUP BY 1, 2) WHERE op <> 'insert'`;
  const unknown = `SELECT tbl, row_id, chapter FROM (${IN_FILE}) f WHERE NOT EXISTS (SELECT 1 FROM journal j WHERE j.row_id = f.row_id AND j.tbl = f.tbl)`;
  const beginnings = rows.all<{ tbl: string; row_id: string; chapter: string | null }>(
    `${begun} UNION ALL ${unknown}`,
  );
  if (beginnings.length === 0) return;
  if (rows.list("SELECT 1 FROM acts").length === 0) beginWith(rows, 1, settling);
  // What was there from the first comes first: the journal is walked back by its numbers.
  const [first = 1] = rows.list<number | null>("SELECT min(seq) FROM journal");
  rows.run("UPDATE journal SET seq = -seq");
  rows.run("UPDATE journal SET seq = ? - seq", beginnings.length + 1 - (first ?? 1));
  const [act] = rows.list<number>("SELECT min(seq) FROM acts");
  for (const [at, { tbl, row_id, chapter }] of beginnings.entries())
    rows.run(
      "INSERT INTO journal(seq, act, tbl, row_id, op, chapter) VALUES(?, ?, ?, ?, 'insert', ?)",
      ...[at + 1, act, tbl, row_id, chapter],
    );
}

/** Every chapter has its newest revision; one whose text is perhaps not what that was gets a new one. */
function settleRevisions(rows: Rows, settling: Settling): void {
  if (rows.list("SELECT 1 FROM acts").length === 0) beginWith(rows, 1, settling);
  rows.run(
    "DELETE FROM revisions WHERE act NOT IN (SELECT seq FROM acts) OR chapter_id NOT IN (SELECT row_id FROM journal)",
  );
  rows.run("DELETE FROM progress WHERE act NOT IN (SELECT seq FROM acts)");
  rows.run("UPDATE working_copies SET act = NULL WHERE act NOT IN (SELECT seq FROM acts)");
  rows.run(
    `UPDATE chapters SET revision = 1 + max(revision, (SELECT coalesce(max(revision), 0) FROM revisions WHERE chapter_id = chapters.id))
     WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(settling.unproved),
  );
  rows.run(
    `UPDATE chapters SET revision = max(revision, (SELECT coalesce(max(revision), 0) FROM revisions WHERE chapter_id = chapters.id))`,
  );
  rows.run(
    `INSERT INTO revisions(chapter_id, revision, act, word_count, added, removed)
     SELECT id, revision, (SELECT max(seq) FROM acts), word_count, 0, 0 FROM chapters c
     WHERE revision > (SELECT coalesce(max(revision), 0) FROM revisions WHERE chapter_id = c.id)`,
  );
}
