import type { BookId } from "../../ids.ts";
import { theBook } from "../guards.ts";
import { type Manuscript, write } from "../manuscript.ts";
import { addNotes, type ForeignNote, type NoteOutcome } from "./import-notes.ts";

/** Comments of a reader, and what became of each. */
export interface ImportedComments {
  bookId: BookId;
  notes: readonly NoteOutcome[];
  act: string | null;
}

/**
 * Adds comments to a book as notes, as one act, or none if all are there. Each stands on its paragraph, found by id,
 * else by its words; where neither is there, on its chapter. Throws `NotFound`, and `BadRequest` for a text too long.
 */
export function importComments(
  manuscript: Manuscript,
  bookId: BookId,
  comments: readonly ForeignNote[],
  { dryRun }: { dryRun: boolean },
): ImportedComments {
  const caller = { source: "import", dryRun, skipsEmpty: true } as const;
  return write(manuscript, "importBook", caller, (act) => {
    theBook(manuscript, bookId);
    const notes = addNotes(manuscript, act, { bookId, chapters: [] }, comments);
    return () => ({ bookId, notes });
  });
}
