import { connect } from "../../../src/store/file/driver.ts";
import type { Bench } from "./ways.ts";

/** A paragraph written by SQL alone. */
export interface Floor {
  write(blockId: string, text: string): void;
  close(): void;
}

/**
 * The same rows changed by as few statements as can be, in one transaction that is synced, and nothing else: nothing is read,
 * parsed, checked, hashed or answered. Everything that the rows get is the same each time but what has to differ.
 */
export function openFloor({ file, chapterId }: Bench): Floor {
  const db = connect(file);
  for (const setting of ["synchronous = FULL", "foreign_keys = ON", "cache_size = -65536"])
    db.pragma(setting);
  const bookId = db.prepare("SELECT id FROM books").pluck().get() as string;
  const rows = new Map(db.prepare("SELECT id, row_id FROM leaves").raw().all() as [string, string][]);
  // A few words typed, as the history holds them.
  const before = JSON.stringify({
    node: [120, "a few words", 300, 12345],
    source: [80, "a few words", 200, 12345],
  });
  const chapterNo = db.prepare("SELECT no FROM ids WHERE id = ?").pluck().get(chapterId);
  let revision = db.prepare("SELECT max(revision) FROM revisions").pluck().get() as number;
  const run = (sql: string) => {
    const statement = db.prepare(sql);
    return (...values: unknown[]) => statement.run(...values);
  };
  const begin = run("BEGIN IMMEDIATE");
  const act = run(
    "INSERT INTO acts(id, at, kind, source, schema) VALUES(?, 1, 'replaceParagraph', 'cli', 5)",
  );
  const open = run("UPDATE current_act SET seq = ?, at_once = 1");
  const journal = run(
    `INSERT INTO journal_entries(act, tbl, row_no, op, chapter_no, before) VALUES(?, 'blocks', (SELECT no FROM ids WHERE id = ?), 'update', ${chapterNo}, ?)`,
  );
  const block = run(
    "UPDATE blocks SET node = ?, source = ?, text = ?, words = 20, hash = 123456789012345, seal = 123456789012345 WHERE id = ?",
  );
  const chapter = run(
    `UPDATE chapters SET revision = ?, word_count = 5000, digest = 1, updated_at = 1, seal = 1 WHERE id = '${chapterId}'`,
  );
  const revised = run(
    `INSERT INTO revision_entries(chapter_no, revision, act, word_count, added, removed) VALUES(${chapterNo}, ?, ?, 5000, 20, 20)`,
  );
  const book = run(`UPDATE books SET updated_at = 1, seal = 1 WHERE id = '${bookId}'`);
  const shut = run("UPDATE current_act SET seq = NULL, at_once = NULL");
  const stamp = run("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'manuscript_commits'");
  const commit = run("COMMIT");
  return {
    write: (blockId, text) => {
      const rowId = rows.get(blockId);
      begin();
      const { lastInsertRowid: seq } = act(`ac_${String(Math.random()).slice(2, 18)}`);
      open(seq);
      journal(seq, rowId, before);
      block(
        `{"type":"paragraph","content":[{"type":"text","text":${JSON.stringify(text)}}]}`,
        text,
        text,
        rowId,
      );
      chapter(++revision);
      revised(revision, seq);
      book();
      shut();
      stamp();
      commit();
    },
    close: () => db.close(),
  };
}
