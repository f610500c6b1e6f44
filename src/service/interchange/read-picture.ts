import type { BookId, ChapterId } from "../../ids.ts";
import { PICTURE_TYPES, pictureTypeOf } from "../../picture-type.ts";
import { NotFound } from "../../refusals.ts";
import * as stored from "../../store/rows/pictures.ts";
import { found, theBook, theChapter } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import { decodedPath, keptPicture } from "./pictures.ts";
import { foldersOfChapter } from "./working-copy.ts";

/** A picture as it is sent. */
export interface SentPicture {
  hash: string;
  mediaType: string;
  bytes: Buffer;
}

/**
 * Returns the picture that a book keeps at a place in its folder; with a chapter, where a path in its prose leads. Throws
 * `NotFound`.
 */
export function readBookPicture(
  manuscript: Manuscript,
  bookId: BookId,
  { path, chapterId }: { path: string; chapterId?: ChapterId | undefined },
): SentPicture {
  theBook(manuscript, bookId);
  const file = chapterId === undefined ? path : placeOf(manuscript, { bookId, chapterId, path });
  const { hash, bytes } = found(stored.bookPicture(manuscript.store, bookId, file), "picture");
  const type = pictureTypeOf(bytes);
  return {
    hash,
    bytes,
    mediaType: type === undefined ? "application/octet-stream" : PICTURE_TYPES[type].media,
  };
}

function placeOf(
  manuscript: Manuscript,
  { bookId, chapterId, path }: { bookId: BookId; chapterId: ChapterId; path: string },
): string {
  if (theChapter(manuscript, chapterId).bookId !== bookId) throw new NotFound("chapter");
  const files = [...foldersOfChapter(manuscript, chapterId).map(({ file }) => file), ""];
  const link = { path: decodedPath(path), isAnywhere: false };
  return found(keptPicture(manuscript, chapterId, link, files), "picture").file;
}
