import type { BookExport } from "../../service/interchange/export-book.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import type { OutFile } from "../disk/write-folder.ts";
import { holdBeside, noteBesideFiles } from "./annotation-files.ts";
import { besideFiles } from "./render-annotations.ts";

export { readBeside } from "../../service/interchange/export-annotations.ts";

/** What an export writes beside the chapters. */
interface BesideOut {
  files: OutFile[];
  /** Whether a file stands as it came into the manuscript. */
  isKnown(file: string): boolean;
  /** Notes that a folder has these files now. */
  note(folder: string): Promise<void>;
}

/** The cast and the marginalia of a book as files; `chapters` are its chapters' files. */
export async function exportBeside(
  manuscript: Manuscript,
  book: BookExport,
  folder: string,
  { chapters, force }: { chapters: readonly OutFile[]; force: boolean },
): Promise<BesideOut> {
  const held = force ? undefined : await holdBeside(manuscript, folder, book.id);
  const files = await besideFiles(book, chapters, held);
  return {
    files,
    isKnown: (file) => held?.files[file] !== undefined,
    note: (where) => noteBesideFiles(manuscript, { folder: where, bookId: book.id }, files),
  };
}
