import type { StoredChapter } from "../../book/book.ts";
import type { Book } from "../../service/interchange/read-book.ts";
import {
  ANYWHERE,
  isKnownFile,
  isKnownHash,
  type Recorded,
  recordWritten,
} from "../../service/interchange/working-copy.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { keptAt } from "../disk/kept-folder.ts";
import type { Replacing } from "../disk/replace-files.ts";
import { hash } from "../disk/text-file.ts";
import type { picturesOf } from "../pictures.ts";
import { type FileStatus, type OutFile, type WrittenFile, writeFolder } from "../write-folder.ts";
import { copyPictures, type ExportedPicture } from "./copy-pictures.ts";

/** Result of an export. */
export interface Exported {
  book: Book;
  /** Result for each chapter's file, in reading order. */
  files: { file: string; status: FileStatus }[];
  /** Files that were overwritten by force, or saved by an editor meanwhile, and the paths of their kept texts. */
  kept: KeptFile[];
  /** Files that were saved meanwhile, and stay as they were saved. */
  busy: string[];
  /** Pictures that the chapters refer to. */
  pictures: ExportedPicture[];
  /** Chapters whose prose is damaged. They are not written, and their old files stay. */
  damaged?: { id: string; title: string; file: string }[];
  /** Sentences on what the files leave out of the book. */
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

/** Target folder, and the files that may be overwritten there. */
interface Target {
  folder: string;
  /** True if the folder is this book's: then unedited files are overwritten, else none. */
  isOwn: boolean;
  /** True to overwrite anything. */
  force: boolean;
  /** True if a file other than a chapter's is as the manuscript knows it. */
  isKnown: (file: string, bytes: Buffer) => boolean;
  /** Rows that the working copy records for the folder. */
  recorded: Recorded;
  replacing: Replacing;
}

/**
 * Writes a book's files into a folder, then its pictures, and records them. Throws `WouldLose` before anything is
 * written.
 */
export async function writeExported(
  manuscript: Manuscript,
  { book, chapters, others, pictures }: BookOut,
  { folder, isOwn, force, isKnown, recorded, replacing }: Target,
): Promise<Omit<Exported, "unsaid" | "damaged">> {
  const idOf = new Map(chapters.map(({ chapter, file }) => [file, chapter.id]));
  const isLastKnown = (file: string, bytes: Buffer) => {
    const id = idOf.get(file);
    return id === undefined ? isKnown(file, bytes) : isKnownFile(manuscript, id, hash(bytes));
  };
  const record = (where: string, as = recorded) =>
    recordWritten(manuscript, { folder: where, bookId: book.id }, as);
  const out = [...chapters, ...others];
  const kept = keptAt(folder, manuscript.store.clock());
  const written = await writeFolder(folder, out, {
    mayOverwrite: (file, bytes) => force || (isOwn && isLastKnown(file, bytes)),
    keptAt: (file, bytes) =>
      isLastKnown(file, bytes) || isKnownHash(manuscript, hash(bytes)) ? undefined : kept(file),
    // Files are overwritten only in this book's folder. They are recorded first, so that a killed run leaves no
    // unknown file.
    ...(isOwn && { checked: () => record(ANYWHERE) }),
    ...replacing,
  });
  const busy = new Set(out.flatMap(({ file }, index) => (written[index]?.status === "busy" ? [file] : [])));
  record(folder, withoutFiles(recorded, busy));
  const files = chapters.map(({ file }, index) => ({ file, status: written[index]?.status ?? "same" })); // one entry a file
  return {
    ...{ book, files, busy: [...busy], kept: listKept(out, written) },
    pictures: await copyPictures(manuscript, folder, { chapters, pictures }),
  };
}

/** A file whose text could not stay, and the path where it is kept. */
export interface KeptFile {
  file: string;
  keptAs: string;
}

/** Lists the written files whose former text was kept. */
export function listKept(
  files: readonly Pick<OutFile, "file">[],
  written: readonly WrittenFile[],
): KeptFile[] {
  return files.flatMap(({ file }, index) => {
    const keptAs = written[index]?.keptAs;
    return keptAs === undefined ? [] : [{ file, keptAs }];
  });
}

/** Returns the rows for the working copy, without files that were not written. */
export function withoutFiles({ chapters = [], texts = [] }: Recorded, left: ReadonlySet<string>): Recorded {
  const isIn = ({ file }: { file: string | null }) => file === null || !left.has(file);
  return { chapters: chapters.filter(isIn), texts: texts.filter(isIn) };
}
