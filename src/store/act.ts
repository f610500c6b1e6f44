import type { ChapterId } from "../ids.ts";
import type { Act, Store } from "./store.ts";

/**
 * Brings every derived column in step with what the act changed: positions, revisions, versions and times. It reads
 * the act's own journal, so no write can forget it. Runs before the commit of every act.
 */
export function settleAct(store: Store, act: Act): void {
  for (const bookId of reordered(store, act.seq)) renumber(store, bookId);
  const prose = new Set([...chaptersWithNewProse(store, act.seq), ...act.revised]);
  for (const chapterId of prose) raiseRevision(store, act, chapterId);
  for (const chapterId of chaptersTouched(store, act.seq)) raiseVersion(store, act, chapterId);
  touchBooks(store, act);
  for (const table of ["books", "facts", "snippets"]) {
    store.run(
      `UPDATE ${table} SET updated_at = ? WHERE id IN (SELECT row_id FROM journal WHERE act = ? AND tbl = '${table}')`,
      act.at,
      act.seq,
    );
  }
}

/** Whether an act has changed nothing that the writer made. */
export function isEmptyAct(store: Store, seq: number): boolean {
  return store.get("SELECT 1 FROM journal WHERE act = ?", seq) === undefined;
}

/** Takes an act without changes back out; what it has compared stays known. */
export function forgetAct(store: Store, seq: number): void {
  for (const table of ["exchanges", "exchanged_files"]) {
    store.run(`UPDATE ${table} SET act = NULL WHERE act = ?`, seq);
  }
  store.run("DELETE FROM progress WHERE act = ?", seq);
  store.run("DELETE FROM acts WHERE seq = ?", seq);
}

/** Books whose list of chapters gained, lost or moved one. */
function reordered(store: Store, seq: number): string[] {
  return store
    .prepare(
      `SELECT DISTINCT coalesce(c.book_id, json_extract(j.before, '$.book_id')) FROM journal j LEFT JOIN chapters c ON c.id = j.row_id
       WHERE j.act = ? AND j.tbl = 'chapters' AND (j.op <> 'update' OR json_type(j.before, '$.rank') IS NOT NULL)
       AND coalesce(c.book_id, json_extract(j.before, '$.book_id')) IS NOT NULL`,
    )
    .pluck()
    .all(seq) as string[];
}

function renumber(store: Store, bookId: string): void {
  store.run(
    `UPDATE chapters SET position = o.place, version = version + 1
     FROM (SELECT id AS oid, row_number() OVER (ORDER BY rank, id) AS place FROM chapters WHERE book_id = ?) o
     WHERE id = o.oid AND position <> o.place`,
    bookId,
  );
}

/** A book has changed where anything in it has. */
function touchBooks(store: Store, act: Act): void {
  for (const table of ["goals", "parts", "chapters", "facts", "snippets"]) {
    store.run(
      `UPDATE books SET updated_at = ? WHERE id IN (
         SELECT coalesce(t.book_id, json_extract(j.before, '$.book_id')) FROM journal j LEFT JOIN ${table} t ON t.id = j.row_id
         WHERE j.act = ? AND j.tbl = '${table}')`,
      act.at,
      act.seq,
    );
  }
}

/** Chapters whose Markdown an act changed, those that are gone by now among them. */
export function chaptersWithNewProse(store: Store, seq: number): ChapterId[] {
  return store
    .prepare(
      `SELECT chapter FROM journal WHERE act = :seq AND tbl = 'blocks'
       UNION SELECT chapter_after FROM journal WHERE act = :seq AND tbl = 'blocks' AND chapter_after IS NOT NULL
       UNION SELECT row_id FROM journal WHERE act = :seq AND tbl = 'chapters' AND (op = 'insert' OR (op = 'update' AND
         (json_type(before, '$.head') IS NOT NULL OR json_type(before, '$.bom') IS NOT NULL OR json_type(before, '$.eol') IS NOT NULL)))`,
    )
    .pluck()
    .all({ seq }) as ChapterId[];
}

function chaptersTouched(store: Store, seq: number): string[] {
  return store
    .prepare(
      "SELECT DISTINCT chapter FROM journal WHERE act = ? AND tbl <> 'snippets' AND chapter IS NOT NULL",
    )
    .pluck()
    .all(seq) as string[];
}

// A number is never used twice, not even by a chapter that was deleted and brought back.
function raiseRevision(store: Store, act: Act, chapterId: string): void {
  const changed = store.run(
    `UPDATE chapters SET revision = 1 + max(revision, coalesce((SELECT max(revision) FROM revisions WHERE chapter_id = chapters.id), 0))
     WHERE id = ?`,
    chapterId,
  );
  if (changed === 0) return;
  const words = act.words.get(chapterId) ?? { added: 0, removed: 0 };
  store.run(
    `INSERT INTO revisions(chapter_id, revision, act, word_count, added, removed)
     SELECT id, revision, ?, word_count, ?, ? FROM chapters WHERE id = ?`,
    act.seq,
    words.added,
    words.removed,
    chapterId,
  );
}

function raiseVersion(store: Store, act: Act, chapterId: string): void {
  store.run("UPDATE chapters SET version = version + 1, updated_at = ? WHERE id = ?", act.at, chapterId);
  store.run(
    "UPDATE books SET updated_at = ? WHERE id = (SELECT book_id FROM chapters WHERE id = ?)",
    act.at,
    chapterId,
  );
}
