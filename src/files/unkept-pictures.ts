import { existsSync } from "node:fs";
import type { StoredChapter } from "../book/book.ts";
import type { BookId } from "../ids.ts";
import { keptPicture } from "../service/interchange/pictures.ts";
import { readBook } from "../service/interchange/read-book.ts";
import { foldersOfChapter } from "../service/interchange/working-copy.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { once } from "../text/once.ts";
import { findLinked, isLocal, type PictureLink, picturesIn } from "./pictures.ts";

/** A picture that a book refers to and the manuscript does not hold whole. */
export interface UnkeptPicture {
  /** Path as it is written. */
  file: string;
  /** The chapter's title; null for the cover. */
  from: string | null;
  /** True if a folder of the book has it. */
  isInFolder: boolean;
}

/** Lists the pictures that a book's chapters and its cover refer to and the manuscript does not hold, each once. */
export function unkeptPictures(manuscript: Manuscript, bookId: BookId): UnkeptPicture[] {
  const { chapters, manifest } = readBook(manuscript, bookId);
  const named = chapters.flatMap((chapter) => unkeptOf(manuscript, chapter, picturesIn(chapter)));
  const cover = { path: String(manifest.cover ?? ""), isAnywhere: false };
  const covers = isLocal(cover.path) ? coverOf(manuscript, chapters, cover) : [];
  return [...new Map([...covers, ...named].map((picture) => [picture.file, picture])).values()];
}

function unkeptOf(
  manuscript: Manuscript,
  { id, title, file: own }: StoredChapter,
  links: readonly PictureLink[],
): UnkeptPicture[] {
  const folders = once(() => foldersOfChapter(manuscript, id));
  return links.flatMap((link) => {
    const files = [own ?? "", ...folders().map(({ file }) => file)];
    if (keptPicture(manuscript, id, link, files) !== undefined) return [];
    return [{ file: link.path, from: title, isInFolder: isIn(folders(), link) }];
  });
}

function coverOf(
  manuscript: Manuscript,
  chapters: readonly StoredChapter[],
  cover: PictureLink,
): UnkeptPicture[] {
  const [first] = chapters;
  if (first !== undefined && keptPicture(manuscript, first.id, cover, [""]) !== undefined) return [];
  const folders = chapters.flatMap(({ id }) => foldersOfChapter(manuscript, id));
  const names = [...new Set(folders.map(({ folder }) => folder))];
  const isInFolder = isIn(
    names.map((folder) => ({ folder, file: "" })),
    cover,
  );
  return [{ file: cover.path, from: null, isInFolder }];
}

function isIn(folders: readonly { folder: string; file: string }[], link: PictureLink): boolean {
  return folders.some(({ folder, file }) => existsSync(folder) && findLinked(folder, file, link).isThere);
}
