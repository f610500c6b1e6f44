import type { BookExport } from "../service/export-book.ts";
import { BOOK_JSON } from "./book-json.ts";
import { chapterBytes } from "./chapter-bytes.ts";
import { nameFiles } from "./file-names.ts";
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

/**
 * Writes a book into a folder, one file a chapter and `book.json`, and says what became of each chapter's file, with its
 * SHA-256. Throws `WouldLose`, before anything is written, where files would be overwritten that no export of this book left so.
 */
export async function exportFolder(
  book: BookExport,
  folder: string,
  { plain, ...how }: { plain: boolean; force: boolean; step?: (done: number, total: number) => void },
): Promise<{ file: string; status: FileStatus; hash: string }[]> {
  const files = await chapterFiles(book, { plain });
  const bookJson = { file: BOOK_JSON, bytes: Buffer.from(writeBookJson(book, files)) };
  const written = await writeFolder(folder, [...files, bookJson], { bookId: book.id, ...how });
  return files.map(({ bytes }, index) => ({ ...written[index]!, hash: hash(bytes) })); // one entry a file
}
