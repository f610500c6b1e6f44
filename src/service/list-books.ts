import type { AnswerOf } from "../contract/index.ts";
import { listBooks as listStored } from "../store/rows/books.ts";
import type { Manuscript } from "./manuscript.ts";
import { toBook } from "./present.ts";

/** Every book of the file, oldest first. */
export function listBooks({ store }: Manuscript): AnswerOf<"listBooks"> {
  const books = listStored(store).map(toBook);
  return { books, total: books.length };
}
