import { rmSync } from "node:fs";
import { join } from "node:path";
import type { ActId, BookId, ChapterId } from "../ids.ts";
import { BadRequest, NotFound } from "../refusals.ts";
import { deleteChapter } from "../service/books/chapters.ts";
import { hasBook } from "../service/guards.ts";
import { readBeside } from "../service/interchange/export-annotations.ts";
import { markBlocks } from "../service/interchange/export-block-ids.ts";
import { type BookExport, readExport } from "../service/interchange/export-book.ts";
import type { ImportAnswer } from "../service/interchange/import-book.ts";
import { inOrder } from "../service/interchange/merge-book.ts";
import { ANYWHERE, lastExchange, lastText, noteExports } from "../service/interchange/sync-base.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { noteBesideFiles } from "./annotations/annotation-files.ts";
import {
  type BesideIds,
  isUntouched,
  type SyncedFile,
  type SyncedStatus,
  syncBeside,
} from "./annotations/sync-annotations.ts";
import type { BookFiles } from "./book-files.ts";
import { statLink, statOf } from "./disk/text-file.ts";
import { writeFolder } from "./disk/write-folder.ts";
import { styleOfFiles } from "./folder/folder-style.ts";
import type { ListedBook } from "./folder/manifest.ts";
import { BOOK_YAML, readBookYaml } from "./folder/manifest-files.ts";
import {
  type ChapterFileOut,
  type Described,
  hash,
  type Rendered,
  renderFolder,
} from "./folder/render-folder.ts";
import { type ImportOptions, importFiles } from "./import.ts";

/** How a folder is brought in step. */
export interface SyncOptions extends Omit<ImportOptions, "settled" | "known" | "source"> {
  /** A file that is gone takes its chapter along, each in an act of its own; an entry of a file beside them its fact or note. */
  delete?: boolean;
}

/** What a sync did to either side: the chapters as an import has them, then the files. */
export interface SyncAnswer extends ImportAnswer {
  /** `chapterId` is null for a file beside the chapters. */
  files: { file: string; chapterId: ChapterId | null; status: SyncedStatus }[];
  /** The acts that deleted a chapter each; an undo of one brings its chapter back. */
  deletions: ActId[];
}

/**
 * Brings a folder and a book in step: what the files say is imported by the three-way plan, then every file whose chapter
 * says something else by now is written, with front matter and block ids or without as before. A file that is gone is
 * neither written again nor, without `delete`, is its chapter deleted; with it the file of a chapter that the manuscript
 * has changed since is written again; one that an editor saved meanwhile is left for the
 * next time. Throws what an import throws, and `BadRequest` for a folder that no book is named for, or another
 * than the one asked for.
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
  assertOwn(manuscript, files, bookId);
  let book: BookExport | undefined;
  let marked: BookExport | undefined;
  const style = styleOfFiles(files.chapters);
  const settled = () => {
    book = readExport(manuscript, bookId, { beside: readBeside });
    if (style.areAnyMarked) marked = readExport(manuscript, bookId, { mark: markBlocks });
  };
  let ids: BesideIds = { facts: [], notes: [] };
  const known = (found: BesideIds) => {
    ids = found;
  };
  const asked = { ...options, bookId, settled, known, delete: isDeleting, source: "cli" as const };
  const answer = await importFiles(manuscript, files, asked);
  const after = book!; // the import has called `settled`
  const here = new Map(answer.chapters.flatMap(({ id, file }) => (file === null ? [] : [[id, file]])));
  const rendered = await renderFolder(manuscript, after, folder, { ...style, marked, here });
  const conflicts = new Set(
    answer.chapters.filter(({ status }) => status === "conflict").map(({ id }) => id),
  );
  const read = new Map(files.chapters.map(({ file, text }) => [file, hash(text)]));
  const plan = rendered.chapters.map((out): Planned => {
    const { file, bytes, chapter } = out;
    const { id: chapterId } = chapter;
    return { ...out, chapterId, status: statusOf() };
    function statusOf(): SyncedStatus {
      if (conflicts.has(chapterId)) return "conflict";
      if (read.get(file) === hash(bytes)) return "same";
      const path = join(folder!, file);
      const isThere = statLink(path) !== undefined;
      const last = lastExchange(manuscript, { folder: folder!, chapterId });
      if (!isThere && !read.has(file) && last !== undefined) {
        if (!isDeleting) return "gone";
        // What the manuscript has changed since is not gone with a file that never said it: the file comes back.
        return last.revision === chapter.revision || options.force === "mine" ? "deleted" : "written";
      }
      return isUntouched(path, read.get(file)) ? "written" : "busy";
    }
  });
  const removed = answer.deleted.map(({ id: chapterId, file }) => {
    const isOurs = isDeleting && isUntouched(join(folder, file), read.get(file));
    return { file, chapterId, status: isOurs ? ("removed" as const) : ("orphaned" as const) };
  });
  const beside = await syncBeside(manuscript, files, { book: after, names: plan, answer, ids });
  const list = await syncList(manuscript, { files, folder, bookId }, { rendered, plan, answer });
  const deletions: ActId[] = [];
  if (!options.dryRun) {
    for (const { chapterId, status } of plan) {
      if (status !== "deleted") continue;
      const { act } = deleteChapter(manuscript, chapterId, { source: "cli" });
      if (act !== null) deletions.push(act as ActId); // a dry run has none
    }
    for (const { file, status } of removed) if (status === "removed") rmSync(join(folder, file));
    await write(manuscript, { folder, bookId }, plan, { beside, list });
  }
  const told = [...plan, ...beside, list].map(({ file, chapterId, status }) => ({ file, chapterId, status }));
  return { ...answer, files: [...told, ...removed], deletions };
}

/** A folder is of one book: another's would be mixed into it, and its files' ids changed. Throws `BadRequest`, `NotFound`. */
function assertOwn(manuscript: Manuscript, { book }: BookFiles, bookId: BookId): void {
  const named = book?.exportedFrom;
  if (named === undefined) return;
  if (named === bookId) {
    if (hasBook(manuscript, named)) return;
    throw new NotFound(
      `book as ${named}, which this folder is of; "manuscript import DIR" makes a new one of it, "manuscript history" shows what took the old one`,
    );
  }
  if (hasBook(manuscript, named))
    throw new BadRequest(
      `${BOOK_YAML} names another book of this manuscript, ${named}: leave --book out, or export yours into a folder of its own.`,
    );
}

/** A chapter's file and what is to become of it. */
interface Planned extends ChapterFileOut {
  chapterId: ChapterId;
  status: SyncedStatus;
}

/** The folder's own list, and the text of it that both sides have in common. */
interface SyncedList extends SyncedFile {
  common: string;
}

/**
 * The folder's own list over the chapters' files that are there. What both sides changed of the book stays as the list has
 * it, and what they had in common stays what it was.
 */
async function syncList(
  manuscript: Manuscript,
  { files: { book, list: read }, folder, bookId }: { files: BookFiles; folder: string; bookId: BookId },
  { rendered, plan, answer }: { rendered: Rendered; plan: readonly Planned[]; answer: ImportAnswer },
): Promise<SyncedList> {
  const { conflicts } = answer.book;
  const present = plan.filter(({ status }) => status !== "deleted" && status !== "gone");
  const as = async (said: ListedBook | undefined) => {
    if (said === undefined || conflicts.length === 0) return await rendered.list(present);
    const names = said.chapters.map(({ file }) => file);
    const chapters = conflicts.includes("order") ? inOrder(present, ({ file }) => file, names) : present;
    return await rendered.list(chapters, describedBy(said, conflicts));
  };
  const out = await as(book);
  const last = conflicts.length === 0 ? undefined : lastText(manuscript, { folder, bookId, file: out.file });
  const base = last === undefined ? undefined : readBookYaml(await import("yaml"), last);
  const readHash = read?.file === out.file ? hash(read.text) : undefined;
  const statusOf = () => {
    if (readHash === hash(out.bytes)) return "same";
    return isUntouched(join(folder, out.file), readHash) ? "written" : "busy";
  };
  const common = conflicts.length === 0 ? out : await as(base);
  return { ...out, chapterId: null, status: statusOf(), common: common.bytes.toString() };
}

/** What a list says of these keys of a book. */
function describedBy({ title, goal, manifest, parts }: ListedBook, keys: readonly string[]): Described {
  return {
    ...(keys.includes("title") && title !== undefined ? { title } : {}),
    ...(keys.includes("goal") ? { goal: goal ?? null } : {}),
    ...(keys.includes("other keys") ? { manifest } : {}),
    ...(keys.includes("order of the parts") ? { parts } : {}),
  };
}

const isWritten = ({ status }: { status: SyncedStatus }) => status === "written";
const isInStep = ({ status }: { status: SyncedStatus }) => status === "written" || status === "same";

/** Writes what is to be written, and notes what both sides have in common then. */
async function write(
  manuscript: Manuscript,
  where: { folder: string; bookId: BookId },
  plan: readonly Planned[],
  { beside, list }: { beside: readonly SyncedFile[]; list: SyncedList },
): Promise<void> {
  statOf(where.folder, `folder ${where.folder}`); // one that went meanwhile is not made again
  const left = plan
    .filter(isInStep)
    .map(({ chapter, file, bytes }) => ({ chapter, file, hash: hash(bytes) }));
  const { file, common: text } = list;
  const note = async (folder: string) => {
    noteExports(manuscript, { ...where, folder }, left, isInStep(list) ? { file, text } : undefined);
    await noteBesideFiles(manuscript, { ...where, folder }, beside.filter(isWritten));
  };
  const files = [...plan, ...beside, list].filter(isWritten);
  await writeFolder(where.folder, files, { mayOverwrite: () => true, checked: () => note(ANYWHERE) });
  await note(where.folder);
}
