import type { BookId, ChapterId } from "../ids.ts";
import type { Store } from "./file/store.ts";
import { undoOf } from "./journal/acts.ts";
import type { Status } from "./rows/chapters.ts";

/** A folder that holds a book as files; "" is any: what an export is about to write, wherever that is. */
export interface CopyPlace {
  folder: string;
  bookId: BookId;
}

/** The fields of every file of a working copy. */
interface CopiedFile {
  folder: string;
  /** SHA-256 of the file's text, hexadecimal; "" if only its text is known. */
  hash: string;
  /** The import that brought it; null if no undo takes it back. */
  act: number | null;
  seq: number;
  /** 1 if the file is as this program writes it: then it is as it would be written again. */
  isWritten: 0 | 1;
}

/** A chapter's file as folder and manuscript last had it in common. */
export interface CopiedChapter extends CopiedFile {
  chapterId: ChapterId;
  /** Relative to the folder; null if no file of its own held the chapter. */
  file: string | null;
  /** The chapter's revision at that moment, and its fields as the file has them. */
  revision: number;
  title: string;
  status: Status;
  synopsis: string;
  part: string | null;
  /** The prose of the file, if the chapter's revision holds more: a merge took both sides. */
  text: string | null;
}

/** Another file of a working copy: the book's list, its facts, its notes. */
export interface CopiedText extends CopiedFile {
  file: string;
  /** What both had in common of it. */
  text: string;
  /** A signature of what it shows of the manuscript, to detect later changes; null if unknown. */
  stored: string | null;
}

const CHAPTER =
  "seq, act, hash, written AS isWritten, folder, chapter_id AS chapterId, file, revision, title, status, synopsis, part, text";
const TEXT = "seq, act, hash, written AS isWritten, folder, file, text, stored";

/** What a folder and the manuscript last had in common of each chapter and each other file, undone imports skipped. */
export function listCopied(
  store: Store,
  { folder, bookId }: CopyPlace,
): { chapters: CopiedChapter[]; texts: CopiedText[] } {
  const rows = store.all<Pick<CopiedFile, "seq" | "act"> & { what: string }>(
    "SELECT seq, act, coalesce(chapter_id, file) AS what FROM working_copies WHERE folder = ? AND book_id = ? ORDER BY seq DESC",
    folder,
    bookId,
  );
  const newest = new Map<string, number>();
  const isValid = notUndone(store);
  for (const row of rows) if (!newest.has(row.what) && isValid(row)) newest.set(row.what, row.seq);
  const seqs = JSON.stringify([...newest.values()]);
  const among = "FROM working_copies WHERE seq IN (SELECT value FROM json_each(?))";
  return {
    chapters: store.all<CopiedChapter>(`SELECT ${CHAPTER} ${among} AND chapter_id IS NOT NULL`, seqs),
    texts: store.all<CopiedText>(`SELECT ${TEXT} ${among} AND chapter_id IS NULL`, seqs),
  };
}

/** The number of the newest thing that a folder and the manuscript had in common; 0 if there is none. */
export function lastCopied(store: Store): number {
  return Number(store.list("SELECT coalesce(max(seq), 0) FROM working_copies")[0]);
}

/** All that a folder has had of a book, the newest first, undone imports skipped. */
export function listExchanges(
  store: Store,
  { folder, bookId }: CopyPlace,
): { chapters: CopiedChapter[]; texts: CopiedText[] } {
  const from = (columns: string, is: string) =>
    `SELECT ${columns} FROM working_copies WHERE folder = ? AND book_id = ? AND chapter_id ${is} ORDER BY seq DESC`;
  const isValid = notUndone(store);
  return {
    chapters: store.all<CopiedChapter>(from(CHAPTER, "IS NOT NULL"), folder, bookId).filter(isValid),
    texts: store.all<CopiedText>(from(TEXT, "IS NULL"), folder, bookId).filter(isValid),
  };
}

/** Every folder's copies of a chapter, the newest first. */
export function listCopiesOf(store: Store, chapterId: ChapterId): CopiedChapter[] {
  const where = "WHERE chapter_id = ? ORDER BY seq DESC";
  const rows = store.all<CopiedChapter>(`SELECT ${CHAPTER} FROM working_copies ${where}`, chapterId);
  return rows.filter(notUndone(store));
}

/** Every folder's copies of another file of a book, the newest first. */
export function listCopiesOfText(
  store: Store,
  { bookId, file }: { bookId: BookId; file: string },
): CopiedText[] {
  const where = "WHERE book_id = ? AND file = ? AND chapter_id IS NULL ORDER BY seq DESC";
  const rows = store.all<CopiedText>(`SELECT ${TEXT} FROM working_copies ${where}`, bookId, file);
  return rows.filter(notUndone(store));
}

/** Whether a file of this hash, of any folder, is among the copies. */
export function isCopied(store: Store, hash: string): boolean {
  return store.get("SELECT 1 FROM working_copies WHERE hash = ?", hash) !== undefined;
}

/** The book whose chapter a file of a folder last held; undefined if the chapter was deleted. */
export function findBookOfFile(store: Store, folder: string, file: string): BookId | undefined {
  const rows = store.all<{ act: number | null; bookId: BookId | null }>(
    `SELECT w.act, c.book_id AS bookId FROM working_copies w LEFT JOIN chapters c ON c.id = w.chapter_id
     WHERE w.folder = ? AND w.file = ? AND w.chapter_id IS NOT NULL ORDER BY w.seq DESC`,
    folder,
    file,
  );
  return rows.find(notUndone(store))?.bookId ?? undefined;
}

/** Tells which rows are valid: an import's only while the import is not undone. */
function notUndone(store: Store): (row: { act: number | null }) => boolean {
  const known = new Map<number, boolean>();
  return ({ act }) => {
    if (act === null) return true;
    const isValid = known.get(act) ?? undoOf(store, act) === undefined;
    known.set(act, isValid);
    return isValid;
  };
}

type New<Row extends CopiedFile> = Omit<Row, "seq" | "act" | "folder">;

/**
 * Records what a folder and the manuscript have in common now; `act` is the import that brought it, null for files that
 * this program wrote. Nothing is added if the newest row says the same, unless that one would go with an undo of its
 * import and this one stays: the folder was left so. O(rows of the place).
 */
export function recordCopied(
  store: Store,
  { folder, bookId }: CopyPlace,
  {
    chapters = [],
    texts = [],
  }: { chapters?: readonly New<CopiedChapter>[]; texts?: readonly New<CopiedText>[] },
  act: number | null,
): void {
  const last = listCopied(store, { folder, bookId });
  const ofChapter = new Map(last.chapters.map((row) => [row.chapterId, row]));
  const ofText = new Map(last.texts.map((row) => [row.file, row]));
  const isKnown = (row: CopiedFile | undefined, { isWritten, ...next }: Pick<CopiedFile, "isWritten">) =>
    row !== undefined && (act !== null || row.act === null) && row.isWritten >= isWritten && says(row, next);
  for (const next of chapters) {
    if (isKnown(ofChapter.get(next.chapterId), next)) continue;
    store.run(
      `INSERT INTO working_copies(folder, book_id, act, chapter_id, file, hash, written, revision, title, status, synopsis, part, text)
       VALUES(:folder, :bookId, :act, :chapterId, :file, :hash, :isWritten, :revision, :title, :status, :synopsis, :part, :text)`,
      { ...next, folder, bookId, act },
    );
  }
  for (const next of texts) {
    if (isKnown(ofText.get(next.file), next)) continue;
    store.run(
      `INSERT INTO working_copies(folder, book_id, act, file, hash, written, text, stored)
       VALUES(:folder, :bookId, :act, :file, :hash, :isWritten, :text, :stored)`,
      { ...next, folder, bookId, act },
    );
  }
}

/** Whether a row equals what is to be recorded; an unknown signature is not compared. */
function says(row: object, next: object): boolean {
  return Object.entries(next).every(
    ([key, value]) => row[key as keyof typeof row] === value || (key === "stored" && value === null),
  );
}
