import type { LocalAnswer } from "../contract/local-answers.ts";
import { BadRequest } from "../refusals.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { type ImportOptions, importFiles } from "./import.ts";
import type { LayoutName } from "./layouts/names.ts";
import type { PathBook } from "./layouts/read-path.ts";

/** Answer of an import of files that a layout has read. */
export type TakenFiles = LocalAnswer<"taken"> & { layout: LayoutName };

/**
 * Imports files that a layout has read, as `importFiles` does. An empty file makes no book: it may never have been
 * saved. Throws `BadRequest`.
 */
export async function importRead(
  manuscript: Manuscript,
  files: PathBook,
  options: ImportOptions,
): Promise<TakenFiles> {
  if (options.bookId === undefined) assertHoldsText(files);
  const { layout, why } = files;
  return await importFiles(manuscript, files, options, (pictures) => {
    const skipped = withoutPictures(files.skipped, pictures);
    return { layout, why, skipped: skipped.map(({ file, reason }) => ({ file, reason })) };
  });
}

function assertHoldsText({ chapters }: PathBook): void {
  if (chapters.some(({ text }) => text.replace(/^\ufeff/, "").trim() !== "")) return;
  const [first, second] = chapters;
  const what = second === undefined ? `${first?.name} is empty` : `All ${chapters.length} files are empty`;
  throw new BadRequest(`${what}; nothing was imported.`);
}

/** Drops pictures that the text refers to from files that were left out: they are reported separately. */
export function withoutPictures<File extends { file: string }>(
  skipped: readonly File[],
  pictures: readonly { file: string }[],
): File[] {
  const isPicture = new Set(pictures.map(({ file }) => file));
  return skipped.filter(({ file }) => !isPicture.has(file));
}
