import { createHash } from "node:crypto";
import type { BookExport } from "../service/export-book.ts";
import { asKeys, BOOK_JSON, parseBookJson } from "./book-json.ts";

/** The text of `book.json` for a book whose chapters were written to these files, and others beside them; a hash each. */
export function writeBookJson(
  { id, title, manifest, goal, parts, chapters }: BookExport,
  files: readonly { file: string; bytes: Buffer }[],
  beside: readonly { file: string; bytes: Buffer }[] = [],
): string {
  const { parts: ofParts, chapters: ofChapters, ...rest } = manifest;
  const book = {
    title,
    ...rest,
    ...(goal === null ? {} : { goal }),
    parts: parts.map((part) =>
      Object.hasOwn(asKeys(ofParts), part) ? { title: part, ...asKeys(asKeys(ofParts)[part]) } : part,
    ),
    chapters: chapters.map((chapter, index) => {
      const file = files[index]?.file ?? "";
      return {
        file,
        title: chapter.title,
        part: chapter.part,
        ...asKeys(asKeys(ofChapters)[chapter.file ?? file]),
      };
    }),
  };
  const hashes = Object.fromEntries([...files, ...beside].map(({ file, bytes }) => [file, hash(bytes)]));
  const ids = Object.fromEntries(files.map(({ file }, index) => [file, chapters[index]?.id]));
  const revisions = Object.fromEntries(files.map(({ file }, index) => [file, chapters[index]?.revision]));
  const manuscript = {
    book: id,
    chapters: ids,
    revisions,
    files: { ...hashes, [BOOK_JSON]: hashOfBook(book) },
  };
  return `${JSON.stringify({ ...book, manuscript }, null, 2)}\n`;
}

/** SHA-256, in hexadecimal. */
export function hash(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The hash by which an export knows whether somebody has edited its `book.json` since; undefined for none of ours. */
export function hashOfBookJson(text: string): string | undefined {
  const { manuscript, ...book } = parseBookJson(text);
  return manuscript === undefined ? undefined : hashOfBook(book);
}

function hashOfBook(book: object): string {
  return hash(JSON.stringify(book));
}
