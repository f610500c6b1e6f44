import type { BookId, SnippetId } from "../../ids.ts";
import type { Act } from "../../store/file/sql.ts";
import type { Manuscript } from "../manuscript.ts";
import type { AskedImport } from "./import-book.ts";
import { addFacts, type FactEntry, type FactOutcome, importFacts } from "./import-facts.ts";
import { importNotes, type NoteEntry, type NoteFields, type NoteOutcome } from "./import-notes.ts";
import { chaptersByName } from "./resolve-anchor.ts";
import type { AskedFile } from "./sync-base-entries.ts";
import type { Outcome } from "./write-chapter.ts";

/** The files beside the chapters, as they were read. */
export interface AskedBeside {
  facts?: AskedFile<FactEntry> | undefined;
  notes?: AskedFile<NoteEntry> | undefined;
  /** Told what each file's entries are in the manuscript, in their order. */
  known?: ((ids: { facts: readonly string[]; notes: readonly string[] }) => void) | undefined;
}

/** Brings facts and marginalia in step with the files beside the chapters, within the import's act, after its chapters. */
export function importBeside(
  manuscript: Manuscript,
  act: Act,
  {
    bookId,
    standing,
    outcomes,
  }: { bookId: BookId; standing: ReadonlyMap<SnippetId, NoteFields>; outcomes: readonly Outcome[] },
  { beside: { facts, notes, known } = {}, facts: tags = [], ...asked }: AskedImport,
): { facts: FactOutcome[]; notes: NoteOutcome[] } {
  const where = { bookId, folder: asked.folder, force: asked.force, isDeleting: asked.delete === true };
  const done = {
    facts: facts === undefined ? NONE : importFacts(manuscript, act, where, facts),
    notes:
      notes === undefined
        ? NONE
        : importNotes(
            manuscript,
            act,
            { ...where, standing, chapters: chaptersByName(manuscript.store, bookId, outcomes) },
            notes,
          ),
  };
  known?.({ facts: done.facts.ids, notes: done.notes.ids });
  return {
    facts: [...done.facts.outcomes, ...addFacts(manuscript, act, bookId, tags)],
    notes: [...done.notes.outcomes],
  };
}

const NONE = { outcomes: [], ids: [] };
