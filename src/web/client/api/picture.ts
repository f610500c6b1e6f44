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
 * Reads a picture that the book keeps, and tells its address in this browser, which is good until the returned function is
 * called; tells nothing of one that the book does not keep. No other host is asked.
 */
export function followPicture(
  place: PicturePlace,
  src: string,
  onAddress: (address: string) => void,
): () => void {
  let isGone = false;
  let address: string | undefined;
  const drop = () => address !== undefined && URL.revokeObjectURL(address);
  void fetchPicture(place, src).then((read) => {
    address = read;
    if (isGone) drop();
    else if (address !== undefined) onAddress(address);
  });
  return () => {
    isGone = true;
    drop();
  };
}

async function fetchPicture({ bookId, chapterId }: PicturePlace, src: string): Promise<string | undefined> {
  if (ELSEWHERE.test(src)) return undefined;
  const address = addressOf(ROUTE, { params: { bookId, path: src }, query: { chapterId } });
  const headers = { Authorization: `Bearer ${session.value}` };
  const response = await fetch(address, { headers }).catch(() => undefined);
  return response?.ok ? URL.createObjectURL(await response.blob()) : undefined;
}
