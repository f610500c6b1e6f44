import { join } from "node:path";
import type { ChapterId } from "../ids.ts";
import { BadRequest } from "../refusals.ts";
import { deleteChapter } from "../service/chapters.ts";
import { hasExchanged, noteExports } from "../service/exchanges.ts";
import { type BookExport, type ChapterExport, readExport } from "../service/export-book.ts";
import type { ImportAnswer } from "../service/import-book.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { noteBesideFiles } from "./beside.ts";
import { BOOK_JSON } from "./book-json.ts";
import { chapterFiles, type ExportedFile } from "./export.ts";
import { splitFrontMatter } from "./front-matter.ts";
import { type ImportOptions, importFiles } from "./import.ts";
import type { BookFiles } from "./read-book.ts";
import {
  type BesideIds,
  isUntouched,
  type SyncedFile,
  type SyncedStatus,
  syncBeside,
} from "./sync-beside.ts";
import { hash, writeBookJson } from "./write-book-json.ts";
import { writeFolder } from "./write-folder.ts";

/** How a folder is brought in step. */
export interface SyncOptions extends Omit<ImportOptions, "settled" | "known"> {
  /** A file that is gone takes its chapter along, each in an act of its own; an entry of a file beside them its fact or note. */
  delete?: boolean;
}

/** What a sync did to either side: the chapters as an import has them, then the files. */
export interface SyncAnswer extends ImportAnswer {
  /** `chapterId` is null for a file beside the chapters. */
  files: { file: string; chapterId: ChapterId | null; status: SyncedStatus }[];
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
  let ids: BesideIds = { facts: [], notes: [] };
  const known = (found: BesideIds) => {
    ids = found;
  };
  const asked = { ...options, bookId, settled, known, delete: isDeleting };
  const answer = await importFiles(manuscript, files, asked);
  const after = book!; // the import has called `settled`
  const exported = await filesOf(after, files);
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
      if (!read.has(file) && hasExchanged(manuscript.store, folder!, chapterId)) {
        return isDeleting ? "deleted" : "gone";
      }
      return isUntouched(join(folder!, file), read.get(file)) ? "written" : "busy";
    }
  });
  const beside = await syncBeside(manuscript, files, { book: after, names: exported, answer, ids });
  if (!options.dryRun) {
    for (const { chapterId, status } of plan) {
      if (status === "deleted") deleteChapter(manuscript, chapterId, { source: "import" });
    }
    write(manuscript, { folder, book: after }, { plan, beside });
    const written = beside.filter(({ status }) => status === "written");
    await noteBesideFiles(manuscript, { folder, bookId }, written);
  }
  return { ...answer, files: [...plan, ...beside].map(({ bytes: _, ...file }) => file) };
}

/** Each chapter's file as it would be now, without front matter where its file has none. */
async function filesOf(book: BookExport, { chapters }: BookFiles): Promise<ExportedFile[]> {
  const [marked, plain] = [
    await chapterFiles(book, { plain: false }),
    await chapterFiles(book, { plain: true }),
  ];
  const isPlain = new Map(
    chapters.map(({ file, text }) => [file, splitFrontMatter(text).frontMatter === ""]),
  );
  const areAllPlain = chapters.length > 0 && [...isPlain.values()].every(Boolean);
  return marked.map((file, index) => ((isPlain.get(file.file) ?? areAllPlain) ? plain[index]! : file)); // of one length
}

function write(
  manuscript: Manuscript,
  { folder, book }: { folder: string; book: BookExport },
  {
    plan,
    beside,
  }: { plan: readonly (SyncedFile & { chapterId: ChapterId })[]; beside: readonly SyncedFile[] },
): void {
  const changed = [...plan, ...beside].filter(({ status }) => status === "written");
  const inStep = beside.filter(({ status }) => status === "written" || status === "same");
  const left = plan.filter(({ status }) => status !== "deleted");
  const ids = new Set(left.map(({ chapterId }) => chapterId));
  const listed = { ...book, chapters: book.chapters.filter(({ id }) => ids.has(id)) };
  const bookJson = { file: BOOK_JSON, bytes: Buffer.from(writeBookJson(listed, left, inStep)) };
  writeFolder(folder, [...changed, bookJson], { bookId: book.id, force: true });
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
