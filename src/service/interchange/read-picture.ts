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
  const picture =
    chapterId === undefined
      ? stored.bookPicture(manuscript.store, bookId, path)
      : namedBy(manuscript, { bookId, chapterId, path });
  const { hash, bytes } = found(picture, "picture");
  const type = pictureTypeOf(bytes);
  return {
    hash,
    bytes,
    mediaType: type === undefined ? "application/octet-stream" : PICTURE_TYPES[type].media,
  };
}

/** Finds the picture that a path in a chapter's prose leads to. */
function namedBy(
  manuscript: Manuscript,
  { bookId, chapterId, path }: { bookId: BookId; chapterId: ChapterId; path: string },
): stored.NewPicture | undefined {
  if (theChapter(manuscript, chapterId).bookId !== bookId) throw new NotFound("chapter");
  const files = [...foldersOfChapter(manuscript, chapterId).map(({ file }) => file), ""];
  return keptPicture(manuscript, chapterId, { path: decodedPath(path), isAnywhere: false }, files);
}
