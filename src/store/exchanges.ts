import type { BookId, ChapterId } from "../ids.ts";
import type { Store } from "./file/store.ts";
import { undoOf } from "./journal/acts.ts";

/** What a folder outside and this file last had in common of a chapter: the base of a three-way import. */
export interface Exchange {
  /** The chapter's revision at that moment. */
  revision: number;
  /** The file, relative to the folder; null where no file of its own held it. */
  file: string | null;
  /** SHA-256 of the file's text, hexadecimal. */
  hash: string;
  /** The chapter's fields at that moment, as JSON. */
  fields: string;
  /** The prose that the file held, where the chapter's revision holds more: a merge took both sides. */
  text: string | null;
}

/**
 * Notes an exchange; `act` is the import that made it, null for an export. Nothing is added where the last one says the
 * same, unless that one would go with an undo of its import and this one stays: the folder was left so.
 */
export function noteExchange(
  store: Store,
  where: { folder: string; chapterId: ChapterId },
  { revision, file, hash, fields, text }: Exchange,
  act: number | null,
): void {
  const last = findExchange(store, where);
  const stays = act !== null || last?.act === null;
  const isSame =
    last?.revision === revision && last.file === file && last.hash === hash && last.fields === fields;
  if (isSame && last.text === text && stays) return;
  store.run(
    "INSERT INTO exchanges(folder, chapter_id, act, revision, file, hash, fields, text) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
    where.folder,
    where.chapterId,
    act,
    revision,
    file,
    hash,
    fields,
    text,
  );
}

/** The newest exchange of a chapter with a folder, those of imports that have been undone passed over. */
export function findExchange(
  store: Store,
  { folder, chapterId }: { folder: string; chapterId: ChapterId },
): (Exchange & { act: number | null }) | undefined {
  return newestStanding(
    store,
    listExchanges(store, chapterId).filter((row) => row.folder === folder),
  );
}

/**
 * The exchange that a chapter's file, known by its hash, goes back to: one that any folder has had since this one's own,
 * where it is the very file, else this folder's own. An export that was killed has left files that its folder was never
 * noted for, and a folder may have been moved or copied.
 */
export function findExchangeFor(
  store: Store,
  { folder, chapterId, hash }: { folder: string; chapterId: ChapterId; hash: string },
): Exchange | undefined {
  const rows = listExchanges(store, chapterId);
  const own = newestStanding(
    store,
    rows.filter((row) => row.folder === folder),
  );
  const later = rows.filter((row) => row.hash === hash && row.seq > (own?.seq ?? 0));
  return newestStanding(store, later) ?? own;
}

/** Whether any folder has had a chapter's file with this hash: what it holds is in the manuscript's history. */
export function isExchanged(store: Store, chapterId: ChapterId, hash: string): boolean {
  const rows = listExchanges(store, chapterId).filter((row) => row.hash === hash);
  return newestStanding(store, rows) !== undefined;
}

function listExchanges(store: Store, chapterId: ChapterId) {
  return store.all<Exchange & { seq: number; folder: string; act: number | null }>(
    "SELECT seq, folder, act, revision, file, hash, fields, text FROM exchanges WHERE chapter_id = ? ORDER BY seq DESC",
    chapterId,
  );
}

/** The chapter that a file of a folder was last exchanged for, and the file's hash at that moment. */
export function findExchangeOfFile(
  store: Store,
  { folder, file }: { folder: string; file: string },
): { chapterId: ChapterId; hash: string } | undefined {
  const rows = store.all<{ act: number | null; chapterId: ChapterId; hash: string }>(
    "SELECT act, chapter_id AS chapterId, hash FROM exchanges WHERE folder = ? AND file = ? ORDER BY seq DESC",
    folder,
    file,
  );
  return newestStanding(store, rows);
}

/** A file beside a book's chapters, in one folder: what both last had of it is the base of a three-way import. */
export interface ExchangedFile {
  folder: string;
  bookId: BookId;
  /** Relative to the folder. */
  file: string;
}

/** Notes the text of such a file; `act` as for an exchange, and so is what is not added. */
export function noteExchangedFile(
  store: Store,
  where: ExchangedFile,
  text: string,
  act: number | null,
): void {
  const last = findExchangedRow(store, where);
  if (last?.text === text && (act !== null || last.act === null)) return;
  const { folder, bookId, file } = where;
  store.run(
    "INSERT INTO exchanged_files(folder, book_id, file, act, text) VALUES(?, ?, ?, ?, ?)",
    folder,
    bookId,
    file,
    act,
    text,
  );
}

/** The newest text of such a file, those of imports that have been undone passed over. */
export function findExchangedFile(store: Store, where: ExchangedFile): string | undefined {
  return findExchangedRow(store, where)?.text;
}

function findExchangedRow(store: Store, { folder, bookId, file }: ExchangedFile) {
  const rows = store.all<{ act: number | null; text: string }>(
    "SELECT act, text FROM exchanged_files WHERE book_id = ? AND folder = ? AND file = ? ORDER BY seq DESC",
    bookId,
    folder,
    file,
  );
  return newestStanding(store, rows);
}

/** The newest text of such a file in any folder, of those that `fits` takes. */
export function findExchangedCopy(
  store: Store,
  { bookId, file }: Omit<ExchangedFile, "folder">,
  fits: (text: string) => boolean,
): string | undefined {
  const rows = store.all<{ act: number | null; text: string }>(
    "SELECT act, text FROM exchanged_files WHERE book_id = ? AND file = ? ORDER BY seq DESC",
    bookId,
    file,
  );
  return newestStanding(
    store,
    rows.filter(({ text }) => fits(text)),
  )?.text;
}

function newestStanding<Row extends { act: number | null }>(
  store: Store,
  rows: readonly Row[],
): Row | undefined {
  return rows.find(({ act }) => act === null || undoOf(store, act) === undefined);
}
