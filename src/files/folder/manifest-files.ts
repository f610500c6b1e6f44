import { BadRequest } from "../../refusals.ts";
import { openYaml, type Yaml } from "../yaml/open.ts";
import { asKeys, readWritten } from "../yaml/read.ts";
import { type ListedBook, readListedBook } from "./manifest.ts";

/** The file of a folder that describes its book: title, goal, parts, and the chapters' files in reading order. */
export const BOOK_YAML = "book.yaml";

/** Reads `book.yaml`. Throws `BadRequest`, naming the line or the key, where it does not describe a book. */
export function readBookYaml(yaml: Yaml, text: string): ListedBook {
  const source = { file: BOOK_YAML };
  const isText = (value: unknown, key = "") => value !== null && TEXTUAL.has(key);
  const value = readWritten(yaml, openYaml(yaml, text, source), source, isText);
  if (value !== null && (typeof value !== "object" || Array.isArray(value))) {
    throw new BadRequest("book.yaml must hold keys and values: title, parts and chapters.");
  }
  return readListedBook(asKeys(value), BOOK_YAML);
}

const TEXTUAL = new Set(["title", "file", "folder"]);

/** A list that other programs write into the folder of a book. */
export const BOOK_JSON = "book.json";

/** Reads `book.json`. Throws `BadRequest` where it does not describe a book. */
export function readBookJson(text: string): ListedBook {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new BadRequest(`book.json is not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new BadRequest("book.json must hold one object, with title, parts and chapters.");
  }
  return readListedBook(asKeys(value), BOOK_JSON);
}
