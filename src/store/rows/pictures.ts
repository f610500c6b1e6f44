import type { BookId, ChapterId } from "../../ids.ts";
import type { Store } from "../file/store.ts";

/** A picture to keep; `hash` is the SHA-256 of its bytes, in hexadecimal. */
export interface NewPicture {
  hash: string;
  type: string;
  bytes: Buffer;
}

/** The hash of the picture that a book has at a place in its folder, or undefined. */
export function pictureAt(store: Store, bookId: BookId, file: string): string | undefined {
  return store.list<string>("SELECT hash FROM book_pictures WHERE id = ?", `${bookId} ${file}`)[0];
}

/** Keeps a picture at a place in a book's folder, over the one that was there. */
export function keepPicture(
  store: Store,
  { bookId, file }: { bookId: BookId; file: string },
  { hash, type, bytes }: NewPicture,
): void {
  store.run(
    "INSERT INTO pictures(hash, type, size_bytes, bytes) VALUES(?, ?, ?, ?) ON CONFLICT DO NOTHING",
    ...[hash, type, bytes.length, bytes],
  );
  store.run(
    "INSERT INTO book_pictures(id, book_id, file, hash) VALUES(:id, :bookId, :file, :hash) ON CONFLICT(id) DO UPDATE SET hash = :hash",
    { id: `${bookId} ${file}`, bookId, file, hash },
  );
}

/** The bytes of the picture that a chapter's book has at a place; with `isAnywhere`, at a place that ends so. */
export function findPicture(
  store: Store,
  chapterId: ChapterId,
  file: string,
  isAnywhere = false,
): { file: string; bytes: Buffer } | undefined {
  const place = isAnywhere
    ? "(file = :file OR substr(file, -length(:file) - 1) = '/' || :file)"
    : "file = :file";
  return store.get(
    `SELECT file, bytes FROM book_pictures JOIN pictures USING(hash)
     WHERE book_id = (SELECT book_id FROM chapters WHERE id = :chapterId) AND ${place} ORDER BY file`,
    { chapterId, file },
  );
}
