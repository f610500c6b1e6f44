import { existsSync } from "node:fs";
import type { Book } from "../../service/interchange/read-book.ts";
import type { ChapterFiles } from "../../service/interchange/signatures.ts";
import { readWorkingCopy } from "../../service/interchange/working-copy.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import type { OutFile } from "../disk/write-folder.ts";
import { knownAnnotations, readAnnotationFiles } from "./annotation-files.ts";
import { ANNOTATIONS, renderAnnotations, tryRead } from "./render-annotations.ts";

export { readAnnotations } from "../../service/interchange/read-annotations.ts";

/** The facts and notes of a book as files of a folder, and how a working copy has them. */
export interface AnnotationsOut {
  files: OutFile[];
  /** Files of the folder that stand as they came into the manuscript: an export may change them. */
  known: ReadonlySet<string>;
}

/** A book's facts and notes as files; `names` are those of its chapters' files. */
export async function exportAnnotations(
  manuscript: Manuscript,
  book: Book,
  folder: string,
  { names, force }: { names: readonly string[]; force: boolean },
): Promise<AnnotationsOut> {
  const yaml = await import("yaml");
  const files = new Map(book.chapters.map(({ id }, index) => [id, names[index] ?? ""]));
  const where = { bookId: book.id, files, copy: readWorkingCopy(manuscript, { folder, bookId: book.id }) };
  const texts = force || !existsSync(folder) ? [] : readAnnotationFiles(folder);
  const held = new Map(
    texts.flatMap((text) => {
      const known = tryRead(() => knownAnnotations(manuscript, where, text, yaml));
      return known?.isImported ? [[text.file, { text: text.text, ids: known.ids }]] : [];
    }),
  );
  return {
    files: ANNOTATIONS.flatMap(
      (file) => renderAnnotations(yaml, book, { file, names, held: held.get(file) }) ?? [],
    ),
    known: new Set(held.keys()),
  };
}

/** What a working copy is to hold of these files, which say what the manuscript does. */
export async function copiedAnnotations(
  manuscript: Manuscript,
  { folder, bookId }: { folder: string; bookId: string },
  written: readonly OutFile[],
  files: ChapterFiles,
) {
  const yaml = await import("yaml");
  const where = { bookId, files, copy: readWorkingCopy(manuscript, { folder, bookId }) };
  return written.flatMap(({ file, bytes }) => {
    const known = knownAnnotations(manuscript, where, { file, text: bytes.toString() }, yaml);
    return known === undefined ? [] : [known.copied];
  });
}
