import { createHash } from "node:crypto";
import type { BookId, ChapterId } from "../../ids.ts";
import type { Store } from "../file/store.ts";

/** A picture to keep; `hash` is the SHA-256 of its bytes, in hexadecimal. */
export interface NewPicture {
  hash: string;
  type: string;
  bytes: Buffer;
}

/** The SHA-256 of a picture's bytes, in hexadecimal. */
export function hashOfPicture(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Every picture of the file, by hash: those that only the history names, too. */
export function listPictures(store: Store): NewPicture[] {
  return store.all("SELECT hash, type, bytes FROM pictures ORDER BY hash");
}

/** The picture of a hash, if the file has its bytes as they were. */
export function findWhole(store: Store, hash: string): NewPicture | undefined {
  const found = store.get<NewPicture>("SELECT hash, type, bytes FROM pictures WHERE hash = ?", hash);
  return found !== undefined && hashOfPicture(found.bytes) === hash ? found : undefined;
}

// A book that was deleted comes back with its pictures: what the history names stays, too.
const UNNAMED = `hash NOT IN (SELECT hash FROM book_pictures) AND hash NOT IN (
  SELECT json_extract(before, '$.hash') FROM journal_entries
  WHERE tbl = 'book_pictures' AND json_type(before, '$.hash') = 'text')`;

/** The bytes of the pictures that neither a book nor the history names. */
export function unnamedBytes(store: Store): number {
  return store.list<number>(`SELECT total(size_bytes) FROM pictures WHERE ${UNNAMED}`)[0] ?? 0;
}

/** Drops those pictures; returns how many bytes they had. */
export function dropUnnamed(store: Store): number {
  const bytes = unnamedBytes(store);
  if (bytes > 0) store.run(`DELETE FROM pictures WHERE ${UNNAMED}`);
  return bytes;
}

/** Keeps a picture's bytes, if the file has them not yet. */
export function insertPicture(store: Store, { hash, type, bytes }: NewPicture): void {
  store.run(
    "INSERT INTO pictures(hash, type, size_bytes, bytes) VALUES(?, ?, ?, ?) ON CONFLICT DO NOTHING",
    ...[hash, type, bytes.length, bytes],
  );
}

/** The hash of the picture that a book has at a place in its folder, or undefined. */
export function pictureAt(store: Store, bookId: BookId, file: string): string | undefined {
  return store.list<string>("SELECT hash FROM book_pictures WHERE id = ?", `${bookId} ${file}`)[0];
}

/** A place in a book's folder, and the hash of the picture that lies there. */
export interface PictureAt {
  file: string;
  hash: string;
}

/** The pictures of a book, by their places. */
export function picturesOfBook(store: Store, bookId: BookId): PictureAt[] {
  return store.all("SELECT file, hash FROM book_pictures WHERE book_id = ? ORDER BY file", bookId);
}

/** Keeps a picture at a place in a book's folder, over the one that was there. */
export function keepPicture(
  store: Store,
  { bookId, file }: { bookId: BookId; file: string },
  picture: NewPicture,
): void {
  insertPicture(store, picture);
  store.run(
    "INSERT INTO book_pictures(id, book_id, file, hash) VALUES(:id, :bookId, :file, :hash) ON CONFLICT(id) DO UPDATE SET hash = :hash",
    { id: `${bookId} ${file}`, bookId, file, hash: picture.hash },
  );
}

/** The picture that a book has at a place, or undefined. */
export function bookPicture(store: Store, bookId: BookId, file: string): NewPicture | undefined {
  return store.get(
    "SELECT hash, type, bytes FROM book_pictures JOIN pictures USING(hash) WHERE id = ?",
    `${bookId} ${file}`,
  );
}

/** A picture, and its place in a book's folder. */
export interface StoredPicture extends NewPicture {
  file: string;
}

/** The picture that a chapter's book has at a place, whole; with `isAnywhere`, at a place that ends so. */
export function findPicture(
  store: Store,
  chapterId: ChapterId,
  file: string,
  isAnywhere = false,
): StoredPicture | undefined {
  const place = isAnywhere
    ? "(file = :file OR substr(file, -length(:file) - 1) = '/' || :file)"
    : "file = :file";
  const found = store.get<{ file: string; hash: string }>(
    `SELECT file, hash FROM book_pictures
     WHERE book_id = (SELECT book_id FROM chapters WHERE id = :chapterId) AND ${place} ORDER BY file`,
    { chapterId, file },
  );
  const whole = found && findWhole(store, found.hash);
  return whole && { ...whole, file: found.file };
}
