import { NotFound } from "../refusals.ts";
import { hasBook } from "../service/guards.ts";
import type { ImportAnswer } from "../service/interchange/import-book.ts";
import { bookOfFiles } from "../service/interchange/working-copy.ts";
import { type Manuscript, write } from "../service/manuscript.ts";
import type { BookFiles } from "./folder/book-files.ts";
import { loadYaml, type TakeOptions, takeIn } from "./take-in.ts";

/** Where an import goes, and whether it only says what it would do. */
export interface ImportOptions extends TakeOptions {
  dryRun?: boolean;
}

/**
 * Takes files into the manuscript, as one act; one that changes nothing is none. Throws `BadRequest` and `PayloadTooLarge`
 * naming the file, `NotFound`, `WouldLose`.
 */
export async function importFiles(
  manuscript: Manuscript,
  files: BookFiles,
  { dryRun = false, ...options }: ImportOptions,
): Promise<ImportAnswer> {
  const { folder, missing: [missing] = [] } = files;
  if (options.bookId === undefined && missing !== undefined) {
    throw new NotFound(`file in ${folder}: ${missing}; put it back, or take it off the list`);
  }
  const yaml = await loadYaml(files);
  return write(manuscript, "importBook", { source: "import", dryRun, skipsEmpty: true }, (act) => {
    const settle = takeIn(manuscript, act, { files, yaml }, options);
    return () => settle().answer;
  });
}

/**
 * The book that an import of these files goes into if none was named: the one that their `book.yaml` names, else, even
 * if that is another manuscript's, the one that they were imported for before; undefined for a new one.
 */
export function targetOf(manuscript: Manuscript, { folder, book, chapters }: BookFiles): string | undefined {
  const named = book?.exportedFrom;
  if (named !== undefined && hasBook(manuscript, named)) return named;
  if (folder === undefined) return undefined;
  const files = chapters.flatMap(({ file }) => file ?? []);
  return bookOfFiles(manuscript, folder, files);
}
