import type { StoredChapter } from "../book/book.ts";
import type { Book } from "../service/interchange/read-book.ts";
import {
  ANYWHERE,
  isKnownFile,
  isKnownHash,
  type Recorded,
  recordWritten,
} from "../service/interchange/working-copy.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { copyPictures, type ExportedPicture } from "./copy-pictures.ts";
import { keptAt } from "./disk/kept-folder.ts";
import type { Replacing } from "./disk/replace-files.ts";
import { hash } from "./disk/text-file.ts";
import { type FileStatus, type OutFile, type WrittenFile, writeFolder } from "./disk/write-folder.ts";
import type { picturesOf } from "./pictures.ts";

/** What an export wrote. */
export interface Exported {
  book: Book;
  /** What became of each chapter's file, in reading order. */
  files: { file: string; status: FileStatus }[];
  /** Files that were overwritten by force, or that an editor saved meanwhile, and where what they said is kept. */
  kept: KeptFile[];
  /** Files that somebody saved meanwhile: they are as they were saved. */
  busy: string[];
  /** Those that the chapters refer to. */
  pictures: ExportedPicture[];
  /** Chapters that are not written, for their prose is damaged: what there was of their files stays. */
  damaged?: { id: string; title: string; file: string }[];
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
  replacing: Replacing;
}

/** Writes a book's files into a folder, then the pictures, and records them. Throws `WouldLose` before anything is written. */
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
    // Only in a folder of this book is anything overwritten: there a run that is killed must leave no file unknown.
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

/** A file whose text could not stay in its place, and where it is. */
export interface KeptFile {
  file: string;
  keptAs: string;
}

/** Those of the files written whose former text is kept. */
export function listKept(
  files: readonly Pick<OutFile, "file">[],
  written: readonly WrittenFile[],
): KeptFile[] {
  return files.flatMap(({ file }, index) => {
    const keptAs = written[index]?.keptAs;
    return keptAs === undefined ? [] : [{ file, keptAs }];
  });
}

/** What a working copy is to hold, without files that were not written. */
export function withoutFiles({ chapters = [], texts = [] }: Recorded, left: ReadonlySet<string>): Recorded {
  const isIn = ({ file }: { file: string | null }) => file === null || !left.has(file);
  return { chapters: chapters.filter(isIn), texts: texts.filter(isIn) };
}
