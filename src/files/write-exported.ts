import type { StoredChapter } from "../book/book.ts";
import type { Book } from "../service/interchange/read-book.ts";
import { ANYWHERE, isKnownFile, type Recorded, recordWritten } from "../service/interchange/working-copy.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { copyPictures, type ExportedPicture } from "./copy-pictures.ts";
import { hash } from "./disk/text-file.ts";
import { type FileStatus, type OutFile, type WriteProgress, writeFolder } from "./disk/write-folder.ts";
import type { picturesOf } from "./pictures.ts";

/** What an export wrote. */
export interface Exported {
  book: Book;
  /** What became of each chapter's file, in reading order. */
  files: { file: string; status: FileStatus }[];
  /** Those that the chapters refer to. */
  pictures: ExportedPicture[];
  /** What the files do not say of the book, a sentence each. */
  unsaid: string[];
}

/** A book as files. */
interface BookOut {
  book: Book;
  /** In reading order. */
  chapters: readonly (OutFile & { chapter: StoredChapter })[];
  others: readonly OutFile[];
  pictures: ReturnType<typeof picturesOf>;
}

/** Into which folder it goes, and what of that may be written over. */
interface Target {
  folder: string;
  /** The folder is the book's: what nobody has changed there since is written over, and nothing elsewhere. */
  isOwn: boolean;
  /** Writes over whatever is there. */
  force: boolean;
  /** Whether a file that is no chapter is as the manuscript knows it. */
  isKnown: (file: string, bytes: Buffer) => boolean;
  /** What the folder is remembered to hold. */
  recorded: Recorded;
  step: WriteProgress | undefined;
}

/** Writes a book's files into a folder, then the pictures, and records them. Throws `WouldLose` before anything is written. */
export async function writeExported(
  manuscript: Manuscript,
  { book, chapters, others, pictures }: BookOut,
  { folder, isOwn, force, isKnown, recorded, step }: Target,
): Promise<Omit<Exported, "unsaid">> {
  const idOf = new Map(chapters.map(({ chapter, file }) => [file, chapter.id]));
  const isLastKnown = (file: string, bytes: Buffer) => {
    const id = idOf.get(file);
    return id === undefined ? isKnown(file, bytes) : isKnownFile(manuscript, id, hash(bytes));
  };
  const record = (where: string) => recordWritten(manuscript, { folder: where, bookId: book.id }, recorded);
  const written = await writeFolder(folder, [...chapters, ...others], {
    mayOverwrite: (file, bytes) => force || (isOwn && isLastKnown(file, bytes)),
    // Only in a folder of this book is anything overwritten: there a run that is killed must leave no file unknown.
    ...(isOwn && { checked: () => record(ANYWHERE) }),
    step,
  });
  record(folder);
  const files = chapters.map(({ file }, index) => ({ file, status: written[index] ?? "same" })); // one entry a file
  return { book, files, pictures: await copyPictures(manuscript, folder, { chapters, pictures }) };
}
