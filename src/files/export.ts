import { realpathSync } from "node:fs";
import { ANYWHERE, isKnownFile, isKnownText, noteExports } from "../service/exchanges.ts";
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
  const { chapters, list, isBooks } = await renderFolder(manuscript, book, folder, { isPlain: () => plain });
  const held = plain || force ? undefined : await holdBeside(manuscript, folder, bookId);
  const beside = plain ? [] : await besideFiles(book, chapters, held);
  const listed = await list(chapters);
  const idOf = new Map(chapters.map(({ chapter, file }) => [file, chapter.id]));
  const isKnown = (file: string, bytes: Buffer) => {
    const id = idOf.get(file);
    if (id !== undefined) return isKnownFile(manuscript, id, hash(bytes));
    if (file === listed.file) return isKnownText(manuscript, { bookId, file }, bytes.toString());
    return held?.files[file] !== undefined;
  };
  const mayOverwrite = (file: string, bytes: Buffer) => force || (isBooks && isKnown(file, bytes));
  const left = chapters.map(({ chapter, file, bytes }) => ({ chapter, file, hash: hash(bytes) }));
  const note = async (where: string) => {
    noteExports(manuscript, { folder: where, bookId }, left, {
      file: listed.file,
      text: listed.bytes.toString(),
    });
    await noteBesideFiles(manuscript, { folder: where, bookId }, beside);
  };
  const files = [...chapters, ...beside, listed];
  const written = await writeFolder(folder, files, { mayOverwrite, step, checked: () => note(ANYWHERE) });
  await note(folder);
  return chapters.map(({ file }, index) => ({ file, status: written[index]! })); // one entry a file
}
