import { Damaged } from "../refusals.ts";
import { type ProgressStep, share } from "../text/progress.ts";
import { sqliteCode } from "./file/driver.ts";
import { VERSIONS } from "./file/migrate.ts";
import type { Store } from "./file/store.ts";
import { journalled, listOf, TABLE_NAMES } from "./file/tables.ts";
import { type Entry, imageOf, stepBack } from "./journal/images.ts";

// Reads that look for flaws that no write of ours leaves. Each returns a line for every flaw.

/** The number of the file's format; today's is `VERSIONS.length`. */
export function formatOf(store: Store): number {
  return Number(store.list("PRAGMA user_version")[0]);
}

/** Whether an older version wrote the file and no newer one has opened it: today's reads do not fit it. */
export function isOlderFormat(store: Store): boolean {
  return formatOf(store) < VERSIONS.length;
}

/** Pages and indexes that SQLite finds damaged, at most 100. */
export function listDamage(store: Store): string[] {
  try {
    return store.list<string>("PRAGMA integrity_check").filter((line) => line !== "ok");
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
    return [(error as Error).message];
  }
}

/** Rows that name a row that does not exist. */
export function listBrokenReferences(store: Store): string[] {
  return store.list(
    `SELECT count(*) || ' in ' || "table" || ' without their row in ' || parent FROM pragma_foreign_key_check
     GROUP BY "table", parent ORDER BY "table", parent`,
  );
}

/** Ranks that two rows of one list share: nothing can be put between them. */
export function listTwinRanks(store: Store): string[] {
  return TABLE_NAMES.flatMap((table) => {
    const list = listOf(table);
    if (list === undefined) return [];
    return store.list<string>(
      `SELECT '${table} of ' || "${list}" || ' at ' || rank FROM ${table} GROUP BY "${list}", rank HAVING count(*) > 1
       ORDER BY "${list}", rank`,
    );
  });
}

/** Chapters whose counts or position differ from what their rows add up to. */
export function listBrokenCounts(store: Store): string[] {
  return store.list(
    `WITH b AS (SELECT chapter_id, sum(words) AS words FROM blocks GROUP BY 1),
       l AS (SELECT chapter_id, count(*) AS leaves FROM leaves GROUP BY 1),
       m AS (SELECT chapter_id, count(*) AS mentions FROM mentions GROUP BY 1),
       o AS (SELECT id, row_number() OVER (PARTITION BY book_id ORDER BY rank, id) AS place FROM chapters)
     SELECT 'the counts of ' || c.id FROM chapters c JOIN o USING(id) LEFT JOIN b ON b.chapter_id = c.id LEFT JOIN l ON l.chapter_id = c.id
       LEFT JOIN m ON m.chapter_id = c.id
     WHERE c.word_count <> coalesce(b.words, 0) OR c.block_count <> coalesce(l.leaves, 0)
       OR c.mention_count <> coalesce(m.mentions, 0) OR c.position <> o.place ORDER BY c.id`,
  );
}

/** The flaw of an anchor whose paragraph does not exist. */
export const PARAGRAPH_GONE = "its paragraph is gone";

/** Anchors whose paragraph does not exist, or is of another chapter or book. */
export function listLostAnchors(store: Store): string[] {
  const why = `iif(l.id IS NULL, '${PARAGRAPH_GONE}', 'its paragraph is of another chapter')`;
  return store.list(
    `SELECT m.id || ': ' || ${why} FROM mentions m LEFT JOIN leaves l ON l.id = m.block_id WHERE l.chapter_id IS NOT m.chapter_id
     UNION ALL SELECT m.id || ': its fact is of another book' FROM mentions m JOIN facts f ON f.id = m.fact_id
       JOIN chapters c ON c.id = m.chapter_id WHERE f.book_id <> c.book_id
     UNION ALL SELECT s.id || ': ' || ${why} FROM snippets s
       LEFT JOIN leaves l ON l.id = s.block_id WHERE s.block_id IS NOT NULL AND l.chapter_id IS NOT s.chapter_id
     UNION ALL SELECT s.id || ': its chapter is of another book' FROM snippets s JOIN chapters c ON c.id = s.chapter_id
       WHERE c.book_id <> s.book_id
     UNION ALL SELECT c.id || ': its part is of another book' FROM chapters c JOIN parts p ON p.id = c.part_id
       WHERE p.book_id <> c.book_id`,
  );
}

/** Leaves whose row holds them in another chapter. */
export function listStrayLeaves(store: Store): string[] {
  return store.list(
    `SELECT 'paragraph ' || l.id || ' is of another chapter than its row' FROM leaves l LEFT JOIN blocks b ON b.id = l.row_id
     WHERE b.chapter_id IS NOT l.chapter_id ORDER BY l.id`,
  );
}

/** How often a query of `listBrokenHistory` may name one kind of flaw. */
const MOST = 20;

/**
 * Flaws of the history: entries without their act, rows whose insert or delete is not in the journal, chapters whose
 * revision it does not know. With such a history an undo would not restore what there was. `between` is called before each query, with how far it has come.
 */
export function listBrokenHistory(store: Store, between: ProgressStep = () => {}): string[] {
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
    // An undo writes these values, column by column.
    `SELECT DISTINCT 'what the entry ' || seq || ' of the journal holds' FROM journal,
       json_each(iif(json_valid(before), before, '{"":[]}')) e WHERE before IS NOT NULL
       AND (e.type NOT IN ('text', 'integer', 'null', iif(tbl = 'blocks' AND e.key IN ('node', 'source'), 'array', '')) OR tbl || '.' || e.key NOT IN (SELECT value FROM json_each('${columns}')))`,
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
  const told = share(between, 0, 50);
  const broken = queries.flatMap((sql, index) => {
    told(index, queries.length);
    return store.list<string>(`${sql} LIMIT ${MOST}`);
  });
  return [...broken, ...listBrokenTexts(store, share(between, 50, 100))];
}

/** Blocks whose former texts do not lead back to the first. About 5 µs a save. */
function listBrokenTexts(store: Store, between: ProgressStep): string[] {
  const ids = store.list<string>(
    "SELECT DISTINCT row_id FROM journal WHERE tbl = 'blocks' AND op = 'update'",
  );
  return ids
    .filter((id, index) => {
      between(index, ids.length);
      return !isReadable(store, id);
    })
    .map((id) => `the former texts of blocks ${id}`)
    .slice(0, MOST);
}

function isReadable(store: Store, id: string): boolean {
  try {
    store.snapshot(() => store.all<Entry>(ENTRIES_OF, id).reduce(stepBack, imageOf(store, "blocks", id)));
    return true;
  } catch (error) {
    if (error instanceof Damaged) return false;
    throw error;
  }
}

const ENTRIES_OF = "SELECT op, before FROM journal WHERE row_id = ? AND tbl = 'blocks' ORDER BY seq DESC";
