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

/** A row of another file of a working copy: the book's list, its facts, its notes. */
export interface CopiedTextRow extends CopiedFile {
  file: string;
  /** A signature of what it shows of the manuscript, to detect later changes; null if unknown. */
  stored: string | null;
}

/** The same with what both had in common of the file. */
export interface CopiedText extends CopiedTextRow {
  text: string;
}

const CHAPTER =
  "seq, act, hash, written AS isWritten, folder, chapter_id AS chapterId, file, revision, title, status, synopsis, part, text";
const TEXT_ROW = "seq, act, hash, written AS isWritten, folder, file, stored";

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
    texts: store
      .all<CopiedTextRow>(`SELECT ${TEXT_ROW} ${among} AND chapter_id IS NULL`, seqs)
      .flatMap((row) => readCopiedText(store, row) ?? []),
  };
}

/** The number of the newest thing that a folder and the manuscript had in common; 0 if there is none. */
export function lastCopied(store: Store): number {
  return Number(store.list("SELECT coalesce(max(seq), 0) FROM working_copies")[0]);
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
): CopiedTextRow[] {
  const where = "WHERE book_id = ? AND file = ? AND chapter_id IS NULL ORDER BY seq DESC";
  const rows = store.all<CopiedTextRow>(`SELECT ${TEXT_ROW} FROM working_copies ${where}`, bookId, file);
  return rows.filter(notUndone(store));
}

/** A text as its difference from the one in row `newer`: that has other characters than `middle` from `start` to `end`. */
type ShortText = [newer: number, start: number, end: number, middle: string];

// For version 0.3.0 this is a list of one entry with an id that nothing has.
const SHORT = '[{"id":"","mark":null,"fields":{},"short":';

/** A row with its text; undefined if a damaged file has lost the row that holds it. */
export function readCopiedText(store: Store, row: CopiedTextRow): CopiedText | undefined {
  const steps: ShortText[] = [];
  for (let seq: number | undefined = row.seq; seq !== undefined; seq = steps.at(-1)?.[0]) {
    const text = store.list<string>("SELECT text FROM working_copies WHERE seq = ?", seq)[0];
    if (text === undefined) return undefined;
    if (text.startsWith(SHORT)) steps.push(JSON.parse(text)[0].short);
    else
      return {
        ...row,
        text: steps.reduceRight(
          (whole, [, start, end, middle]) => whole.slice(0, start) + middle + whole.slice(end),
          text,
        ),
      };
  }
  return undefined;
}

/** Stores the former text of a file as its difference from this new one, if that is much shorter. O(text). */
function shortenFormer(
  store: Store,
  { bookId, file }: { bookId: BookId; file: string },
  { seq: newer, text }: Pick<CopiedText, "seq" | "text">,
): void {
  const [former] = store.all<Pick<CopiedText, "seq" | "text">>(
    `SELECT seq, text FROM working_copies WHERE book_id = ? AND file = ? AND chapter_id IS NULL AND seq < ?
     AND substr(text, 1, ${SHORT.length}) <> '${SHORT}' ORDER BY seq DESC LIMIT 1`,
    bookId,
    file,
    newer,
  );
  if (former === undefined) return;
  const least = Math.min(text.length, former.text.length);
  let start = 0;
  while (start < least && text[start] === former.text[start]) start++;
  let tail = 0;
  while (tail < least - start && text.at(-1 - tail) === former.text.at(-1 - tail)) tail++;
  const middle = former.text.slice(start, former.text.length - tail);
  const short = `${SHORT}${JSON.stringify([newer, start, text.length - tail, middle] satisfies ShortText)}}]`;
  if (2 * short.length < former.text.length)
    store.run("UPDATE working_copies SET text = ? WHERE seq = ?", short, former.seq);
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
 * import and this one stays: the folder was left so. Only the newest text of a file is stored whole. O(rows of the place).
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
  const isKnown = <Row extends CopiedFile>(row: Row | undefined, { isWritten, ...next }: New<Row>) =>
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
    const last = ofText.get(next.file);
    if (isKnown(last, next)) continue;
    if (last !== undefined && isKnown(last, { ...next, stored: last.stored })) {
      store.run("UPDATE working_copies SET stored = ? WHERE seq = ?", next.stored, last.seq);
      continue;
    }
    store.run(
      `INSERT INTO working_copies(folder, book_id, act, file, hash, written, text, stored)
       VALUES(:folder, :bookId, :act, :file, :hash, :isWritten, :text, :stored)`,
      { ...next, folder, bookId, act },
    );
    shortenFormer(store, { bookId, file: next.file }, { seq: lastCopied(store), text: next.text });
  }
}

/** Whether a row equals what is to be recorded; an unknown signature is not compared. */
function says(row: object, next: object): boolean {
  return Object.entries(next).every(
    ([key, value]) => row[key as keyof typeof row] === value || (key === "stored" && value === null),
  );
}
