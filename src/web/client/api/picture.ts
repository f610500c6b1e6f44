import { addressOf } from "./ask.ts";
import { session } from "./session.ts";

/** A chapter whose prose names pictures. */
export interface PicturePlace {
  bookId: string;
  chapterId: string;
}

// Not by its name in ROUTES, which come with the first load: a picture comes later.
const ROUTE = "/api/v1/books/{bookId}/pictures/{path}";
/** An address of the web, or of nothing that a book can keep. */
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]+:|\/\/|#|$)/i;

/**
 * Reads a picture that the book keeps, and gives it an address in this browser, which the caller revokes; undefined for one
 * that the book does not keep. No other host is asked.
 */
export async function fetchPicture(
  { bookId, chapterId }: PicturePlace,
  src: string,
): Promise<string | undefined> {
  if (ELSEWHERE.test(src)) return undefined;
  const address = addressOf(ROUTE, { params: { bookId, path: src }, query: { chapterId } });
  const headers = { Authorization: `Bearer ${session.value}` };
  const response = await fetch(address, { headers }).catch(() => undefined);
  return response?.ok ? URL.createObjectURL(await response.blob()) : undefined;
}
