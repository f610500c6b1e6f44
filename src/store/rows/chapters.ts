import type { STATUSES } from "../../contract/enums.ts";
import type { BookId, ChapterId, PartId } from "../../ids.ts";
import type { Store } from "../file/store.ts";
import { columnsWhere } from "../schema/tables.ts";
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
