import type { BookId, ChapterId } from "../../ids.ts";
import { Busy } from "../../refusals.ts";
import {
  type Exchange,
  type ExchangedFile,
  findExchange,
  findExchangedCopy,
  findExchangedFile,
  findExchangeOfFile,
  isExchanged,
  noteExchange,
  noteExchangedFile,
} from "../../store/exchanges.ts";
import { findChapter } from "../../store/rows/chapters.ts";
import type { Manuscript } from "../manuscript.ts";
import type { ChapterExport } from "./export-book.ts";

/** A chapter's fields that both a file and the manuscript can change. */
export interface ExchangedFields {
  title: string;
  status: string;
  synopsis: string;
  part: string | null;
}

/** A chapter's file as an export left it. */
export interface LeftFile {
  chapter: ChapterExport;
  /** Relative to the folder. */
  file: string;
  /** SHA-256, hexadecimal. */
  hash: string;
}

/** No folder: what an export is about to write, wherever that is. */
export const ANYWHERE = "";

/**
 * Notes that a folder holds the files of a book as the manuscript has its chapters now, and the text of its list; `ANYWHERE`
 * before they are written, so that a run that is killed leaves no file that nobody knows. Another program that writes at
 * this moment is no reason for an export to fail: then nothing is noted.
 */
export function noteExports(
  { store }: Manuscript,
  { folder, bookId }: { folder: string; bookId: BookId },
  files: readonly LeftFile[],
  list: { file: string; text: string } | undefined,
): void {
  try {
    store.setAside(() => {
      for (const { chapter, file, hash } of files) {
        const { id: chapterId, revision, title, status, synopsis, part } = chapter;
        const fields = JSON.stringify({ title, status, synopsis, part } satisfies ExchangedFields);
        noteExchange(store, { folder, chapterId }, { revision, file, hash, fields, text: null }, null);
      }
      if (list !== undefined) noteExchangedFile(store, { folder, bookId, file: list.file }, list.text, null);
    });
  } catch (error) {
    if (!(error instanceof Busy)) throw error;
  }
}

/** Whether a chapter's file, by its hash, is one that an export or an import has known: nothing is lost with it. */
export function isKnownFile({ store }: Manuscript, chapterId: ChapterId, hash: string): boolean {
  return isExchanged(store, chapterId, hash);
}

/** The same of the text of a file beside a book's chapters. */
export function isKnownText(
  { store }: Manuscript,
  where: Omit<ExchangedFile, "folder">,
  text: string,
): boolean {
  return findExchangedCopy(store, where, (other) => other === text) !== undefined;
}

/** What a folder and a chapter last had in common of its file; undefined where they never exchanged one. */
export function lastExchange(
  { store }: Manuscript,
  where: { folder: string; chapterId: ChapterId },
): Pick<Exchange, "file" | "hash" | "revision"> | undefined {
  return findExchange(store, where);
}

/** What a folder last had of a file beside a book's chapters. */
export function lastText({ store }: Manuscript, where: ExchangedFile): string | undefined {
  return findExchangedFile(store, where);
}

/** The book that a folder's files were last exchanged for, by the first file of which that is known and that is still there. */
export function bookOfFiles(
  { store }: Manuscript,
  folder: string,
  files: readonly string[],
): BookId | undefined {
  for (const file of files) {
    const last = findExchangeOfFile(store, { folder, file });
    const chapter = last && findChapter(store, last.chapterId);
    if (chapter !== undefined) return chapter.bookId;
  }
  return undefined;
}
