import type { LocalAnswer } from "../contract/local-answers.ts";
import { BadRequest } from "../refusals.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { type ImportOptions, importFiles } from "./import.ts";
import type { LayoutName } from "./layouts/names.ts";
import type { PathBook } from "./layouts/read-path.ts";

/** What an import did with files that a layout has read. */
export type TakenFiles = LocalAnswer<"taken"> & { layout: LayoutName };

/** The same as `importFiles`, for files that a layout has read. An empty file may be one that was never saved: it makes no book. Throws `BadRequest`. */
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

/** A picture that the text refers to is no file that was left out: it is told of by itself. */
export function withoutPictures<File extends { file: string }>(
  skipped: readonly File[],
  pictures: readonly { file: string }[],
): File[] {
  const isPicture = new Set(pictures.map(({ file }) => file));
  return skipped.filter(({ file }) => !isPicture.has(file));
}
