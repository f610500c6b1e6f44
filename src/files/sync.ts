import type { BookId } from "../ids.ts";
import { BadRequest, NotFound } from "../refusals.ts";
import { hasBook } from "../service/guards.ts";
import type { Manuscript } from "../service/manuscript.ts";
import type { BookFiles } from "./folder/book-files.ts";
import { BOOK_YAML } from "./folder/manifest.ts";
import type { SyncAnswer } from "./folder/synced-file.ts";
import { answerInStep } from "./in-step.ts";
import type { SyncOptions } from "./sync-changed.ts";

export type { SyncAnswer } from "./folder/synced-file.ts";

/**
 * Brings a folder and a book in step: what the files say is imported by the three-way plan, then every file whose chapter
 * says something else by now is written, with front matter and block ids or without as before. A file that is gone is
 * neither written again nor, without `delete`, is its chapter deleted; with it the file of a chapter that the manuscript
 * has changed since is written again; one that an editor saved meanwhile is left for the next time. A folder in which
 * nothing has changed on either side is neither parsed nor rendered. Throws what an import throws, and `BadRequest` for a
 * folder that no book is named for, or another than the one asked for.
 */
export async function syncFolder(
  manuscript: Manuscript,
  files: BookFiles,
  { bookId: named, ...options }: SyncOptions,
): Promise<SyncAnswer> {
  const { folder } = files;
  const bookId = bookOfFolder(manuscript, files, named);
  if (folder === undefined) throw noBook();
  const place = { folder, bookId };
  const inStep = manuscript.store.snapshot(() => answerInStep(manuscript, files, place));
  if (inStep !== undefined) return inStep;
  // What parses and renders takes longer to load than a folder in step takes to read.
  const { syncChanged } = await import("./sync-changed.ts");
  return await syncChanged(manuscript, files, place, options);
}

/** The book that a folder is of; `named` if none is named there. Throws `BadRequest`, `NotFound`. */
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
