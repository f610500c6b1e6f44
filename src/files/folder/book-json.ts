import { BadRequest } from "../../refusals.ts";
import { asKeys, type ListedBook, readListedBook } from "./manifest.ts";

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
