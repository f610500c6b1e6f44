import {
  CHAPTER_FIELDS,
  type ChapterFile,
  type IncomingChapter,
  type IncomingFields,
} from "../../../book/book.ts";
import type { ChapterId } from "../../../ids.ts";
import type { Store } from "../../../store/file/store.ts";
import {
  type CopiedChapter,
  type CopiedText,
  type CopyPlace,
  listCopiesOf,
  listCopiesOfText,
} from "../../../store/working-copies.ts";
import { smallest } from "../../../text/extremes.ts";
import { once } from "../../../text/once.ts";
import type { WorkingCopy } from "../working-copy.ts";

/** Finds the exchange on which each file of a folder is based; it is not always the newest. */
export interface BaseRows {
  /** Returns the row of a chapter's file; undefined if only the history may know its revision. */
  chapter(id: ChapterId, incoming: IncomingChapter): CopiedChapter | undefined;
  /** Returns the row of another file; undefined if the folder never had it. */
  text(file: string, hash: string): CopiedText | undefined;
  /** Older files among those examined until now. */
  older: ReadonlyMap<string, { isEdited: boolean }>;
}

/**
 * Returns access to the base of each file. A file that equals an earlier one is unedited since, however old it is. An
 * edited chapter is based on the revision that it names; another edited file on the newest exchange that the folder's
 * older files have seen. Everything else is based on the newest exchange. Source: docs/decisions/008-working-copies.md.
 */
export function findBaseRows(
  store: Store,
  place: CopyPlace,
  copy: WorkingCopy,
  files: readonly ChapterFile[],
): BaseRows {
  const older = new Map<string, { isEdited: boolean }>();
  const noted = <Found extends Row>(file: string, row: Found | undefined, own: Found, hash: string) => {
    if (row === undefined || row.seq < own.seq) older.set(file, { isEdited: row?.hash !== hash });
    return row;
  };
  const missed = once(() => firstMissed(store, copy, files));
  return {
    older,
    chapter: (id, { hash, fields, revision, file }) => {
      const own = copy.chapters.get(id);
      const row = rowOfChapter(store, id, own, { hash, fields, revision });
      return own === undefined ? row : noted(file ?? "", row, own, hash);
    },
    text: (file, hash) => {
      const own = copy.texts.get(file);
      if (own === undefined || own.hash === hash) return own;
      const rows = listCopiesOfText(store, { ...place, file }).filter(
        ({ folder }) => folder === place.folder,
      );
      const same = rows.find((row) => row.hash === hash && isRewritten(rows, row));
      const before = missed();
      return noted(file, same ?? rows.find(({ seq }) => seq < before) ?? own, own, hash);
    },
  };
}

type Row = Pick<CopiedChapter | CopiedText, "seq" | "hash" | "isWritten" | "folder">;

/** Finds a chapter's row, in any folder: by the file's hash, by the revision it names, else the folder's newest. */
function rowOfChapter(
  store: Store,
  id: ChapterId,
  own: CopiedChapter | undefined,
  { hash, fields, revision }: { hash: string; fields: IncomingFields; revision: number | undefined },
): CopiedChapter | undefined {
  if (own?.hash === hash) return own;
  const rows = listCopiesOf(store, id);
  const named = fields.id === id ? revision : undefined;
  // An export that was killed leaves files newer than the row of their folder.
  const newer = rows.find((row) => row.hash === hash && row.seq > (own?.seq ?? 0));
  if (newer !== undefined || own === undefined) return newer;
  if (named === undefined) return own;
  // Without front matter the folder's list names the revision, and an edit taken back by hand equals an older file.
  const isSame = (row: CopiedChapter) => row.hash === hash && row.revision >= named && isRewritten(rows, row);
  return rows.find(isSame) ?? rowOfRevision(rows, own, { named, fields });
}

/** Finds the row of the revision that an edited file names; undefined if only the history may know it. */
function rowOfRevision(
  rows: readonly CopiedChapter[],
  own: CopiedChapter,
  { named, fields }: { named: number; fields: IncomingFields },
): CopiedChapter | undefined {
  const written = rows.find((row) => row.folder === own.folder && row.isWritten === 1);
  if (written === undefined || named > written.revision) return own;
  // A status changes without a new revision.
  const isAsSaid = (row: CopiedChapter) =>
    CHAPTER_FIELDS.every((key) => (fields[key] ?? row[key]) === row[key]);
  const ofRevision = rows.filter((row) => row.revision === named);
  if (named < written.revision) return ofRevision.find(isAsSaid) ?? ofRevision[0];
  return isAsSaid(own) ? own : (ofRevision.find((row) => isAsSaid(row) && isRewritten(rows, row)) ?? own);
}

const isRewritten = (rows: readonly Row[], row: Row) => rewrittenAt(rows, row) !== undefined;

/** Returns the first later exchange at which this program rewrote a file of its folder; `rows` are newest first. */
function rewrittenAt(rows: readonly Row[], row: Row): number | undefined {
  const later = rows.filter(({ seq, folder }) => folder === row.folder && seq >= row.seq);
  return later.findLast(
    ({ isWritten, hash }, index) => isWritten === 1 && hash !== (later[index + 1]?.hash ?? hash),
  )?.seq;
}

/** Returns the first exchange that the older files of a folder have not seen; Infinity if there are none. */
function firstMissed(store: Store, { chapters }: WorkingCopy, files: readonly ChapterFile[]): number {
  const owns = new Map([...chapters.values()].map((row) => [row.file, row]));
  const missed = files.flatMap((file) => {
    const own = owns.get(file.file);
    if (own === undefined || own.hash === file.hash) return [];
    const { chapterId } = own;
    const row = rowOfChapter(store, chapterId, own, {
      ...file,
      fields: file.fields(),
      revision: file.revision(),
    });
    return row === undefined ? [] : (rewrittenAt(listCopiesOf(store, chapterId), row) ?? []);
  });
  return smallest(missed);
}
