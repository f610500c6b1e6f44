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
  listCopied,
  listCopiesOf,
  listCopiesOfText,
  recordCopied,
} from "../../store/working-copies.ts";
import type { Manuscript } from "../manuscript.ts";

export type { CopiedChapter, CopiedText, CopyPlace } from "../../store/working-copies.ts";

/** No folder: what an export is about to write, wherever that is. */
export const ANYWHERE = "";

/** What a folder holds of a book, as folder and manuscript last had it in common. */
export interface WorkingCopy {
  chapters: ReadonlyMap<ChapterId, CopiedChapter>;
  /** By file: the book's list, its facts, its notes. */
  texts: ReadonlyMap<string, CopiedText>;
}

/** The working copy of a book in a folder; empty if they never met. */
export function readWorkingCopy({ store }: Manuscript, place: CopyPlace): WorkingCopy {
  const { chapters, texts } = listCopied(store, place);
  return {
    chapters: new Map(chapters.map((row) => [row.chapterId, row])),
    texts: new Map(texts.map((row) => [row.file, row])),
  };
}

/** The file that each chapter had in the folder, by id. */
export function filesOf(copy: WorkingCopy | undefined): Map<ChapterId, string | null> {
  return new Map([...(copy?.chapters ?? [])].map(([id, { file }]) => [id, file]));
}

/** Whether a chapter's file is as this program last wrote it, and the chapter says what it said then. */
export function isChapterWritten(
  { chapters }: WorkingCopy,
  chapter: Pick<StoredChapter, "id" | "revision" | (typeof CHAPTER_FIELDS)[number]>,
  { file, hash }: { file: string; hash: string },
): boolean {
  const last = chapters.get(chapter.id);
  if (last?.isWritten !== 1 || last.hash !== hash || last.file !== file || last.text !== null) return false;
  return last.revision === chapter.revision && CHAPTER_FIELDS.every((key) => last[key] === chapter[key]);
}

/** The file that a chapter came in as, as its folder had it then; undefined for one that was made otherwise. */
export function originOf({ store }: Manuscript, chapterId: ChapterId): CopiedChapter | undefined {
  const oldest = listCopiesOf(store, chapterId).at(-1);
  return oldest?.act == null ? undefined : oldest;
}

/** The folders that have had a chapter's file, each with its name there; the newest first. */
export function foldersOfChapter(
  { store }: Manuscript,
  chapterId: ChapterId,
): { folder: string; file: string }[] {
  const found = new Map<string, string>();
  for (const { folder, file } of listCopiesOf(store, chapterId))
    if (folder !== ANYWHERE && file !== null && !found.has(folder)) found.set(folder, file);
  return [...found].map(([folder, file]) => ({ folder, file }));
}

/** Whether a chapter was deleted and brought back since the folder last had its file. */
export function isRestoredSince({ store }: Manuscript, { chapterId, revision }: CopiedChapter): boolean {
  return (restoredAt(store, chapterId) ?? 0) > revision;
}

/** What a file is recorded as. */
export type Recorded = Parameters<typeof recordCopied>[2];

/**
 * Records files that this program is about to write or has written. Another program that writes at this moment is no
 * reason for that to fail: then nothing is recorded, and the next exchange compares the files themselves.
 */
export function recordWritten({ store }: Manuscript, place: CopyPlace, written: Recorded): void {
  if (store.refusal !== undefined) return; // what can only be read can still be exported
  try {
    store.setAside(() => recordCopied(store, place, written, null));
  } catch (error) {
    if (!(error instanceof Busy)) throw error;
  }
}

/** Whether a chapter's file, by its hash, is one that an export or an import has known: nothing is lost with it. */
export function isKnownFile({ store }: Manuscript, chapterId: ChapterId, hash: string): boolean {
  return listCopiesOf(store, chapterId).some((row) => row.hash === hash);
}

/** The same of the text of a book's list. */
export function isKnownText(
  { store }: Manuscript,
  where: { bookId: BookId; file: string },
  text: string,
): boolean {
  return listCopiesOfText(store, where).some((row) => row.text === text);
}

/** The book that a folder's files were last exchanged for, by the first file of which that is known and that is still there. */
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

/** The entries of a working copy: what both sides had in common of each. */
export function readCopiedEntries<Fields>({ text }: Pick<CopiedText, "text">): BaseEntry<Fields>[] {
  return JSON.parse(text) as BaseEntry<Fields>[]; // `applyEntries` wrote it
}
