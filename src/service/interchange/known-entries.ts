import { type BaseEntry, type FileEntry, matchEntries } from "../../book/match-entries.ts";
import type { BookId } from "../../ids.ts";
import type { Manuscript } from "../manuscript.ts";
import type { AppliedEntries, EntryFile } from "./apply-entries.ts";
import type { IncomingFactEntry } from "./import-facts.ts";
import type { IncomingNoteEntry } from "./import-notes.ts";
import type { EntryKind } from "./signatures.ts";
import { type ChapterFiles, factKind, noteKind, notesOf } from "./signatures.ts";
import { isKnownText, readCopiedEntries, type WorkingCopy } from "./working-copy.ts";

/** A file of entries compared with the manuscript. */
export interface KnownEntries {
  /** Ids of its entries; undefined for one that was never imported. */
  ids: (string | undefined)[];
  /** True if everything in it was imported. */
  isImported: boolean;
  /** Row for the working copy, if folder and manuscript agree. */
  copied: AppliedEntries["copied"];
}

interface Where {
  bookId: BookId;
  copy: WorkingCopy | undefined;
  /** Files of the chapters in the folder. */
  files: ChapterFiles;
}

/** Compares `facts.yaml` with the manuscript as it stands. */
export function knownFacts(
  manuscript: Manuscript,
  where: Where,
  file: EntryFile<IncomingFactEntry>,
): KnownEntries {
  return known(manuscript, where, file, { incoming: file.read(), kind: factKind(manuscript, where.bookId) });
}

/** Compares `notes.yaml` with the manuscript as it stands. */
export function knownNotes(
  manuscript: Manuscript,
  where: Where,
  file: EntryFile<IncomingNoteEntry>,
): KnownEntries {
  const stored = notesOf(manuscript.store, where.bookId);
  const kind = noteKind(manuscript, where.bookId, { stored, files: where.files });
  const incoming = file.read().map(({ id, fields, said }) => ({ id, fields, said: JSON.stringify(said) }));
  return known(manuscript, where, file, { incoming, kind, implied: ({ anchor }) => ({ anchor }) });
}

interface Sides<Fields> {
  incoming: readonly FileEntry<Fields>[];
  kind: EntryKind<Fields>;
  /** Returns fields that a file leaves out or puts in other words. */
  implied?: (fields: Fields) => Partial<Fields>;
}

function known<Fields extends object>(
  manuscript: Manuscript,
  where: Where,
  { file, hash }: Pick<EntryFile<unknown>, "file" | "hash">,
  { incoming, kind, implied }: Sides<Fields>,
): KnownEntries {
  const last = where.copy?.texts.get(file);
  const base = last === undefined ? [] : readCopiedEntries<Fields>(last);
  const ids = matchEntries({ incoming, base, stored: kind.stored }, kind).map(({ id }) => id);
  const claimed = new Set(ids);
  const entries = incoming.flatMap(({ id: mark, fields, said }, index): BaseEntry<Fields>[] => {
    const id = ids[index];
    const present = id === undefined ? undefined : kind.stored.get(id);
    if (id === undefined || present === undefined) return [];
    const common = { ...fields, ...implied?.(present) };
    return [{ id, mark: mark ?? null, fields: common, ...(said === undefined ? {} : { said }) }];
  });
  const gone = base.filter(({ id }) => kind.stored.has(id) && !claimed.has(id));
  return {
    ids,
    isImported: isKnownText(manuscript, { bookId: where.bookId, file }, hash),
    copied: {
      file,
      hash: claimed.has(undefined) ? "" : hash,
      isWritten: 1,
      text: JSON.stringify([...entries, ...gone]),
      stored: gone.length === 0 ? kind.signature() : null,
    },
  };
}
