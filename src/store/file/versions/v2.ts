/** Version 2: what folders and manuscript have in common stands in one table. Frozen with the release that ships it. */
export const V2 = `
CREATE TABLE working_copies(seq INTEGER PRIMARY KEY AUTOINCREMENT, folder TEXT NOT NULL, book_id TEXT NOT NULL, act INTEGER, chapter_id TEXT, file TEXT, hash TEXT NOT NULL, written INTEGER NOT NULL, revision INTEGER, title TEXT, status TEXT, synopsis TEXT, part TEXT, text TEXT, stored TEXT) STRICT;
INSERT INTO working_copies(folder, book_id, act, chapter_id, file, hash, written, revision, title, status, synopsis, part, text)
  SELECT e.folder,
    coalesce(c.book_id, (SELECT json_extract(j.before, '$.book_id') FROM journal j WHERE j.row_id = e.chapter_id AND j.op = 'delete' ORDER BY j.seq DESC LIMIT 1), ''),
    e.act, e.chapter_id, e.file, e.hash, 0, e.revision, e.fields ->> '$.title', e.fields ->> '$.status', e.fields ->> '$.synopsis', e.fields ->> '$.part', e.text
  FROM exchanges e LEFT JOIN chapters c ON c.id = e.chapter_id ORDER BY e.seq;
INSERT INTO working_copies(folder, book_id, act, file, hash, written, text)
  SELECT folder, book_id, act, file,
    iif(file IN ('facts.yaml', 'notes.yaml'), coalesce(text ->> '$.hash', ''), ''), 0,
    iif(file IN ('facts.yaml', 'notes.yaml'), text -> '$.entries', text)
  FROM exchanged_files ORDER BY seq;
DROP TABLE exchanges;
DROP TABLE exchanged_files;
CREATE INDEX working_copies_place ON working_copies(folder, book_id, seq);
CREATE INDEX working_copies_chapter ON working_copies(chapter_id, seq) WHERE chapter_id IS NOT NULL;
CREATE INDEX working_copies_file ON working_copies(file, seq) WHERE file IS NOT NULL;
`;
