import { realpathSync } from "node:fs";
import { lastExchange, lastText, noteExports } from "../service/exchanges.ts";
import type { BookExport } from "../service/export-book.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { hash, renderFolder } from "./render.ts";
import { type FileStatus, type Step, writeFolder } from "./write-folder.ts";
import { makeFolder } from "./write-whole.ts";

/**
 * Writes a book into a folder, one file a chapter and `book.yaml`, and says what became of each chapter's file. Throws
 * `WouldLose`, before anything is written, where files would be overwritten that no export of this book left so.
 */
export async function exportFolder(
  manuscript: Manuscript,
  book: BookExport,
  path: string,
  { plain, force, step }: { plain: boolean; force: boolean; step?: Step },
): Promise<{ file: string; status: FileStatus }[]> {
  makeFolder(path);
  const folder = realpathSync(path);
  const { id: bookId } = book;
  const { chapters, list } = await renderFolder(manuscript, book, folder, { isPlain: () => plain });
  const beside = [await list(chapters)];
  const last = new Map(
    chapters.map(({ chapter, file }) => {
      const known = lastExchange(manuscript, { folder, chapterId: chapter.id });
      return [file, known?.file === file ? known.hash : undefined];
    }),
  );
  const isOurs = (file: string, bytes: Buffer) =>
    last.has(file)
      ? last.get(file) === hash(bytes)
      : lastText(manuscript, { folder, bookId, file }) === bytes.toString();
  const isExported = beside.some(({ file }) => lastText(manuscript, { folder, bookId, file }) !== undefined);
  const mayOverwrite = (file: string, bytes: Buffer) => force || (isExported && isOurs(file, bytes));
  const written = writeFolder(folder, [...chapters, ...beside], { mayOverwrite, ...(step && { step }) });
  const left = chapters.map(({ chapter, file, bytes }) => ({ chapter, file, hash: hash(bytes) }));
  const texts = beside.map(({ file, bytes }) => ({ file, text: bytes.toString() }));
  noteExports(manuscript, { folder, bookId }, left, texts);
  return chapters.map(({ file }, index) => ({ file, status: written[index]! })); // one entry a file
}
