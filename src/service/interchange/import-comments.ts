import type { BookId } from "../../ids.ts";
import { theBook } from "../guards.ts";
import { type Caller, type Manuscript, write } from "../manuscript.ts";
import type { ImportAnswer } from "./import-book.ts";
import { addNotes, type ForeignNote } from "./import-notes.ts";

/** Result of an import of comments: of a book nothing but notes. */
export interface ImportedComments extends ImportAnswer {
  layout: "comments";
  /** Names of the readers. */
  why: string;
  skipped: [];
  pictures: [];
}

/**
 * Adds comments to a book as notes, as one act, or none if all are there. Each stands on its paragraph, found by id,
 * else by its words; where neither is there, on its chapter. Throws `NotFound`, and `BadRequest` for a text too long.
 */
export function importComments(
  manuscript: Manuscript,
  bookId: BookId,
  { readers, notes: comments }: { readers: readonly string[]; notes: readonly ForeignNote[] },
  { dryRun = false, once }: Pick<Caller, "dryRun" | "once">,
): ImportedComments {
  const caller = { source: "import", dryRun, once, skipsEmpty: true } as const;
  return write(manuscript, "importBook", caller, (act) => {
    const { title } = theBook(manuscript, bookId);
    const notes = addNotes(manuscript, act, { bookId, chapters: [] }, comments);
    return () => ({
      bookId,
      title,
      book: { status: "same", fields: [], conflicts: [] },
      ...{ deleted: [], moved: [], chapters: [], facts: [], notes },
      ...{ layout: "comments", why: readers.join(", "), skipped: [], pictures: [] },
    });
  });
}
