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
  type CopiedTextRow,
  type CopyPlace,
  listCopiesOf,
  listCopiesOfText,
  readCopiedText,
} from "../../../store/working-copies.ts";
import { smallest } from "../../../text/extremes.ts";
import { once } from "../../../text/once.ts";
import { ANYWHERE, type WorkingCopy } from "../working-copy.ts";

/** Finds the exchange on which each file of a folder is based; it is not always the newest. */
export interface BaseRows {
  /** Returns the row of a chapter's file; undefined if only the history may know its revision. */
  chapter(id: ChapterId, incoming: IncomingChapter): CopiedChapter | undefined;
  /** Returns the row of another file; undefined if the folder never had it. */
  text(file: string, hash: string): CopiedText | undefined;
  /** Older files among those examined until now. */
  older: ReadonlyMap<string, { isEdited: boolean }>;
}

/** The files of a folder that are merged. */
interface FolderFiles {
  chapters: readonly ChapterFile[];
  texts: readonly { file: string; hash: string }[];
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
  files: FolderFiles,
): BaseRows {
  const older = new Map<string, { isEdited: boolean }>();
  const noted = <Found extends Row>(file: string, row: Found | undefined, own: Found, hash: string) => {
    if (row === undefined || row.seq < own.seq) older.set(file, { isEdited: row?.hash !== hash });
    return row;
  };
  const missed = once(() => firstMissed(store, place, copy, files));
  return {
    older,
    chapter: (id, incoming) => {
      const own = copy.chapters.get(id);
      if (own?.hash === incoming.hash) return own;
      const row = rowOfChapter(listCopiesOf(store, id), own, { ...incoming, id, missed });
      return own === undefined ? row : noted(incoming.file ?? "", row, own, incoming.hash);
    },
    text: (file, hash) => {
      const own = copy.texts.get(file);
      if (own === undefined || own.hash === hash) return own;
      const rows = listCopiesOfText(store, { ...place, file });
      const row = noted(file, olderOf(rows, own, hash) ?? lastBefore(rows, own, missed()), own, hash);
      return row && readCopiedText(store, row);
    },
  };
}

type Row = Pick<CopiedChapter | CopiedTextRow, "seq" | "hash" | "isWritten" | "folder">;

/** Finds a changed chapter's row among its `rows`, in any folder: by its file's hash, else by the revision that the file names. */
function rowOfChapter(
  rows: readonly CopiedChapter[],
  own: CopiedChapter | undefined,
  { id, hash, fields, revision, missed }: Seeking,
): CopiedChapter | undefined {
  // An export that was killed leaves files newer than the row of their folder.
  const newer = rows.find((row) => row.hash === hash && row.seq > (own?.seq ?? 0));
  if (newer !== undefined || own === undefined) return newer;
  const older = olderOf(rows, own, hash);
  if (older !== undefined) return older;
  const named = fields.id === id ? revision : undefined;
  return named === undefined ? lastBefore(rows, own, missed()) : rowOfRevision(rows, own, { named, fields });
}

/** A chapter's file whose base is sought. */
interface Seeking extends Pick<IncomingChapter, "hash" | "fields" | "revision"> {
  id: ChapterId;
  /** Returns the first exchange that the folder has not seen. */
  missed: () => number;
}

/** Returns the row that a file equals, if this program has rewritten the file since. */
function olderOf<Found extends Row>(rows: readonly Found[], own: Found, hash: string): Found | undefined {
  const isIt = (row: Found) => row.hash === hash && row.folder === own.folder && isRewritten(rows, row);
  return rows.find(isIt);
}

/** Returns the folder's newest row before an exchange. */
function lastBefore<Found extends Row>(rows: readonly Found[], own: Found, exchange: number): Found {
  return rows.find(({ folder, seq }) => folder === own.folder && seq < exchange) ?? own;
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
  const ofRevision = rows.filter((row) => row.isWritten === 1 && row.revision === named);
  if (named < written.revision) return ofRevision.find(isAsSaid) ?? ofRevision[0];
  return isAsSaid(own) ? own : (ofRevision.find((row) => isAsSaid(row) && isRewritten(rows, row)) ?? own);
}

const isRewritten = (rows: readonly Row[], row: Row) => rewrittenAt(rows, row) !== undefined;

/**
 * Returns the first row of the exchange at which this program rewrote a file after `row`; undefined if it has not.
 * `rows` are the file's, of every folder, newest first.
 */
function rewrittenAt(rows: readonly Row[], row: Row): number | undefined {
  // A file with a conflict has no hash: it was left as it is.
  const later = rows.filter(
    ({ seq, folder, hash }) => folder === row.folder && seq >= row.seq && hash !== "",
  );
  const rewriting = later.findLast(
    ({ isWritten, hash }, index) => isWritten === 1 && hash !== (later[index + 1]?.hash ?? hash),
  );
  if (rewriting === undefined) return undefined;
  const isTwin = ({ folder, hash, seq }: Row) =>
    folder === ANYWHERE && hash === rewriting.hash && seq > row.seq && seq < rewriting.seq;
  return rows.find(isTwin)?.seq ?? rewriting.seq; // an exchange records its files for any folder first
}

/** Returns the first exchange that the older files of a folder have not seen; Infinity if there are none. */
function firstMissed(store: Store, place: CopyPlace, copy: WorkingCopy, files: FolderFiles): number {
  const owns = new Map([...copy.chapters.values()].map((row) => [row.file, row]));
  const seen = { missed: () => Number.POSITIVE_INFINITY };
  const chapters = files.chapters.flatMap((file) => {
    const own = owns.get(file.file);
    if (own === undefined || own.hash === file.hash) return [];
    const rows = listCopiesOf(store, own.chapterId);
    const said = { hash: file.hash, fields: file.fields(), revision: file.revision() };
    const row = rowOfChapter(rows, own, { ...seen, ...said, id: own.chapterId });
    return row === undefined ? [] : (rewrittenAt(rows, row) ?? []);
  });
  const texts = files.texts.flatMap(({ file, hash }) => {
    const own = copy.texts.get(file);
    if (own === undefined || own.hash === hash) return [];
    const rows = listCopiesOfText(store, { ...place, file });
    const row = olderOf(rows, own, hash);
    return row === undefined ? [] : (rewrittenAt(rows, row) ?? []);
  });
  return smallest([...chapters, ...texts]);
}
