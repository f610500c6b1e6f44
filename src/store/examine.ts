import { sqliteCode } from "./driver.ts";
import type { Store } from "./file/store.ts";
import { assertOurSchema, VERSIONS } from "./schema/migrate.ts";
import { journalled, listOf, TABLE_NAMES } from "./schema/tables.ts";

/** Reads that look for what no write of ours leaves behind. Each returns a line for every flaw. */

/** SQLite's version, such as "3.50.4". */
export function sqliteVersion(store: Store): string {
  return store.prepare("SELECT sqlite_version()").pluck().get() as string;
}

/** The number of the file's format; today's is `VERSIONS.length`. */
export function formatOf(store: Store): number {
  return store.prepare("PRAGMA user_version").pluck().get() as number;
}

/** Whether an older version wrote the file and no newer one has opened it: today's reads do not fit it. */
export function isOlderFormat(store: Store): boolean {
  return formatOf(store) < VERSIONS.length;
}

/** Throws `Unavailable` if tables, indexes or triggers are not those of the file's version. */
export function assertSchema(store: Store): void {
  assertOurSchema(store);
}

/** Pages and indexes that SQLite finds damaged, at most 100. */
export function listDamage(store: Store): string[] {
  try {
    return (store.prepare("PRAGMA integrity_check").pluck().all() as string[]).filter(
      (line) => line !== "ok",
    );
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
    return [(error as Error).message];
  }
}

/** Rows that name a row which is not there. */
export function listBrokenReferences(store: Store): string[] {
  return store
    .all<{ table: string; parent: string; count: number }>(
      `SELECT "table", parent, count(*) AS count FROM pragma_foreign_key_check GROUP BY 1, 2 ORDER BY 1, 2`,
    )
    .map(({ table, parent, count }) => `${count} in ${table} without their row in ${parent}`);
}

/** Places of a list that two rows share: nothing can be put between them. */
export function listTwinRanks(store: Store): string[] {
  return TABLE_NAMES.flatMap((table) => {
    const list = listOf(table);
    if (list === undefined) return [];
    return store
      .all<{ list: string; rank: string }>(
        `SELECT "${list}" AS list, rank FROM ${table} GROUP BY 1, 2 HAVING count(*) > 1 ORDER BY 1, 2`,
      )
      .map((twin) => `${table} of ${twin.list} at ${twin.rank}`);
  });
}

/** Chapters whose counts or position are not what their rows come to. */
export function listBrokenCounts(store: Store): string[] {
  const rows = store.all<{ id: string }>(
    `WITH b AS (SELECT chapter_id, sum(words) AS words FROM blocks GROUP BY 1),
       l AS (SELECT chapter_id, count(*) AS leaves FROM leaves GROUP BY 1),
       m AS (SELECT chapter_id, count(*) AS mentions FROM mentions GROUP BY 1),
       o AS (SELECT id, row_number() OVER (PARTITION BY book_id ORDER BY rank, id) AS place FROM chapters)
     SELECT c.id FROM chapters c JOIN o USING(id) LEFT JOIN b ON b.chapter_id = c.id LEFT JOIN l ON l.chapter_id = c.id
       LEFT JOIN m ON m.chapter_id = c.id
     WHERE c.word_count <> coalesce(b.words, 0) OR c.block_count <> coalesce(l.leaves, 0)
       OR c.mention_count <> coalesce(m.mentions, 0) OR c.position <> o.place ORDER BY c.id`,
  );
  return rows.map(({ id }) => `the counts of ${id}`);
}

/** What is said of an anchor whose paragraph is not there. */
export const GONE = "its paragraph is gone";

/** Anchors in a paragraph that is gone, of another chapter, or of another book. */
export function listLostAnchors(store: Store): string[] {
  const rows = store.all<{ id: string; why: string }>(
    `SELECT m.id, iif(l.id IS NULL, '${GONE}', 'its paragraph is of another chapter') AS why
       FROM mentions m LEFT JOIN leaves l ON l.id = m.block_id WHERE l.chapter_id IS NOT m.chapter_id
     UNION ALL SELECT m.id, 'its fact is of another book' FROM mentions m JOIN facts f ON f.id = m.fact_id
       JOIN chapters c ON c.id = m.chapter_id WHERE f.book_id <> c.book_id
     UNION ALL SELECT s.id, iif(l.id IS NULL, '${GONE}', 'its paragraph is of another chapter') FROM snippets s
       LEFT JOIN leaves l ON l.id = s.block_id WHERE s.block_id IS NOT NULL AND l.chapter_id IS NOT s.chapter_id
     UNION ALL SELECT s.id, 'its chapter is of another book' FROM snippets s JOIN chapters c ON c.id = s.chapter_id
       WHERE c.book_id <> s.book_id
     UNION ALL SELECT c.id, 'its part is of another book' FROM chapters c JOIN parts p ON p.id = c.part_id
       WHERE p.book_id <> c.book_id`,
  );
  return rows.map(({ id, why }) => `${id}: ${why}`);
}

/** Leaves whose row holds them in another chapter. */
export function listStrayLeaves(store: Store): string[] {
  const rows = store.all<{ id: string }>(
    "SELECT l.id FROM leaves l LEFT JOIN blocks b ON b.id = l.row_id WHERE b.chapter_id IS NOT l.chapter_id ORDER BY l.id",
  );
  return rows.map(({ id }) => `paragraph ${id} is of another chapter than its row`);
}

/** How often a query of `listBrokenHistory` may name one kind of flaw. */
const MOST = 20;

/**
 * The places where the history does not add up: entries without their act, rows that the journal never saw come or go, chapters
 * whose revision it does not know. From such a history an undo would bring back something else than there was.
 */
export function listBrokenHistory(store: Store): string[] {
  const inFile = TABLE_NAMES.map((table) => `SELECT '${table}' AS tbl, id AS row_id FROM ${table}`).join(
    " UNION ALL ",
  );
  const columns = JSON.stringify(
    TABLE_NAMES.flatMap((table) => journalled(table).map((column) => `${table}.${column}`)),
  );
  const queries = [
    ...["journal", "revisions", "progress", "working_copies"].map(
      (table) =>
        `SELECT '${table} of act ' || act || ', which is not there' FROM ${table} WHERE act NOT IN (SELECT seq FROM acts) GROUP BY act`,
    ),
    "SELECT 'what act ' || id || ' undoes is not there' FROM acts a WHERE undoes >= seq OR undoes NOT IN (SELECT seq FROM acts)",
    "SELECT 'an act stands open' FROM current_act WHERE seq IS NOT NULL",
    `SELECT 'the entry ' || seq || ' of the journal' FROM journal WHERE op NOT IN ('insert', 'update', 'delete')
       OR (op = 'insert') <> (before IS NULL) OR (before IS NOT NULL AND NOT json_valid(before))
       OR tbl NOT IN (SELECT value FROM json_each('${JSON.stringify(TABLE_NAMES)}'))`,
    // An undo writes what stands here, column by column.
    `SELECT DISTINCT 'what the entry ' || seq || ' of the journal holds' FROM journal,
       json_each(iif(json_valid(before), before, '{"":[]}')) e WHERE before IS NOT NULL
       AND (e.type NOT IN ('text', 'integer', 'null') OR tbl || '.' || e.key NOT IN (SELECT value FROM json_each('${columns}')))`,
    // An entry of an older format may lack columns that came later.
    `SELECT 'what the entry ' || j.seq || ' of the journal holds is not a whole row' FROM journal j JOIN acts a ON a.seq = j.act
       WHERE op = 'delete' AND json_valid(before) AND a.schema = (SELECT user_version FROM pragma_user_version)
       AND (SELECT count(*) FROM json_each(before)) <> (SELECT count(*) FROM json_each('${columns}') WHERE substr(value, 1, instr(value, '.') - 1) = tbl)`,
    `SELECT 'the journal of ' || tbl || ' ' || row_id FROM (SELECT tbl, row_id, op, act, lag(op) OVER w AS previous,
         lag(act, 1, 0) OVER w AS earlier FROM journal WINDOW w AS (PARTITION BY tbl, row_id ORDER BY seq))
       WHERE (op = 'insert') <> (previous IS NULL OR previous = 'delete') OR act < earlier`,
    `SELECT f.tbl || ' ' || f.row_id || ' is not in the journal' FROM (${inFile}) f LEFT JOIN
       (SELECT tbl, row_id, op, max(seq) FROM journal GROUP BY 1, 2) j USING(tbl, row_id) WHERE coalesce(j.op, 'delete') = 'delete'`,
    `SELECT j.tbl || ' ' || j.row_id || ' is gone without the journal' FROM (SELECT tbl, row_id, op, max(seq) FROM journal GROUP BY 1, 2) j
       LEFT JOIN (${inFile}) f USING(tbl, row_id) WHERE j.op <> 'delete' AND f.row_id IS NULL`,
    `SELECT 'the revision of ' || id FROM chapters c
       WHERE revision IS NOT (SELECT max(revision) FROM revisions WHERE chapter_id = c.id)`,
  ];
  return queries.flatMap((sql) => store.prepare(`${sql} LIMIT ${MOST}`).pluck().all() as string[]);
}
