import type { STATUSES } from "../../contract/enums.ts";
import type { AnswerOf } from "../../contract/index.ts";
import type { BookId, ChapterId, PartId } from "../../ids.ts";
import type { Store } from "../file/store.ts";
import { columnsWhere } from "../file/tables.ts";
import { assertChapter } from "./integrity.ts";
import { deleteBlocks } from "./write-blocks.ts";

/** How far a chapter is. */
export type Status = (typeof STATUSES)[number];

/** A chapter as stored, without its blocks; times in milliseconds since 1970. */
export interface ChapterRow {
  id: ChapterId;
  bookId: BookId;
  partId: PartId | null;
  rank: string;
  title: string;
  position: number;
  status: Status;
  synopsis: string;
  file: string | null;
  frontMatter: string;
  /** 1 if the file began with a byte order mark. */
  bom: number;
  eol: "lf" | "crlf" | "mixed";
  head: string;
  wordCount: number;
  blockCount: number;
  mentionCount: number;
  revision: number;
  /** Counts changes of anything that any format of the chapter shows. */
  version: number;
  /** Tells one state of all its blocks and mentions from another. */
  digest: number;
  createdAt: number;
  updatedAt: number;
}

/** The columns that a new chapter needs; the others are counted. */
export type NewChapter = Omit<
  ChapterRow,
  "position" | "wordCount" | "blockCount" | "mentionCount" | "revision" | "version" | "digest" | "updatedAt"
>;

const inCamelCase = (column: string) =>
  column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const STORED = columnsWhere((name) => name !== "hash" && name !== "seal").get("chapters")!; // every table is in it
const COLUMNS = ["id", ...STORED].map((column) => `${column} AS ${inCamelCase(column)}`).join(", ");

/** The chapter without its blocks, or undefined. */
export function findChapter(store: Store, id: ChapterId): ChapterRow | undefined {
  return store.get<ChapterRow>(`SELECT ${COLUMNS} FROM chapters WHERE id = ?`, id);
}

/** A book's chapters in reading order. */
export function listChapters(store: Store, bookId: BookId): ChapterRow[] {
  return store.all<ChapterRow>(`SELECT ${COLUMNS} FROM chapters WHERE book_id = ? ORDER BY rank, id`, bookId);
}

/** Where a book's chapters stand, in reading order: of 10,000 of them a tenth of the cost of `listChapters`. */
export function listPlaces(store: Store, bookId: BookId): Pick<ChapterRow, "id" | "partId" | "rank">[] {
  return store.all(
    "SELECT id, part_id AS partId, rank FROM chapters WHERE book_id = ? ORDER BY rank, id",
    bookId,
  );
}

/** Whether any chapter of the file has more leaves than that. */
export function hasLongerChapter(store: Store, leaves: number): boolean {
  return store.get("SELECT 1 FROM chapters WHERE block_count > ? LIMIT 1", leaves) !== undefined;
}

/** Adds a chapter without blocks; its position and counts follow at the end of the act. */
export function insertChapter(store: Store, chapter: NewChapter): void {
  store.run(
    `INSERT INTO chapters(id, book_id, part_id, rank, title, status, synopsis, file, front_matter, bom, eol, head, created_at)
     VALUES(:id, :bookId, :partId, :rank, :title, :status, :synopsis, :file, :frontMatter, :bom, :eol, :head, :createdAt)`,
    chapter,
  );
}

/** The columns that a write may set; each by its name in `ChapterRow`. */
const SETTABLE = {
  partId: "part_id",
  rank: "rank",
  title: "title",
  status: "status",
  synopsis: "synopsis",
  file: "file",
  frontMatter: "front_matter",
  bom: "bom",
  eol: "eol",
  head: "head",
} as const;

/** Sets these columns and no others. */
export function updateChapter(
  store: Store,
  id: ChapterId,
  columns: Partial<Pick<ChapterRow, keyof typeof SETTABLE>>,
): void {
  const names = (Object.keys(columns) as (keyof typeof SETTABLE)[]).filter(
    (name) => columns[name] !== undefined,
  );
  if (names.length === 0) return;
  assertChapter(store, id); // else what is damaged beside it would count as written
  store.run(
    `UPDATE chapters SET ${names.map((name) => `${SETTABLE[name]} = ?`).join(", ")} WHERE id = ?`,
    ...names.map((name) => columns[name]),
    id,
  );
}

/** Deletes a chapter with its blocks; mentions must be deleted and marginalia detached in the same act. */
export function deleteChapter(store: Store, id: ChapterId): void {
  assertChapter(store, id);
  deleteBlocks(store, [id]);
  // What was proposed for it goes with it, and comes back with it.
  store.run(
    "DELETE FROM proposed_edits WHERE proposal_id IN (SELECT id FROM proposals WHERE chapter_id = ?)",
    id,
  );
  store.run("DELETE FROM proposals WHERE chapter_id = ?", id);
  store.run("DELETE FROM chapters WHERE id = ?", id);
}

// Prose never becomes a JavaScript string on its way out: each of these is one statement that returns the finished JSON
// as bytes. Measured: a 64 KB document 23 µs instead of 519.

/** An SQL expression for each key of an object, each of JSON. A key too few or too many does not compile. */
type Columns<Shape> = Readonly<Record<keyof Shape, string>>;
type Variant<Key extends string> = Extract<AnswerOf<"readChapter">, Record<Key, unknown>>;
type Meta = Omit<Variant<"text">, "text">;

const time = (column: string) =>
  `json_quote(strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch'))`;
const text = (column: string) => `json_quote(${column})`;

const META: Columns<Meta> = {
  id: text("c.id"),
  bookId: text("c.book_id"),
  partId: text("c.part_id"),
  title: text("c.title"),
  position: "c.position",
  status: text("c.status"),
  synopsis: text("c.synopsis"),
  wordCount: "c.word_count",
  blockCount: "c.block_count",
  revision: "c.revision",
  createdAt: time("c.created_at"),
  updatedAt: time("c.updated_at"),
};

const inOrder = (expression: string, separator: string) =>
  `coalesce((SELECT group_concat(${expression}, ${separator}) FROM (SELECT * FROM blocks WHERE chapter_id = c.id ORDER BY rank, id) b), '')`;

const LF = "char(10)";
/** A chapter's Markdown in SQL, of the lines of its blocks. A byte order mark belongs before the front matter, if there is any. */
const markdownSql = (lines: string): string =>
  `iif(c.bom = 1 AND c.front_matter = '', char(65279), '') || (SELECT iif(c.eol = 'crlf', replace(lines, ${LF}, char(13, 10)), lines) FROM (SELECT c.head || ${lines} AS lines))`;
const MARKDOWN = markdownSql(inOrder("b.source || b.gap", "''"));

const PROSE = {
  text: text(inOrder("b.text", "char(10, 10)")),
  doc: `'{"type":"doc","content":[' || ${inOrder("b.node", "','")} || ']}'`,
  markdown: text(MARKDOWN),
} as const;

function object(columns: Readonly<Record<string, string>>): string {
  const fields = Object.entries(columns).map(
    ([key, value], index) => `'${index ? "," : ""}"${key}":' || ${value}`,
  );
  return `'{' || ${fields.join(" || ")} || '}'`;
}

const CHAPTER = {
  text: chapterSql({ ...META, text: PROSE.text } satisfies Columns<Variant<"text">>),
  doc: chapterSql({ ...META, doc: PROSE.doc } satisfies Columns<Variant<"doc">>),
  markdown: chapterSql({ ...META, markdown: PROSE.markdown } satisfies Columns<Variant<"markdown">>),
  /** Without prose. */
  none: chapterSql(META),
} as const;

function chapterSql(columns: Readonly<Record<string, string>>): string {
  return readingSql(object(columns));
}

function readingSql(body: string): string {
  return `SELECT c.revision, c.version, c.mention_count AS mentionCount, CAST(${body} AS BLOB) AS body FROM chapters c WHERE c.id = ?`;
}

const BARE = readingSql(MARKDOWN);

/** What a chapter's ETag is made of. */
export interface ChapterVersion {
  revision: number;
  version: number;
  mentionCount: number;
}

/** A finished body and the version of the chapter that it shows: one statement, so both are of one moment. */
export interface ChapterReading extends ChapterVersion {
  body: Buffer;
}

/** The chapter's version, words and title; undefined if there is no such chapter. The cheapest read of a chapter. */
export function readChapterVersion(
  store: Store,
  id: ChapterId,
): (ChapterVersion & Pick<ChapterRow, "wordCount" | "title">) | undefined {
  return store.get(
    "SELECT revision, version, mention_count AS mentionCount, word_count AS wordCount, title FROM chapters WHERE id = ?",
    id,
  );
}

/** The JSON body of a chapter. Its document comes without mention marks: weave them in if the chapter has any. */
export function readChapterBody(
  store: Store,
  id: ChapterId,
  format: keyof typeof CHAPTER,
): ChapterReading | undefined {
  assertChapter(store, id);
  return store.get<ChapterReading>(CHAPTER[format], id);
}

/** The chapter's Markdown as bytes, without front matter. */
export function readMarkdownBytes(store: Store, id: ChapterId): ChapterReading | undefined {
  assertChapter(store, id);
  return store.get<ChapterReading>(BARE, id);
}

type Outline = AnswerOf<"readOutline">;

const OUTLINE_CHAPTER: Columns<Outline["chapters"][number]> = {
  id: META.id,
  partId: META.partId,
  position: META.position,
  title: META.title,
  status: META.status,
  wordCount: META.wordCount,
  synopsis: META.synopsis,
  revision: META.revision,
  updatedAt: META.updatedAt,
};

/** The `chapters` of an outline as JSON text, in reading order. */
export function readOutlineChapters(store: Store, bookId: BookId): string {
  const [json = "[]"] = store.list<string>(
    `SELECT '[' || coalesce(group_concat(${object(OUTLINE_CHAPTER)}, ','), '') || ']' FROM (SELECT * FROM chapters WHERE book_id = ? ORDER BY rank, id) c`,
    bookId,
  );
  return json;
}
