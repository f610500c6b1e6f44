import type { Book } from "../../service/interchange/read-book.ts";
import { type Recorded, readWorkingCopy } from "../../service/interchange/working-copy.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import type { OutFile } from "../disk/write-folder.ts";
import type { Yaml } from "../yaml/open.ts";
import { knownAnnotations, readAnnotationFiles } from "./annotation-files.ts";
import { ANNOTATIONS, renderAnnotations, tryRead } from "./render-annotations.ts";

export { readAnnotations } from "../../service/interchange/read-annotations.ts";

/** The facts and notes of a book as files of a folder. */
export interface AnnotationsOut {
  files: OutFile[];
  /** Files of the folder that are as they came into the manuscript: an export may change them. */
  known: ReadonlySet<string>;
  /** What the working copy is to hold of the files. */
  copied: Recorded["texts"] & object;
}

/**
 * Renders a book's facts and notes as files; `names` are those of its chapters' files. What is to be recorded is made in
 * the same transaction as the book was read in: what others write meanwhile is not in the files.
 */
export function exportAnnotations(
  manuscript: Manuscript,
  book: Book,
  folder: string,
  { names, force, yaml }: { names: readonly string[]; force: boolean; yaml: Yaml },
): AnnotationsOut {
  const filesOfChapters = new Map(book.chapters.map(({ id }, index) => [id, names[index] ?? ""]));
  const where = {
    bookId: book.id,
    files: filesOfChapters,
    copy: readWorkingCopy(manuscript, { folder, bookId: book.id }),
  };
  const held = new Map(
    (force ? [] : readAnnotationFiles(folder)).flatMap((text) => {
      const known = tryRead(() => knownAnnotations(manuscript, where, text, yaml));
      return known?.isImported ? [[text.file, { text: text.text, ids: known.ids }]] : [];
    }),
  );
  const files = ANNOTATIONS.flatMap(
    (file) => renderAnnotations(yaml, book, { file, names, held: held.get(file) }) ?? [],
  );
  const copied = files.flatMap(
    ({ file, bytes }) =>
      knownAnnotations(manuscript, where, { file, text: bytes.toString() }, yaml)?.copied ?? [],
  );
  return { files, known: new Set(held.keys()), copied };
}
