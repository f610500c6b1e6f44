import { readdirSync, realpathSync } from "node:fs";
import { WouldLose } from "../refusals.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { copyPictures } from "./copy-pictures.ts";
import { makeFolder } from "./disk/atomic-write.ts";
import type { Replacing } from "./disk/replace-files.ts";
import { writeFolder } from "./disk/write-folder.ts";
import { renderBook } from "./export.ts";
import { nameFiles } from "./folder/file-names.ts";
import { BOOK_YAML } from "./folder/manifest.ts";
import { freshList } from "./folder/render-folder.ts";
import { schemaFiles, schemaLine } from "./format/schemas.ts";
import type { Exported } from "./write-exported.ts";

/** Options for exporting a past state. */
interface PastOptions extends Replacing {
  moment: string;
  plain?: boolean;
  blockIds?: boolean;
}

/**
 * Writes a past state of a book into a new folder: its chapters and `book.yaml`, each file with its revision, so that
 * edits can be merged from there. Facts and notes are not written: only today's are known. Throws `NotFound`,
 * `BadRequest` for an unknown moment, and `WouldLose` for a folder that is not empty.
 */
export async function exportPast(
  manuscript: Manuscript,
  bookId: string,
  path: string,
  { moment, plain = false, blockIds = false, ...replacing }: PastOptions,
): Promise<Exported> {
  const name = (book: Exported["book"]) => nameFiles(book.chapters, book.parts);
  const { book, chapters, pictures } = await renderBook(
    manuscript,
    bookId,
    { moment, plain, blockIds },
    name,
  );
  makeFolder(path);
  const folder = realpathSync(path);
  if (readdirSync(folder).length > 0)
    throw new WouldLose(
      `${folder} holds files; the book as it was goes into a new folder. Name one with -o.`,
    );
  const list = (plain ? "" : schemaLine(BOOK_YAML)) + freshList(book, chapters);
  const others = [...(plain ? [] : schemaFiles()), { file: BOOK_YAML, bytes: Buffer.from(list) }];
  const written = await writeFolder(folder, [...chapters, ...others], {
    mayOverwrite: () => false,
    ...replacing,
  });
  return {
    book,
    files: chapters.map(({ file }, index) => ({ file, status: written[index]?.status ?? "same" })), // one entry a file
    pictures: await copyPictures(manuscript, folder, { chapters, pictures }),
    ...{ kept: [], busy: [], unsaid: [] },
  };
}
