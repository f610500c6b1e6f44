import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type RandomBytes, systemRandom } from "../../src/ids.ts";
import { createKey } from "../../src/service/account/keys.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { type Manuscript, openManuscript } from "../../src/service/manuscript.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";

/** A manuscript of one writer among many, and what opens it. */
export interface OneOfMany {
  path: string;
  key: string;
  chapterId: string;
}

const OWNER = { source: "cli" } as const;

/**
 * A folder of so many manuscripts with a chapter of this text each, made in no time: the bytes of the first, with the name
 * of another writer and the hash of its key in their places.
 */
export function makeMany(folder: string, count: number, markdown: string): OneOfMany[] {
  mkdirSync(folder, { recursive: true });
  const first = join(folder, nameOf(0));
  const own = openManuscript(first, { create: true });
  const bookId = createBook(own, { title: "One of many" }, OWNER).id;
  const { id: chapterId } = createChapter(own, bookId, { title: "A chapter" }, OWNER);
  replaceProse(own, chapterId, { markdown }, OWNER);
  const { writer } = own;
  const made = keyOf(own, writer);
  createKey({ ...own, random: made.random });
  own.close();
  const bytes = readFileSync(first);
  const places = [
    { at: placesOf(bytes, writer), patch: (other: ReturnType<typeof keyOf>) => other.writer },
    { at: placesOf(bytes, made.hash), patch: (other: ReturnType<typeof keyOf>) => other.hash },
  ];
  const files = [{ path: first, key: made.key, chapterId }];
  for (let at = 1; at < count; at++) {
    const path = join(folder, nameOf(at));
    const other = keyOf(own, Buffer.from(systemRandom(5)).toString("hex"));
    copyFileSync(first, path);
    const file = openSync(path, "r+");
    for (const place of places) for (const from of place.at) writeSync(file, place.patch(other), from);
    closeSync(file);
    files.push({ path, key: other.key, chapterId });
  }
  return files;
}

const nameOf = (at: number) => `n${String(at).padStart(5, "0")}.manuscript`;

/** A key of this writer and the hash that its file keeps. Nothing is written. */
function keyOf({ store }: Manuscript, writer: string) {
  const secret = systemRandom(32);
  const random: RandomBytes = () => secret;
  let hash = "";
  const nowhere = {
    ...{ mint: store.mint, clock: store.clock },
    setAside: (write: () => unknown) => write(),
    run: (_: string, row: { hash: string }) => {
      hash = row.hash;
    },
  };
  const { key } = createKey({ store: nowhere, writer, random } as unknown as Manuscript);
  return { writer, key, hash, random };
}

function placesOf(bytes: Buffer, text: string): number[] {
  const found: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) found.push(at);
  return found;
}
