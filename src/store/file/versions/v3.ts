/**
 * Version 3: what is stored says by itself whether it is what was written; the answers to requests with an
 * `Idempotency-Key`. Frozen with the release that ships it.
 */
export const V3 = `
ALTER TABLE books ADD COLUMN hash INTEGER NOT NULL DEFAULT 0;
ALTER TABLE books ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE goals ADD COLUMN hash INTEGER NOT NULL DEFAULT 0;
ALTER TABLE parts ADD COLUMN hash INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chapters ADD COLUMN digest INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chapters ADD COLUMN hash INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chapters ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE blocks ADD COLUMN hash INTEGER NOT NULL DEFAULT 0;
ALTER TABLE blocks ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE facts ADD COLUMN hash INTEGER NOT NULL DEFAULT 0;
ALTER TABLE facts ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE fact_merges ADD COLUMN hash INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mentions ADD COLUMN hash INTEGER NOT NULL DEFAULT 0;
ALTER TABLE snippets ADD COLUMN hash INTEGER NOT NULL DEFAULT 0;
ALTER TABLE snippets ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE dismissals ADD COLUMN hash INTEGER NOT NULL DEFAULT 0;
ALTER TABLE acts ADD COLUMN hash INTEGER NOT NULL DEFAULT 0;
ALTER TABLE progress ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE working_copies ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE current_act ADD COLUMN at_once INTEGER;
UPDATE current_act SET seq = 0;
DROP TRIGGER journal_blocks_insert;
DROP TRIGGER journal_blocks_delete;
DROP TRIGGER journal_blocks_update;
DROP TRIGGER count_block_insert;
DROP TRIGGER count_block_delete;
DROP TRIGGER count_block_update;
DROP TRIGGER count_leaf_insert;
DROP TRIGGER count_leaf_delete;
DROP TRIGGER count_mention_insert;
DROP TRIGGER count_mention_delete;
UPDATE books SET hash = row_hash('books', books."id", books."title", books."manifest", books."created_at"), seal = row_hash('books', books."id", books."updated_at");
UPDATE goals SET hash = row_hash('goals', goals."id", goals."book_id", goals."target_words", goals."deadline", goals."daily_words");
UPDATE parts SET hash = row_hash('parts', parts."id", parts."book_id", parts."rank", parts."title", parts."created_at");
UPDATE blocks SET hash = row_hash('blocks', blocks."id", blocks."chapter_id", blocks."rank", blocks."node", blocks."source", blocks."gap"), seal = row_hash('blocks', blocks."id", blocks."type", blocks."text", blocks."words", coalesce((SELECT group_concat(k.id, ' ') FROM (SELECT id, place FROM leaves WHERE row_id = blocks.id ORDER BY place) l CROSS JOIN leaves k ON k.id = l.id AND k.row_id = blocks.id AND k.chapter_id = blocks.chapter_id), ''));
UPDATE facts SET hash = row_hash('facts', facts."id", facts."book_id", facts."name", facts."kind", facts."aliases", facts."attributes", facts."summary", facts."created_at"), seal = row_hash('facts', facts."id", facts."updated_at");
UPDATE fact_merges SET hash = row_hash('fact_merges', fact_merges."id", fact_merges."book_id", fact_merges."fact_id");
UPDATE mentions SET hash = row_hash('mentions', mentions."id", mentions."fact_id", mentions."chapter_id", mentions."block_id", mentions."start", mentions."end", mentions."text");
UPDATE snippets SET hash = row_hash('snippets', snippets."id", snippets."book_id", snippets."chapter_id", snippets."block_id", snippets."rank", snippets."kind", snippets."text", snippets."url", snippets."items", snippets."detached", snippets."created_at"), seal = row_hash('snippets', snippets."id", snippets."updated_at");
UPDATE dismissals SET hash = row_hash('dismissals', dismissals."id", dismissals."book_id", dismissals."finding");
UPDATE chapters SET digest = ((SELECT (((coalesce(sum((hash + seal) >> 24), 0) & 16777215) << 24) + coalesce(sum((hash + seal) & 16777215), 0)) FROM blocks WHERE chapter_id = chapters.id) + (SELECT (((coalesce(sum(hash >> 24), 0) & 16777215) << 24) + coalesce(sum(hash & 16777215), 0)) FROM mentions WHERE chapter_id = chapters.id)) & 281474976710655;
UPDATE chapters SET hash = row_hash('chapters', chapters."id", chapters."book_id", chapters."part_id", chapters."rank", chapters."title", chapters."status", chapters."synopsis", chapters."file", chapters."front_matter", chapters."bom", chapters."eol", chapters."head", chapters."created_at"), seal = row_hash('chapters', chapters."id", chapters."position", chapters."revision", chapters."version", chapters."word_count", chapters."block_count", chapters."mention_count", chapters."updated_at", chapters."digest");
UPDATE progress AS p SET seal = row_hash('progress', p.act, p.book_id, p.date, p.added, p.removed, p.imported);
UPDATE acts AS a SET hash = row_hash('acts', a.seq, a.id, a.at, a.kind, a.source, a.key_id, a.undoes, a.schema,
  (SELECT group_concat(j.seq || ' ' || j.tbl || ' ' || j.row_id || ' ' || j.op || ' ' || coalesce(j.chapter, '') || ' ' || coalesce(j.chapter_after, ''), ',') FROM (SELECT * FROM journal WHERE act = a.seq ORDER BY seq) j),
  (SELECT rows_hash(j.before) FROM (SELECT before FROM journal WHERE act = a.seq AND before IS NOT NULL ORDER BY seq) j),
  (SELECT group_concat(r.chapter_id || ' ' || r.revision || ' ' || r.word_count || ' ' || r.added || ' ' || r.removed, ',') FROM (SELECT * FROM revisions WHERE act = a.seq ORDER BY chapter_id, revision) r),
  (SELECT group_concat(p.book_id || ' ' || p.date || ' ' || p.added || ' ' || p.removed || ' ' || p.imported, ',') FROM (SELECT * FROM progress WHERE act = a.seq ORDER BY book_id, date, added, removed, imported) p));
UPDATE working_copies AS w SET seal = row_hash('working_copies', w.folder, w.book_id, w.act, w.chapter_id, w.file, w.hash, w.written, w.revision, w.title, w.status, w.synopsis, w.part, w.text, w.stored);
UPDATE current_act SET seq = NULL;
CREATE TRIGGER journal_blocks_insert AFTER INSERT ON blocks WHEN (SELECT at_once FROM current_act) IS NULL BEGIN INSERT INTO journal(act, tbl, row_id, op, chapter, chapter_after, before) VALUES((SELECT seq FROM current_act), 'blocks', NEW.id, 'insert', NEW."chapter_id", NULL, NULL); END;
CREATE TRIGGER journal_blocks_delete AFTER DELETE ON blocks WHEN (SELECT at_once FROM current_act) IS NULL BEGIN INSERT INTO journal(act, tbl, row_id, op, chapter, chapter_after, before) VALUES((SELECT seq FROM current_act), 'blocks', OLD.id, 'delete', OLD."chapter_id", NULL, json_object('chapter_id', OLD."chapter_id", 'rank', OLD."rank", 'node', OLD."node", 'source', OLD."source", 'gap', OLD."gap")); END;
CREATE TRIGGER journal_blocks_update AFTER UPDATE ON blocks WHEN (SELECT at_once FROM current_act) IS NULL AND (OLD."chapter_id" IS NOT NEW."chapter_id" OR OLD."rank" IS NOT NEW."rank" OR OLD."node" IS NOT NEW."node" OR OLD."source" IS NOT NEW."source" OR OLD."gap" IS NOT NEW."gap") BEGIN INSERT INTO journal(act, tbl, row_id, op, chapter, chapter_after, before) VALUES((SELECT seq FROM current_act), 'blocks', NEW.id, 'update', OLD."chapter_id", iif(OLD."chapter_id" IS NOT NEW."chapter_id", NEW."chapter_id", NULL), iif(OLD."chapter_id" IS NOT NEW."chapter_id", json_object('chapter_id', OLD."chapter_id", 'rank', OLD."rank", 'node', OLD."node", 'source', OLD."source", 'gap', OLD."gap"), (SELECT json_group_object(k, v) FROM (SELECT 'chapter_id' AS k, OLD."chapter_id" AS v WHERE OLD."chapter_id" IS NOT NEW."chapter_id" UNION ALL SELECT 'rank' AS k, OLD."rank" AS v WHERE OLD."rank" IS NOT NEW."rank" UNION ALL SELECT 'node' AS k, OLD."node" AS v WHERE OLD."node" IS NOT NEW."node" UNION ALL SELECT 'source' AS k, OLD."source" AS v WHERE OLD."source" IS NOT NEW."source" UNION ALL SELECT 'gap' AS k, OLD."gap" AS v WHERE OLD."gap" IS NOT NEW."gap")))); END;
CREATE TRIGGER count_block_insert AFTER INSERT ON blocks WHEN (SELECT at_once FROM current_act) IS NULL BEGIN UPDATE chapters SET word_count = word_count + NEW.words, digest = (digest + NEW.hash + NEW.seal) & 281474976710655, seal = 0 WHERE id = NEW.chapter_id; END;
CREATE TRIGGER count_block_delete AFTER DELETE ON blocks WHEN (SELECT at_once FROM current_act) IS NULL BEGIN UPDATE chapters SET word_count = word_count - OLD.words, digest = (digest - OLD.hash - OLD.seal) & 281474976710655, seal = 0 WHERE id = OLD.chapter_id; END;
CREATE TRIGGER count_block_update AFTER UPDATE OF words, hash, seal, chapter_id ON blocks WHEN (SELECT at_once FROM current_act) IS NULL AND (OLD.words <> NEW.words OR OLD.hash <> NEW.hash OR OLD.seal <> NEW.seal OR OLD.chapter_id <> NEW.chapter_id) BEGIN UPDATE chapters SET word_count = word_count - OLD.words, digest = (digest - OLD.hash - OLD.seal) & 281474976710655, seal = 0 WHERE id = OLD.chapter_id; UPDATE chapters SET word_count = word_count + NEW.words, digest = (digest + NEW.hash + NEW.seal) & 281474976710655, seal = 0 WHERE id = NEW.chapter_id; END;
CREATE TRIGGER count_leaf_insert AFTER INSERT ON leaves WHEN (SELECT at_once FROM current_act) IS NULL BEGIN UPDATE chapters SET block_count = block_count + 1, seal = 0 WHERE id = NEW.chapter_id; END;
CREATE TRIGGER count_leaf_delete AFTER DELETE ON leaves WHEN (SELECT at_once FROM current_act) IS NULL BEGIN UPDATE chapters SET block_count = block_count - 1, seal = 0 WHERE id = OLD.chapter_id; END;
CREATE TRIGGER count_mention_insert AFTER INSERT ON mentions BEGIN UPDATE chapters SET mention_count = mention_count + 1, digest = (digest + NEW.hash) & 281474976710655, seal = 0 WHERE id = NEW.chapter_id; END;
CREATE TRIGGER count_mention_delete AFTER DELETE ON mentions BEGIN UPDATE chapters SET mention_count = mention_count - 1, digest = (digest - OLD.hash) & 281474976710655, seal = 0 WHERE id = OLD.chapter_id; END;
CREATE TRIGGER count_mention_update AFTER UPDATE OF hash ON mentions WHEN OLD.hash <> NEW.hash BEGIN UPDATE chapters SET digest = (digest - OLD.hash + NEW.hash) & 281474976710655, seal = 0 WHERE id = NEW.chapter_id; END;
CREATE TABLE replays(key_id TEXT NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL, fingerprint TEXT NOT NULL, reply BLOB, PRIMARY KEY(key_id, key)) STRICT;
CREATE INDEX replays_at ON replays(at);
`;
