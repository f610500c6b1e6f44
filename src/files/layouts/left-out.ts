import { join } from "node:path";
import { TEXT_FILE } from "../../service/field-rules.ts";
import { readTextFile } from "../disk/text-file.ts";
import type { ChapterFile, SkippedFile } from "../folder/book-files.ts";
import { reasonToSkip } from "./folder.ts";
import type { LayoutBook } from "./layout.ts";
import { CONFLICT, README } from "./names.ts";
import { walk } from "./walk.ts";

/** The files of a folder that a layout neither read nor left out itself, with the reason; `index` lists its chapters. */
export function restOf(
  folder: string,
  { chapters, skipped, used }: LayoutBook,
  index: string | undefined,
): SkippedFile[] {
  const known = new Set([
    ...chapters.map(({ name }) => name),
    ...chapters.map(({ file }) => file),
    ...skipped.map(({ file }) => file),
    ...used,
  ]);
  const { files, isWhole } = walk(folder);
  const rest = files
    .filter((file) => !known.has(file))
    .map((file) => ({ file, reason: reasonFor(folder, file, index) }));
  const more = { file: folder, reason: "it holds more files than are listed here" };
  return isWhole ? rest : [...rest, more];
}

function reasonFor(folder: string, file: string, index: string | undefined): string {
  if (README.test(file)) return "a README is no chapter";
  if (!TEXT_FILE.test(file)) return "not Markdown";
  const reason = reasonToSkip(folder, file);
  if (reason !== undefined) return reason;
  return index === undefined
    ? "not Markdown by its name; --adopt takes it in"
    : `${index} does not list it; --adopt takes it in`;
}

/** The Markdown and text among what was left out, as chapters; never a README, a conflict, or what is known for something else. */
export function adopt(
  folder: string,
  skipped: readonly SkippedFile[],
  { isForeign }: { isForeign: boolean },
): ChapterFile[] {
  return skipped
    .filter(
      ({ file, isKnown }) =>
        isKnown !== true && TEXT_FILE.test(file) && !README.test(file) && !CONFLICT.test(file),
    )
    .filter(({ file }) => reasonToSkip(folder, file) === undefined)
    .map(({ file }) => ({ file, name: file, text: readTextFile(join(folder, file), file), isForeign }));
}
