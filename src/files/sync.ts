import { rmSync } from "node:fs";
import { join } from "node:path";
import type { BookId, ChapterId } from "../ids.ts";
import { BadRequest } from "../refusals.ts";
import { deleteChapter } from "../service/chapters.ts";
import { lastExchange, noteExports } from "../service/exchanges.ts";
import { type BookExport, readExport } from "../service/export-book.ts";
import type { ImportAnswer } from "../service/import-book.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { type ImportOptions, importFiles } from "./import.ts";
import type { BookFiles } from "./read-book.ts";
import { type ChapterFileOut, hash, type Rendered, renderFolder } from "./render.ts";
import { styleOfFiles } from "./style.ts";
import { readRegular, statLink } from "./text-file.ts";
import { type OutFile, writeFolder } from "./write-folder.ts";

/**
 * What became of a chapter's file: `gone` was there before and is not any more, `deleted` the same, and its chapter was
 * deleted as well; `orphaned` stays although its chapter was deleted in the manuscript, `removed` does not; `conflict`
 * and `busy` were not touched.
 */
export type SyncedStatus =
  | "written"
  | "same"
  | "gone"
  | "deleted"
  | "orphaned"
  | "removed"
  | "conflict"
  | "busy";

/** How a folder is brought in step. */
export interface SyncOptions extends Omit<ImportOptions, "settled"> {
  /** A file that is gone takes its chapter along, each in an act of its own. */
  delete?: boolean;
}

/** What a sync did to either side: the chapters as an import has them, then the files. */
export interface SyncAnswer extends ImportAnswer {
  files: { file: string; chapterId: ChapterId; status: SyncedStatus }[];
  /** The files beside them: the folder's own list. */
  beside: { file: string; status: "written" | "same" | "conflict" | "busy" }[];
}

/**
 * Brings a folder and a book in step: what the files say is imported by the three-way plan, then every file whose chapter
 * says something else by now is written, with front matter and block ids or without as before. A file that is gone is
 * neither written again nor, without `delete`, is its chapter deleted; one that an editor saved meanwhile is left for the
 * next time. Throws what an import throws, and `BadRequest` for a folder that no book is named for.
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
  let marked: BookExport | undefined;
  const style = styleOfFiles(files.chapters);
  const settled = () => {
    book = readExport(manuscript, bookId);
    if (style.areAnyMarked) marked = readExport(manuscript, bookId, { blockIds: true });
  };
  const answer = await importFiles(manuscript, files, { ...options, bookId, settled });
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
      const isKnown = lastExchange(manuscript, { folder: folder!, chapterId }) !== undefined;
      if (!isThere && !read.has(file) && isKnown) {
        return isDeleting ? "deleted" : "gone";
      }
      return isUntouched(path, read.get(file)) ? "written" : "busy";
    }
  });
  const removed = answer.deleted.map(({ id: chapterId, file }) => {
    const isOurs = isDeleting && isUntouched(join(folder, file), read.get(file));
    return { file, chapterId, status: isOurs ? ("removed" as const) : ("orphaned" as const) };
  });
  const beside = await planList(files, folder, rendered, plan, answer.book.status === "conflict");
  if (!options.dryRun) {
    for (const { chapterId, status } of plan) {
      if (status === "deleted") deleteChapter(manuscript, chapterId, { source: "import" });
    }
    for (const { file, status } of removed) if (status === "removed") rmSync(join(folder, file));
    write(manuscript, { folder, bookId }, plan, beside);
  }
  const told = plan.map(({ file, chapterId, status }) => ({ file, chapterId, status }));
  return {
    ...answer,
    files: [...told, ...removed],
    beside: beside.map(({ file, status }) => ({ file, status })),
  };
}

/** A chapter's file and what is to become of it. */
interface Planned extends ChapterFileOut {
  chapterId: ChapterId;
  status: SyncedStatus;
}

/** Whether a file is as it was read; undefined: it was not there. */
function isUntouched(path: string, readHash: string | undefined): boolean {
  const stat = statLink(path);
  if (stat === undefined) return readHash === undefined;
  return readHash !== undefined && stat.isFile() && readHash === hash(readRegular(path, path));
}

/** A file beside the chapters and what is to become of it. */
type PlannedBeside = OutFile & SyncAnswer["beside"][number];

async function planList(
  files: BookFiles,
  folder: string,
  { list }: Rendered,
  plan: readonly Planned[],
  hasConflict: boolean,
): Promise<PlannedBeside[]> {
  const out = await list(plan.filter(({ status }) => status !== "deleted" && status !== "gone"));
  const readHash = listHash(files, out.file);
  const statusOf = () => {
    if (hasConflict) return "conflict";
    if (readHash === hash(out.bytes)) return "same";
    return isUntouched(join(folder, out.file), readHash) ? "written" : "busy";
  };
  return [{ ...out, status: statusOf() }];
}

function write(
  manuscript: Manuscript,
  where: { folder: string; bookId: BookId },
  plan: readonly Planned[],
  beside: readonly PlannedBeside[],
): void {
  const isWritten = ({ status }: { status: string }) => status === "written";
  const isInStep = ({ status }: { status: string }) => status === "written" || status === "same";
  writeFolder(where.folder, [...plan.filter(isWritten), ...beside.filter(isWritten)], {
    mayOverwrite: () => true,
  });
  const left = plan
    .filter(isInStep)
    .map(({ chapter, file, bytes }) => ({ chapter, file, hash: hash(bytes) }));
  const texts = beside.filter(isInStep).map(({ file, bytes }) => ({ file, text: bytes.toString() }));
  noteExports(manuscript, where, left, texts);
}

function listHash({ list }: BookFiles, file: string): string | undefined {
  return list?.file === file ? hash(list.text) : undefined;
}
