import type { BookExport } from "../service/export-book.ts";
import { BOOK_JSON } from "./book-json.ts";
import { chapterBytes } from "./chapter-bytes.ts";
import { nameFiles } from "./file-names.ts";
import { besideTexts, type Held } from "./write-beside.ts";
import { hash, writeBookJson } from "./write-book-json.ts";
import { type FileStatus, writeFolder } from "./write-folder.ts";

/** A file of an export. */
export interface ExportedFile {
  /** Relative to the folder. */
  file: string;
  bytes: Buffer;
}

/** The file of each chapter, in reading order; `plain` is the prose alone. */
export async function chapterFiles(book: BookExport, { plain }: { plain: boolean }): Promise<ExportedFile[]> {
  const { chapters, parts } = book;
  const hasBlocks = !plain && chapters.some(({ frontMatter }) => frontMatter !== "");
  const yaml = hasBlocks ? await import("yaml") : undefined;
  const names = nameFiles(chapters);
  return chapters.map((chapter, index) => ({
    file: names[index]!, // one name a chapter
    bytes: plain ? chapter.markdown : chapterBytes(chapter, parts, yaml),
  }));
}

/** The files beside the chapters, which go into these files; what a folder holds of them is changed, not written anew. */
export async function besideFiles(
  book: BookExport,
  files: readonly ExportedFile[],
  held?: Held,
): Promise<ExportedFile[]> {
  const names = files.map(({ file }) => file);
  const texts = await besideTexts(book, names, held);
  return Object.entries(texts).map(([file, text]) => ({ file, bytes: Buffer.from(text) }));
}

/** How a folder is written. */
interface FolderOptions {
  /** The prose alone. */
  plain: boolean;
  force: boolean;
  held?: Held;
  /** Told the files beside the chapters once they are written. */
  wrote?: (beside: readonly ExportedFile[]) => void;
}

/**
 * Writes a book into a folder, one file a chapter, what it holds beside them, and `book.json`, and says what became of each chapter's file, with its
 * SHA-256. Throws `WouldLose`, before anything is written, where files would be overwritten that no export of this book left so.
 */
export async function exportFolder(
  book: BookExport,
  folder: string,
  { plain, force, held, wrote }: FolderOptions,
): Promise<{ file: string; status: FileStatus; hash: string }[]> {
  const files = await chapterFiles(book, { plain });
  const beside = plain ? [] : await besideFiles(book, files, held);
  const bookJson = { file: BOOK_JSON, bytes: Buffer.from(writeBookJson(book, files, beside)) };
  const imported = new Set(Object.keys(held?.files ?? {}));
  const written = writeFolder(folder, [...files, ...beside, bookJson], { bookId: book.id, force, imported });
  wrote?.(beside);
  return files.map(({ bytes }, index) => ({ ...written[index]!, hash: hash(bytes) })); // one entry a file
}
