import { TABLE_NAMES, TABLES, type TableName } from "./tables.ts";
import { ONE_BY_ONE, triggersOf } from "./triggers.ts";

/** "MSCR" as a 32-bit number, at byte 68 of every manuscript. */
export const APPLICATION_ID = 0x4d534352;

function tableSql(name: TableName): string {
  const columns = Object.entries(TABLES[name].columns).map(([column, { sql, references }]) => {
    const key = references === undefined ? "" : ` REFERENCES ${references}(id) DEFERRABLE INITIALLY DEFERRED`;
    return `"${column}" ${sql}${key}`;
  });
  return `CREATE TABLE ${name}(id TEXT PRIMARY KEY NOT NULL, ${columns.join(", ")}) STRICT`;
}

// Outside the journal: what can be derived again, what is only ever appended to, and the account.
const OUTSIDE = [
  // Every leaf by its `blockId`: the row of `blocks` that it is in, and which of the leaves there.
  `CREATE TABLE leaves(id TEXT PRIMARY KEY NOT NULL, row_id TEXT NOT NULL REFERENCES blocks(id) DEFERRABLE INITIALLY DEFERRED, chapter_id TEXT NOT NULL, place INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
  // Every write: who asked for what and when, and the act that it undoes. `by_name` is who asked, if that was a program
  // without a key.
  `CREATE TABLE acts(seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, kind TEXT NOT NULL, source TEXT NOT NULL, key_id TEXT, undoes INTEGER, schema INTEGER NOT NULL, by_name TEXT) STRICT`,
  // The numbers by which the history names ids: each is written a thousand times in a paragraph's life.
  `CREATE TABLE ids(no INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT`,
  // A row as it was before an act changed it: JSON of the columns that changed, or of the whole row. A block's text may be a
  // list: how many UTF-16 units it shares with the start of the text after it, its own middle, how many with the end, a sum.
  `CREATE TABLE journal_entries(seq INTEGER PRIMARY KEY AUTOINCREMENT, act INTEGER NOT NULL, tbl TEXT NOT NULL, row_no INTEGER NOT NULL, op TEXT NOT NULL, chapter_no INTEGER, chapter_after_no INTEGER, before TEXT) STRICT`,
  // Which act made which revision of a chapter, and how many words it added and removed.
  `CREATE TABLE revision_entries(chapter_no INTEGER NOT NULL, revision INTEGER NOT NULL, act INTEGER NOT NULL, word_count INTEGER NOT NULL, added INTEGER NOT NULL, removed INTEGER NOT NULL, PRIMARY KEY(chapter_no, revision)) STRICT, WITHOUT ROWID`,
  // Words written, removed and imported by an act, on a day: days since 1970 in the writer's calendar.
  `CREATE TABLE progress_entries(act INTEGER NOT NULL, book_no INTEGER NOT NULL, day INTEGER NOT NULL, added INTEGER NOT NULL, removed INTEGER NOT NULL, imported INTEGER NOT NULL, PRIMARY KEY(act, book_no, day)) STRICT, WITHOUT ROWID`,
  // What a folder and the manuscript last had in common of a chapter's file, or of another file of the book.
  `CREATE TABLE working_copies(seq INTEGER PRIMARY KEY AUTOINCREMENT, folder TEXT NOT NULL, book_id TEXT NOT NULL, act INTEGER, chapter_id TEXT, file TEXT, hash TEXT NOT NULL, written INTEGER NOT NULL, revision INTEGER, title TEXT, status TEXT, synopsis TEXT, part TEXT, text TEXT, stored TEXT, seal INTEGER NOT NULL DEFAULT 0) STRICT`,
  // One row: the act that is running. The triggers write its number into the journal, and abort without it. `at_once` is 1
  // while many blocks are written, whose journal and counts are written for all of them together.
  `CREATE TABLE current_act(one INTEGER PRIMARY KEY CHECK(one = 1), seq INTEGER, at_once INTEGER) STRICT`,
  // By name: the plan and the language model as JSON, the name of the writer that keys begin with, of each chapter what AI
  // calls were paid for last; `page:…` for minutes: where it is served, and hashes that let the owner's page in.
  `CREATE TABLE settings(name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT`,
  // What a request with an `Idempotency-Key` was answered, for a day: compressed JSON, or NULL if that was too long to keep.
  `CREATE TABLE replays(key_id TEXT NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL, fingerprint TEXT NOT NULL, reply BLOB, PRIMARY KEY(key_id, key)) STRICT`,
  // Pictures that prose refers to, each once: by the SHA-256 of their bytes, in hexadecimal; `type` as a file's name would end.
  `CREATE TABLE pictures(hash TEXT PRIMARY KEY NOT NULL, type TEXT NOT NULL, size_bytes INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT`,
  // API keys, of which only the hash is known.
  `CREATE TABLE keys(id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, prefix TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, allow TEXT NOT NULL, created_at INTEGER NOT NULL, last_used_at INTEGER, expires_at INTEGER, revoked_at INTEGER) STRICT`,
  // Credits granted, held, drawn and given back; only ever appended to.
  `CREATE TABLE ledger(seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, kind TEXT NOT NULL CHECK(kind IN ('grant', 'expire', 'hold', 'settle', 'refund')), call TEXT, month TEXT NOT NULL, from_allowance INTEGER NOT NULL, from_credits INTEGER NOT NULL, operation TEXT, chapter_id TEXT, words INTEGER, engine TEXT) STRICT`,
  // Calls that run now and whose process can be asked after, to give back what a killed one held.
  `CREATE TABLE holds(call TEXT PRIMARY KEY NOT NULL, until INTEGER NOT NULL, machine TEXT NOT NULL, pid INTEGER NOT NULL, started INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
];

/**
 * Of a block that may hold link reference definitions: behind it, or inside a quote, list or footnote. A footnote's own
 * mark looks like one, so there it takes two.
 */
export const MAY_DEFINE = `instr(gap, ']:') > 0 OR (type IN ('blockquote', 'bullet_list', 'ordered_list') AND instr(source, ']:') > 0) OR (type = 'footnote' AND instr(substr(source, instr(source, ']:') + 2), ']:') > 0)`;

const INDEXES = [
  "CREATE INDEX parts_order ON parts(book_id, rank, id)",
  "CREATE INDEX chapters_order ON chapters(book_id, rank, id)",
  "CREATE INDEX chapters_part ON chapters(part_id)",
  "CREATE INDEX blocks_order ON blocks(chapter_id, rank, id)",
  // A paragraph is read with the few blocks of its chapter that define links, never with a scan.
  `CREATE INDEX blocks_definitions ON blocks(chapter_id) WHERE ${MAY_DEFINE}`,
  "CREATE INDEX leaves_row ON leaves(row_id, place)",
  "CREATE INDEX goals_book ON goals(book_id)",
  "CREATE INDEX facts_book ON facts(book_id)",
  "CREATE INDEX fact_merges_book ON fact_merges(book_id)",
  "CREATE INDEX fact_merges_fact ON fact_merges(fact_id)",
  "CREATE INDEX mentions_fact ON mentions(fact_id)",
  "CREATE INDEX mentions_chapter ON mentions(chapter_id)",
  "CREATE INDEX mentions_block ON mentions(block_id)",
  "CREATE INDEX snippets_order ON snippets(book_id, rank, id)",
  "CREATE INDEX snippets_chapter ON snippets(chapter_id)",
  "CREATE INDEX snippets_block ON snippets(block_id)",
  "CREATE INDEX dismissals_book ON dismissals(book_id)",
  "CREATE INDEX proposals_book ON proposals(book_id)",
  "CREATE INDEX proposals_chapter ON proposals(chapter_id)",
  "CREATE INDEX proposed_edits_proposal ON proposed_edits(proposal_id, place)",
  "CREATE INDEX milestones_book ON milestones(book_id)",
  "CREATE INDEX book_pictures_book ON book_pictures(book_id)",
  "CREATE INDEX acts_undoes ON acts(undoes) WHERE undoes IS NOT NULL",
  "CREATE INDEX ledger_call ON ledger(call) WHERE call IS NOT NULL",
  "CREATE INDEX journal_act ON journal_entries(act)",
  "CREATE INDEX journal_row ON journal_entries(row_no)",
  // With the row, so that the rows that were ever in a chapter are found without reading every save of them.
  "CREATE INDEX journal_chapter ON journal_entries(chapter_no, row_no) WHERE chapter_no IS NOT NULL",
  "CREATE INDEX journal_chapter_after ON journal_entries(chapter_after_no, row_no) WHERE chapter_after_no IS NOT NULL",
  "CREATE INDEX working_copies_place ON working_copies(folder, book_id, seq)",
  "CREATE INDEX working_copies_chapter ON working_copies(chapter_id, seq) WHERE chapter_id IS NOT NULL",
  "CREATE INDEX working_copies_file ON working_copies(file, seq) WHERE file IS NOT NULL",
  "CREATE INDEX replays_at ON replays(at)",
  "CREATE INDEX revisions_act ON revision_entries(act)",
  "CREATE INDEX progress_book ON progress_entries(book_no, day)",
];

// The history with its ids in words, for whoever reads it; what writes it writes the tables.
const VIEWS = [
  `CREATE VIEW journal(seq, act, tbl, row_id, op, chapter, chapter_after, before) AS SELECT e.seq, e.act, e.tbl, r.id, e.op, c.id, a.id, e.before FROM journal_entries e JOIN ids r ON r.no = e.row_no LEFT JOIN ids c ON c.no = e.chapter_no LEFT JOIN ids a ON a.no = e.chapter_after_no`,
  `CREATE VIEW revisions(chapter_id, revision, act, word_count, added, removed) AS SELECT i.id, e.revision, e.act, e.word_count, e.added, e.removed FROM revision_entries e JOIN ids i ON i.no = e.chapter_no`,
  `CREATE VIEW progress(act, book_id, date, added, removed, imported) AS SELECT e.act, i.id, date(e.day * 86400, 'unixepoch'), e.added, e.removed, e.imported FROM progress_entries e JOIN ids i ON i.no = e.book_no`,
];

// A digest is a sum: each row is taken off it and added to it by itself.
const DIGEST = (change: string) => `digest = (digest ${change}) & 281474976710655`;
const MOVED = "OLD.chapter_id <> NEW.chapter_id";

// Counts follow their rows by differences: a paragraph write costs the same in a chapter of any length.
const COUNTS = [
  `CREATE TRIGGER count_block_insert AFTER INSERT ON blocks WHEN ${ONE_BY_ONE} BEGIN UPDATE chapters SET word_count = word_count + NEW.words, ${DIGEST("+ NEW.hash + NEW.seal")}, seal = 0 WHERE id = NEW.chapter_id; END`,
  `CREATE TRIGGER count_block_delete AFTER DELETE ON blocks WHEN ${ONE_BY_ONE} BEGIN UPDATE chapters SET word_count = word_count - OLD.words, ${DIGEST("- OLD.hash - OLD.seal")}, seal = 0 WHERE id = OLD.chapter_id; END`,
  `CREATE TRIGGER count_block_update AFTER UPDATE OF words, hash, seal, chapter_id ON blocks WHEN ${ONE_BY_ONE} AND (OLD.words <> NEW.words OR OLD.hash <> NEW.hash OR OLD.seal <> NEW.seal OR ${MOVED}) BEGIN UPDATE chapters SET word_count = word_count - OLD.words, ${DIGEST("- OLD.hash - OLD.seal")}, seal = 0 WHERE id = OLD.chapter_id; UPDATE chapters SET word_count = word_count + NEW.words, ${DIGEST("+ NEW.hash + NEW.seal")}, seal = 0 WHERE id = NEW.chapter_id; END`,
  `CREATE TRIGGER count_leaf_insert AFTER INSERT ON leaves WHEN ${ONE_BY_ONE} BEGIN UPDATE chapters SET block_count = block_count + 1, seal = 0 WHERE id = NEW.chapter_id; END`,
  `CREATE TRIGGER count_leaf_delete AFTER DELETE ON leaves WHEN ${ONE_BY_ONE} BEGIN UPDATE chapters SET block_count = block_count - 1, seal = 0 WHERE id = OLD.chapter_id; END`,
  `CREATE TRIGGER count_mention_insert AFTER INSERT ON mentions BEGIN UPDATE chapters SET mention_count = mention_count + 1, ${DIGEST("+ NEW.hash")}, seal = 0 WHERE id = NEW.chapter_id; END`,
  `CREATE TRIGGER count_mention_delete AFTER DELETE ON mentions BEGIN UPDATE chapters SET mention_count = mention_count - 1, ${DIGEST("- OLD.hash")}, seal = 0 WHERE id = OLD.chapter_id; END`,
  `CREATE TRIGGER count_mention_update AFTER UPDATE OF hash ON mentions WHEN OLD.hash <> NEW.hash BEGIN UPDATE chapters SET ${DIGEST("- OLD.hash + NEW.hash")}, seal = 0 WHERE id = NEW.chapter_id; END`,
];

// What was spent is told by every entry together; one that could be changed would tell nothing.
const APPENDED = ["UPDATE", "DELETE"].map(
  (op) =>
    `CREATE TRIGGER ledger_${op.toLowerCase()} BEFORE ${op} ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is only appended to'); END`,
);

/** Every statement that makes an empty file of today's version, in order. What a file holds is compared with it. */
export const SCHEMA: readonly string[] = [
  ...TABLE_NAMES.map(tableSql),
  ...OUTSIDE,
  ...INDEXES,
  ...VIEWS,
  ...COUNTS,
  ...APPENDED,
  ...TABLE_NAMES.flatMap(triggersOf),
];

/** The rows that every file begins with. */
export const FIRST_ROWS: readonly string[] = ["INSERT INTO current_act(one, seq) VALUES(1, NULL)"];
