import { CHAPTER_FIELDS, type StoredChapter } from "../../book/book.ts";
import type { BaseEntry } from "../../book/match-entries.ts";
import type { BookId, ChapterId } from "../../ids.ts";
import { Busy } from "../../refusals.ts";
import { restoredAt } from "../../store/journal/history.ts";
import {
  type CopiedChapter,
  type CopiedText,
  type CopyPlace,
  findBookOfFile,
  isCopied,
  listCopied,
  listCopiesOf,
  listCopiesOfText,
  recordCopied,
} from "../../store/working-copies.ts";
import type { Manuscript } from "../manuscript.ts";

export { lockFolder } from "../../store/folder-lock.ts";
export type { CopiedChapter, CopiedText, CopyPlace } from "../../store/working-copies.ts";

/** Key for files of an export before their folder is known. */
export const ANYWHERE = "";

/** A folder's content of a book, as folder and manuscript last had it in common. */
export interface WorkingCopy {
  chapters: ReadonlyMap<ChapterId, CopiedChapter>;
  /** The book's list, facts and notes, by file. */
  texts: ReadonlyMap<string, CopiedText>;
}

/** Reads the working copy of a book in a folder; empty if there was no exchange. */
export function readWorkingCopy({ store }: Manuscript, place: CopyPlace): WorkingCopy {
  const { chapters, texts } = listCopied(store, place);
  return {
    chapters: new Map(chapters.map((row) => [row.chapterId, row])),
    texts: new Map(texts.map((row) => [row.file, row])),
  };
}

/** Returns the last file of each chapter in the folder, by id. */
export function filesOf(copy: WorkingCopy | undefined): Map<ChapterId, string | null> {
  return new Map([...(copy?.chapters ?? [])].map(([id, { file }]) => [id, file]));
}

/** True if a chapter's file is as this program last wrote it, and the chapter is as it was then. */
export function isChapterWritten(
  { chapters }: WorkingCopy,
  chapter: Pick<StoredChapter, "id" | "revision" | (typeof CHAPTER_FIELDS)[number]>,
  { file, hash }: { file: string; hash: string },
): boolean {
  const last = chapters.get(chapter.id);
  if (last?.isWritten !== 1 || last.hash !== hash || last.file !== file || last.text !== null) return false;
  return last.revision === chapter.revision && CHAPTER_FIELDS.every((key) => last[key] === chapter[key]);
}

/** Returns the imported file of a chapter, with its fields in the folder; undefined if it was made otherwise. */
export function originOf({ store }: Manuscript, chapterId: ChapterId): CopiedChapter | undefined {
  const oldest = listCopiesOf(store, chapterId).at(-1);
  return oldest?.act == null ? undefined : oldest;
}

/** Lists the folders that have had a chapter's file, with its name there; the newest first. */
export function foldersOfChapter(
  { store }: Manuscript,
  chapterId: ChapterId,
): { folder: string; file: string }[] {
  const found = new Map<string, string>();
  for (const { folder, file } of listCopiesOf(store, chapterId))
    if (folder !== ANYWHERE && file !== null && !found.has(folder)) found.set(folder, file);
  return [...found].map(([folder, file]) => ({ folder, file }));
}

/** True if a chapter was deleted and restored since the folder last had its file. */
export function isRestoredSince({ store }: Manuscript, { chapterId, revision }: CopiedChapter): boolean {
  return (restoredAt(store, chapterId) ?? 0) > revision;
}

/** Rows for recording files. */
export type Recorded = Parameters<typeof recordCopied>[2];

/**
 * Records files that this program writes. If another program is writing at this moment, nothing is recorded, and the
 * next exchange compares the files themselves.
 */
export function recordWritten({ store }: Manuscript, place: CopyPlace, written: Recorded): void {
  if (store.refusal !== undefined) return; // what can only be read can still be exported
  try {
    store.setAside(() => recordCopied(store, place, written, null));
  } catch (error) {
    if (!(error instanceof Busy)) throw error;
  }
}

/** True if an export or import has known a chapter's file with this hash, so that overwriting it loses nothing. */
export function isKnownFile({ store }: Manuscript, chapterId: ChapterId, hash: string): boolean {
  return listCopiesOf(store, chapterId).some((row) => row.hash === hash);
}

/** True if a file in any folder had this hash at an exchange, so that its text is not lost. */
export function isKnownHash({ store }: Manuscript, hash: string): boolean {
  return isCopied(store, hash);
}

/** True if an exchange before an act knew the file. */
export function wasKnown(
  { store }: Manuscript,
  {
    bookId,
    chapterId,
    file,
    hash,
  }: { bookId: BookId; chapterId: ChapterId | null; file: string; hash: string },
  act: number,
): boolean {
  const copies =
    chapterId === null ? listCopiesOfText(store, { bookId, file }) : listCopiesOf(store, chapterId);
  return copies.some((row) => row.hash === hash && row.act !== act);
}

/** True if an export or import has known a file of a book with this hash that is not a chapter's. */
export function isKnownText(
  { store }: Manuscript,
  where: { bookId: BookId; file: string },
  hash: string,
): boolean {
  return listCopiesOfText(store, where).some((row) => row.hash === hash);
}

/** Finds the book of a folder's files: that of the first file with a known book that still exists. */
export function bookOfFiles(
  { store }: Manuscript,
  folder: string,
  files: readonly string[],
): BookId | undefined {
  for (const file of files) {
    const bookId = findBookOfFile(store, folder, file);
    if (bookId !== undefined) return bookId;
  }
  return undefined;
}

/** Returns the entries of a working copy, as both sides had them in common. */
export function readCopiedEntries<Fields>({ text }: Pick<CopiedText, "text">): BaseEntry<Fields>[] {
  return JSON.parse(text) as BaseEntry<Fields>[]; // `applyEntries` wrote it
}
