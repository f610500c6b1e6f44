import { join } from "node:path";
import type { ChapterId } from "../ids.ts";
import { BadRequest } from "../refusals.ts";
import { deleteChapter } from "../service/chapters.ts";
import { hasExchanged, noteExports } from "../service/exchanges.ts";
import { type BookExport, type ChapterExport, readExport } from "../service/export-book.ts";
import type { ImportAnswer } from "../service/import-book.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { BOOK_JSON } from "./book-json.ts";
import type { ExportedFile } from "./export.ts";
import { type ImportOptions, importFiles } from "./import.ts";
import { ownFiles } from "./own-files.ts";
import type { BookFiles } from "./read-book.ts";
import { readRegular, statLink, statOf } from "./text-file.ts";
import { hash, writeBookJson } from "./write-book-json.ts";
import { writeFolder } from "./write-folder.ts";

/**
 * What became of a chapter's file: `gone` was there before and is not any more, `deleted` the same, and its chapter was
 * deleted as well; `conflict` and `busy` were not touched.
 */
export type SyncedStatus = "written" | "same" | "gone" | "deleted" | "conflict" | "busy";

/** How a folder is brought in step. */
export interface SyncOptions extends Omit<ImportOptions, "settled"> {
  /** A file that is gone takes its chapter along, each in an act of its own. */
  delete?: boolean;
}

/** What a sync did to either side: the chapters as an import has them, then the files. */
export interface SyncAnswer extends ImportAnswer {
  files: { file: string; chapterId: ChapterId; status: SyncedStatus }[];
}

/**
 * Brings a folder and a book in step: what the files say is imported by the three-way plan, then every file whose chapter
 * says something else by now is written, front matter or none as it had before. A file that is gone is neither written
 * again nor, without `delete`, is its chapter deleted; one that an editor saved meanwhile is left for the next time. Throws what an import
 * throws, and `BadRequest` for a folder that no book is named for.
 */
export async function syncFolder(
  manuscript: Manuscript,
  files: BookFiles,
  { bookId = files.book?.exportedFrom, delete: isDeleting = false, ...options }: SyncOptions,
): Promise<SyncAnswer> {
  const { folder } = files;
  if (folder === undefined || bookId === undefined) {
    throw new BadRequest(
      `No book is named for this folder: "manuscript export BOOK -o DIR" makes one that is, or name it with --book.`,
    );
  }
  let book: BookExport | undefined;
  const settled = () => {
    book = readExport(manuscript, bookId);
  };
  const answer = await importFiles(manuscript, files, { ...options, bookId, settled });
  const after = book!; // the import has called `settled`
  const exported = await ownFiles(manuscript, after, answer, files);
  const conflicts = new Set(
    answer.chapters.filter(({ status }) => status === "conflict").map(({ id }) => id),
  );
  const read = new Map(files.chapters.map(({ file, text }) => [file, hash(text)]));
  const plan = exported.map(({ file, bytes }, index) => {
    const { id: chapterId } = after.chapters[index]!; // one file a chapter
    const status = statusOf();
    return { file, bytes, chapterId, status };
    function statusOf(): SyncedStatus {
      if (conflicts.has(chapterId)) return "conflict";
      if (read.get(file) === hash(bytes)) return "same";
      const path = join(folder!, file);
      const isThere = statLink(path) !== undefined;
      if (!isThere && !read.has(file) && hasExchanged(manuscript.store, folder!, chapterId)) {
        return isDeleting ? "deleted" : "gone";
      }
      return isUntouched(path, read.get(file)) ? "written" : "busy";
    }
  });
  if (!options.dryRun) {
    for (const { chapterId, status } of plan) {
      if (status === "deleted") deleteChapter(manuscript, chapterId, { source: "import" });
    }
    await write(manuscript, { folder, book: after }, plan);
  }
  return { ...answer, files: plan.map(({ bytes: _, ...file }) => file) };
}

/** Whether a file is as it was read; undefined: it was not there. */
function isUntouched(path: string, readHash: string | undefined): boolean {
  const stat = statLink(path);
  if (stat === undefined) return readHash === undefined;
  return readHash !== undefined && stat.isFile() && readHash === hash(readRegular(path, path));
}

async function write(
  manuscript: Manuscript,
  { folder, book }: { folder: string; book: BookExport },
  plan: readonly (ExportedFile & { chapterId: ChapterId; status: SyncedStatus })[],
): Promise<void> {
  const changed = plan.filter(({ status }) => status === "written");
  const left = plan.filter(({ status }) => status !== "deleted");
  const ids = new Set(left.map(({ chapterId }) => chapterId));
  const listed = { ...book, chapters: book.chapters.filter(({ id }) => ids.has(id)) };
  const bookJson = { file: BOOK_JSON, bytes: Buffer.from(writeBookJson(listed, left)) };
  statOf(folder, `folder ${folder}`); // one that has gone meanwhile is not made again
  await writeFolder(folder, [...changed, bookJson], { bookId: book.id, force: true });
  const common = plan.filter(({ status }) => status === "written" || status === "same");
  const byId = new Map(book.chapters.map((chapter): [string, ChapterExport] => [chapter.id, chapter]));
  const chapters = common.map(({ chapterId }) => byId.get(chapterId)!); // made from the same book
  noteExports(
    manuscript,
    folder,
    { chapters },
    common.map(({ bytes }) => hash(bytes)),
  );
}
