import type { BookId } from "../ids.ts";
import { BadRequest, NotFound } from "../refusals.ts";
import { hasBook } from "../service/guards.ts";
import type { Manuscript } from "../service/manuscript.ts";
import type { BookFiles } from "./book-files.ts";
import { BOOK_YAML } from "./folder/manifest.ts";
import type { SyncAnswer } from "./folder/synced-file.ts";
import type { SyncOptions } from "./sync/sync-changed.ts";

export type { SyncAnswer } from "./folder/synced-file.ts";

/**
 * Syncs a folder and a book. The files are imported by the three-way plan, then every file whose chapter differs is
 * written, in the style that it had. A missing file is not written again, and its chapter is deleted only with
 * `delete`, and only if the manuscript has not changed it since; otherwise the file is written again. It stays missing
 * while another is in conflict. A file that an editor saves meanwhile is left for the next time. Throws what an import throws, and `BadRequest` for a folder without a known book, or of another book than
 * the requested one.
 */
export async function syncFolder(
  manuscript: Manuscript,
  files: BookFiles,
  { bookId: named, ...options }: SyncOptions,
): Promise<SyncAnswer> {
  const { folder } = files;
  const bookId = bookOfFolder(manuscript, files, named);
  if (folder === undefined) throw noBook();
  // Loading the parser and renderer takes a while, and other commands import this file.
  const { syncChanged } = await import("./sync/sync-changed.ts");
  return await syncChanged(manuscript, files, { folder, bookId }, options);
}

/** Returns the book of a folder; `named` if the folder names none. Throws `BadRequest`, `NotFound`. */
export function bookOfFolder(
  manuscript: Manuscript,
  files: BookFiles,
  named: BookId | undefined = files.book?.exportedFrom,
): BookId {
  if (files.folder === undefined || named === undefined) throw noBook();
  assertOwn(manuscript, files, named);
  return named;
}

function noBook(): BadRequest {
  return new BadRequest(
    `No book is named for this folder: "manuscript export BOOK -o DIR" makes one that is, or name it with --book.`,
  );
}

/**
 * Throws unless the folder is this book's. Another book's chapters would be mixed into it, and its files' ids
 * changed. Throws `BadRequest`, `NotFound`.
 */
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
