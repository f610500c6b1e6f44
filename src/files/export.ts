import { realpathSync } from "node:fs";
import { lastExchange, lastText, noteExports } from "../service/exchanges.ts";
import type { BookExport } from "../service/export-book.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { holdBeside, noteBesideFiles } from "./beside.ts";
import { hash, renderFolder } from "./render.ts";
import { besideFiles } from "./write-beside.ts";
import { type FileStatus, type Step, writeFolder } from "./write-folder.ts";
import { makeFolder } from "./write-whole.ts";

/**
 * Writes a book into a folder: one file a chapter, the cast and marginalia beside them, and `book.yaml`; says what became of
 * each chapter's file. Throws `WouldLose`, before anything is written, where files would be overwritten that no export of
 * this book left so.
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
  const held = plain || force ? undefined : await holdBeside(manuscript, folder, bookId);
  const beside = plain ? [] : await besideFiles(book, chapters, held);
  const listed = await list(chapters);
  const last = new Map(
    chapters.map(({ chapter, file }) => {
      const known = lastExchange(manuscript, { folder, chapterId: chapter.id });
      return [file, known?.file === file ? known.hash : undefined];
    }),
  );
  const lastList = lastText(manuscript, { folder, bookId, file: listed.file });
  const isOurs = (file: string, bytes: Buffer) => {
    if (file === listed.file) return lastList === bytes.toString();
    return last.has(file) ? last.get(file) === hash(bytes) : held?.files[file] !== undefined;
  };
  const mayOverwrite = (file: string, bytes: Buffer) =>
    force || (lastList !== undefined && isOurs(file, bytes));
  const written = await writeFolder(folder, [...chapters, ...beside, listed], {
    mayOverwrite,
    ...(step && { step }),
  });
  const left = chapters.map(({ chapter, file, bytes }) => ({ chapter, file, hash: hash(bytes) }));
  noteExports(manuscript, { folder, bookId }, left, { file: listed.file, text: listed.bytes.toString() });
  await noteBesideFiles(manuscript, { folder, bookId }, beside);
  return chapters.map(({ file }, index) => ({ file, status: written[index]! })); // one entry a file
}
