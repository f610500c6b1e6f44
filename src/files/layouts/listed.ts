import { realpathSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { BadRequest, NotFound } from "../../refusals.ts";
import type { ChapterSource } from "../book-files.ts";
import { isFileWithin, readTextFile } from "../disk/text-file.ts";
import { safeName } from "../folder/safe-name.ts";
import type { LayoutBook } from "./layout.ts";

/** A chapter as an index lists it. */
export interface ListedEntry extends Omit<ChapterSource, "file" | "name" | "text"> {
  /** Relative to the folder. */
  file: string;
}

/**
 * Returns the path in the folder for one that an index gives relative to `below`. Throws `BadRequest` if it would
 * lead out of the folder.
 */
export function pathOf(file: string, below: string, index: string): string {
  if (/[\u0000-\u001f]/.test(file)) {
    throw new BadRequest(`${index} names a file whose name holds a control character.`);
  }
  const path: string[] = [];
  for (const step of `${below}/${file.replaceAll("\\", "/")}`.split("/")) {
    if (step === ".." && path.pop() === undefined) return safeName(`${below}/${file}`, index); // refused
    if (step !== "" && step !== "." && step !== "..") path.push(step);
  }
  return safeName(file.startsWith("/") ? file : path.join("/"), index);
}

/**
 * Reads the chapters that an index lists, in its order; a file listed twice is read once. Throws `NotFound` if none
 * of them is there, `BadRequest` if it lists none.
 */
export function readListed(
  folder: string,
  entries: readonly ListedEntry[],
  { index, title }: { index: string; title: string | undefined },
): LayoutBook {
  const skipped: { file: string; reason: string }[] = [];
  const [known, missing] = [new Set<string>(), [] as string[]];
  const chapters = entries.flatMap((entry): ChapterSource[] => {
    const { file } = entry;
    if (known.has(file)) {
      skipped.push({ file, reason: `${index} lists it twice; it is taken once` });
      return [];
    }
    known.add(file);
    if (isFileWithin(folder, file)) {
      const text = readTextFile(join(folder, file), file);
      return [{ ...entry, name: file, text, isForeign: true }];
    }
    missing.push(`${file}, which ${index} lists`);
    return [];
  });
  if (missing.length > 0 && chapters.length === 0) throw new NotFound(`file in ${folder}: ${missing[0]}`);
  if (chapters.length === 0) throw new BadRequest(`${index} lists no chapter that has a file.`);
  const fallbackTitle = title || basename(resolve(folder));
  const read = { folder: realpathSync(folder), book: undefined, chapters, missing, skipped };
  return { ...read, used: [index], fallbackTitle };
}

/** Reads the index. Throws `NotFound` if it is no file of the folder. */
export function readIndex(folder: string, index: string): string {
  if (!isFileWithin(folder, index)) throw new NotFound(`file of ${folder}: ${index}`);
  return readTextFile(join(folder, index), index).replace(/^\ufeff/, "");
}
