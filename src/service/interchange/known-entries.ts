import { type BaseEntry, type FileEntry, matchEntries } from "../../book/match-entries.ts";
import type { BookId } from "../../ids.ts";
import { listCopiesOfText } from "../../store/working-copies.ts";
import type { Manuscript } from "../manuscript.ts";
import type { AppliedEntries, EntryFile } from "./apply-entries.ts";
import type { IncomingFactEntry } from "./import-facts.ts";
import type { IncomingNoteEntry } from "./import-notes.ts";
import type { EntryKind } from "./signatures.ts";
import { type ChapterFiles, factKind, noteKind, notesOf } from "./signatures.ts";
import { readCopiedEntries, type WorkingCopy } from "./working-copy.ts";

/** What a file of entries is to the manuscript. */
export interface KnownEntries {
  /** The id of each of its entries; undefined for one that was never imported. */
  ids: (string | undefined)[];
  /** All that it says has come into the manuscript. */
  isImported: boolean;
  /** What the working copy is to hold of it, if folder and manuscript say the same. */
  copied: AppliedEntries["copied"];
}

interface Where {
  bookId: BookId;
  copy: WorkingCopy | undefined;
  /** The chapters' files in the folder. */
  files: ChapterFiles;
}

/** What `facts.yaml` is to the manuscript as it stands. */
export function knownFacts(
  manuscript: Manuscript,
  where: Where,
  file: EntryFile<IncomingFactEntry>,
): KnownEntries {
  return known(manuscript, where, file, { incoming: file.read(), kind: factKind(manuscript, where.bookId) });
}

/** What `notes.yaml` is to the manuscript as it stands. */
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
  /** Fields that a file does not say in the manuscript's words. */
  implied?: (fields: Fields) => Partial<Fields>;
}

function known<Fields extends object>(
  { store }: Manuscript,
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
    isImported: listCopiesOfText(store, { bookId: where.bookId, file }).some((row) => row.hash === hash),
    copied: {
      file,
      hash: claimed.has(undefined) ? "" : hash,
      isWritten: 1,
      text: JSON.stringify([...entries, ...gone]),
      stored: gone.length === 0 ? kind.signature() : null,
    },
  };
}
