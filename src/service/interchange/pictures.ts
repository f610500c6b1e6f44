import { dirname, join, normalize } from "node:path/posix";
import type { BookId, ChapterId } from "../../ids.ts";
import { isNamedAs, pictureTypeOf } from "../../picture-type.ts";
import * as stored from "../../store/rows/pictures.ts";
import type { Manuscript } from "../manuscript.ts";

/** A longer picture stays in its folder. */
const PICTURE_BYTES = 20 * 1024 * 1024;

/** Why a picture of so many bytes stays in its folder; undefined if it is kept. Reads nothing. */
export function whyTooLarge(sizeBytes: number): string | undefined {
  if (sizeBytes <= PICTURE_BYTES) return undefined;
  return `it has ${(sizeBytes / 2 ** 20).toFixed(1)} MiB, and the manuscript keeps pictures up to ${PICTURE_BYTES / 2 ** 20}`;
}

/** Keeps a picture at its place in a book's folder, within the act that runs. Returns why not, if so. */
export function keepPicture(
  manuscript: Manuscript,
  bookId: BookId,
  file: string,
  bytes: Buffer,
): string | undefined {
  const type = pictureTypeOf(bytes);
  if (type === undefined || !isNamedAs(type, file))
    return "it is not a picture of the type that its name says";
  const { store } = manuscript;
  const hash = stored.hashOfPicture(bytes);
  if (stored.pictureAt(store, bookId, file) !== hash)
    stored.keepPicture(store, { bookId, file }, { hash, type, bytes });
  return undefined;
}

/** The pictures of a book, by place and by hash. */
export interface KeptPictures {
  /** Hash of the picture at a place. */
  hashAt(file: string): string | undefined;
  /** First place of a picture. */
  fileOf(hash: string): string | undefined;
}

/** Returns the pictures that a book keeps; none of a book that is not there. */
export function keptPictures({ store }: Manuscript, bookId: BookId): KeptPictures {
  const all = stored.picturesOfBook(store, bookId);
  const byFile = new Map(all.map(({ file, hash }) => [file, hash]));
  return {
    hashAt: (file) => byFile.get(file),
    fileOf: (hash) => all.find((one) => one.hash === hash)?.file,
  };
}

/** Returns a link's path without what follows a `?` or `#`, its blanks and signs decoded. */
export function decodedPath(path: string): string {
  const bare = path.replace(/[?#].*$/s, "").replaceAll("\\", "/");
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare; // a per cent sign of its own
  }
}

/** Resolves a path in a file of the folder; with `..` in front if it leads out of the folder. */
export function linkedPlace(file: string, path: string): string {
  return normalize(path.startsWith("/") ? path.slice(1) : join(dirname(file), path));
}

/**
 * Returns the picture that a chapter's book keeps where a link in the chapter leads, from one of its files, in this order;
 * for a link that means a file anywhere, the first whose place ends so.
 */
export function keptPicture(
  { store }: Manuscript,
  chapterId: ChapterId,
  { path, isAnywhere }: { path: string; isAnywhere: boolean },
  files: readonly string[],
): stored.StoredPicture | undefined {
  const places = isAnywhere ? [normalize(path)] : files.map((file) => linkedPlace(file, path));
  for (const place of places) {
    const found = stored.findPicture(store, chapterId, place, isAnywhere);
    if (found !== undefined) return found;
  }
  return undefined;
}
