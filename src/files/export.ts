import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { type BookExport, hasBeside, readExport } from "../service/interchange/export-book.ts";
import { ANYWHERE, isKnownFile, isKnownText, noteExports } from "../service/interchange/sync-base.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { makeFolder } from "./disk/atomic-write.ts";
import { type FileStatus, type OutFile, type Step, writeFolder } from "./disk/write-folder.ts";
import { hash, renderFolder } from "./folder/render-folder.ts";

/** How a book is exported. */
interface ExportOptions {
  /** The prose alone. */
  plain?: boolean;
  /** With the ids of its paragraphs. */
  blockIds?: boolean;
  /** Overwrites what it would not. */
  force?: boolean;
  step?: Step;
}

/**
 * Writes a book into a folder: one file a chapter, the cast and marginalia beside them, and `book.yaml`; gives the book and
 * what became of each chapter's file. Throws `NotFound`, and `WouldLose`, before anything is written, where files would be
 * overwritten that no export of this book left so.
 */
export async function exportFolder(
  manuscript: Manuscript,
  bookId: string,
  path: string,
  { plain = false, blockIds = false, force = false, step }: ExportOptions = {},
): Promise<{ book: BookExport; files: { file: string; status: FileStatus }[] }> {
  // What few books need is not loaded for all.
  const isThere = () => ["facts.yaml", "notes.yaml"].some((file) => existsSync(join(path, file)));
  const extras =
    !plain && (hasBeside(manuscript, bookId) || isThere())
      ? await import("./annotations/export-annotations.ts")
      : undefined;
  const marks = blockIds ? await import("../service/interchange/export-block-ids.ts") : undefined;
  const book = readExport(manuscript, bookId, {
    ...(marks && { mark: marks.markBlocks }),
    ...(extras && { beside: extras.readBeside }),
  });
  makeFolder(path);
  const folder = realpathSync(path);
  const rendered = await renderFolder(manuscript, book, folder, { isPlain: () => plain });
  const { chapters } = rendered;
  const beside = await extras?.exportBeside(manuscript, book, folder, { chapters, force });
  const list = await rendered.list(chapters);
  const idOf = new Map(chapters.map(({ chapter, file }) => [file, chapter.id]));
  const isKnown = (file: string, bytes: Buffer) => {
    const id = idOf.get(file);
    if (id !== undefined) return isKnownFile(manuscript, id, hash(bytes));
    if (file === list.file) return isKnownText(manuscript, { bookId, file }, bytes.toString());
    return beside?.isKnown(file) === true;
  };
  const left = chapters.map(({ chapter, file, bytes }) => ({ chapter, file, hash: hash(bytes) }));
  const note = async (where: string) => {
    noteExports(manuscript, { folder: where, bookId }, left, {
      file: list.file,
      text: list.bytes.toString(),
    });
    await beside?.note(where);
  };
  const files: OutFile[] = [...chapters, ...(beside?.files ?? []), list];
  const written = await writeFolder(folder, files, {
    mayOverwrite: (file, bytes) => force || (rendered.isBooks && isKnown(file, bytes)),
    // Only in a folder of this book is anything overwritten: there a run that is killed must leave no file unknown.
    ...(rendered.isBooks && { checked: () => note(ANYWHERE) }),
    step,
  });
  await note(folder);
  return { book, files: chapters.map(({ file }, index) => ({ file, status: written[index]! })) }; // one entry a file
}
