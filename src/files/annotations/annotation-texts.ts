import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BadRequest } from "../../refusals.ts";
import type { TextFile } from "../book-files.ts";
import { decode, isFileWithin, statLink, statOf } from "../disk/text-file.ts";

/** The file of a book's facts. */
export const FACTS_YAML = "facts.yaml";
/** The file of a book's marginalia. */
export const NOTES_YAML = "notes.yaml";

/** The files of a book's annotations. */
export const ANNOTATIONS = [FACTS_YAML, NOTES_YAML] as const;

/** One of them. */
export type AnnotationFile = (typeof ANNOTATIONS)[number];

const MOST_BYTES = 64 * 1024 * 1024;

/** Reads the annotation files of a folder. Throws `BadRequest`. */
export function readAnnotationFiles(folder: string): TextFile[] {
  const present = ANNOTATIONS.filter((file) => isFileWithin(folder, file));
  return present.map((file) => {
    const { size } = statOf(join(folder, file), file);
    if (size > MOST_BYTES)
      throw new BadRequest(`${file} has ${size} bytes; at most ${MOST_BYTES} (64 MiB) are read.`);
    return { file, text: decode(readFileSync(join(folder, file)), file) };
  });
}

/** Lists annotation files that are not read because they lie outside the folder. */
export function strangeAnnotationFiles(folder: string): { file: string; reason: string }[] {
  const strange = ANNOTATIONS.filter(
    (file) => statLink(join(folder, file)) !== undefined && !isFileWithin(folder, file),
  );
  return strange.map((file) => ({ file, reason: "not a file of this folder" }));
}
