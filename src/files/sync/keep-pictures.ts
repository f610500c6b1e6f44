import { statSync } from "node:fs";
import { join } from "node:path";
import type { BookId } from "../../ids.ts";
import { keepPicture, whyTooLarge } from "../../service/interchange/pictures.ts";
import { readBook } from "../../service/interchange/read-book.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import type { BookFiles } from "../book-files.ts";
import { readRegular } from "../disk/text-file.ts";
import { glanceAt } from "../folder/chapter-texts.ts";
import { linkFinder, picturesOf } from "../pictures.ts";

/** Chapters by the file that each was read from. */
type Chapters = readonly { id: string; file: string | null }[];

/**
 * Keeps the pictures that files bring, else those in a folder that the chapters of its files refer to, and the book's
 * cover, within the act that runs. Returns those that stay in the folder alone, each with the reason.
 */
export function keepPictures(
  manuscript: Manuscript,
  files: BookFiles,
  { bookId, chapters }: { bookId: BookId; chapters: Chapters },
): ReadonlyMap<string, string> {
  const left = new Map<string, string>();
  if (files.pictures !== undefined) {
    for (const [file, read] of files.pictures) keepPicture(manuscript, bookId, file, read());
    return left;
  }
  for (const { file, path } of picturesThere(manuscript, files, { bookId, chapters })) {
    const why =
      whyTooLarge(statSync(path).size) ?? keepPicture(manuscript, bookId, file, readRegular(path, file));
    if (why !== undefined) left.set(file, why);
  }
  return left;
}

function picturesThere(
  manuscript: Manuscript,
  { folder = "", chapters: sources }: BookFiles,
  { bookId, chapters }: { bookId: BookId; chapters: Chapters },
): { file: string; path: string }[] {
  const named = new Set(sources.filter((source) => glanceAt(source).mayNamePictures).map(({ file }) => file));
  const files = new Map(
    chapters.flatMap(({ id, file }) => (named.has(file) ? [[id, file ?? ""] as const] : [])),
  );
  const book = readBook(manuscript, bookId);
  const stored = book.chapters.filter(({ id }) => files.has(id));
  const found = new Set<string>();
  const find = linkFinder();
  const { cover } = book.manifest;
  if (typeof cover === "string" && cover !== "" && folder !== "") {
    const { file, isThere } = find(folder, "", { path: cover, isAnywhere: false });
    if (isThere) found.add(file);
  }
  for (const [id, links] of picturesOf(stored))
    for (const link of links) {
      const { file, isThere } = find(folder, files.get(id) ?? "", link);
      if (isThere) found.add(file);
    }
  return [...found].map((file) => ({ file, path: join(folder, file) }));
}
