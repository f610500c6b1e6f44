import type { ReadingBook } from "../reader.ts";
import { passagesOf, type RemarkablePassage } from "./check-shelf.ts";

/** Words without which no rule but drift has anything to say of a passage. */
const REMARKABLE =
  /\b(?:eyes?|eyed|hair(?:ed)?|curls|locks|tresses|braids?|plaits?|years? old|year-old|aged|(?:[Aa]t|was|is|turned|of|now|only|just|exactly|about|nearly|almost) (?:\d\d?\d?|[a-z]+ty|[a-z]+teen|ten|eleven|twelve|one|two|three|four|five|six|seven|eight|nine|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)\b|himself|herself|died|perished|passed away|breathed|dead|death|killed|drowned|murdered|hanged|buried|funeral|corpse|Sun\b|Mon\b|Tues?\b|Wed\b|Thurs?\b|Fri\b|Sat\b|(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day)/;

const BOOKS_KEPT = 4;

/**
 * Gives the passages of a book that rules may have something to say of, in order. A chapter is read only when its
 * revision is new.
 */
export function createNotes(): (book: ReadingBook) => RemarkablePassage[] {
  const books = new Map<string, Map<string, { revision: number; passages: RemarkablePassage[] }>>();
  return (book) => {
    const before = books.get(book.bookId);
    const now: NonNullable<typeof before> = new Map();
    const passages = book.chapters.flatMap(({ chapterId, revision, read }, chapter) => {
      const known = before?.get(chapterId);
      const noted = known?.revision === revision ? known.passages : remarkableIn(passagesOf(read(), chapter));
      now.set(chapterId, { revision, passages: noted });
      return noted.map((passage) => (passage.chapter === chapter ? passage : { ...passage, chapter }));
    });
    books.delete(book.bookId);
    books.set(book.bookId, now);
    for (const oldest of books.keys()) if (books.size > BOOKS_KEPT) books.delete(oldest);
    return passages;
  };
}

function remarkableIn(passages: ReturnType<typeof passagesOf>): RemarkablePassage[] {
  return passages.flatMap((passage, index) => {
    const above = passages[index - 1];
    return REMARKABLE.test(passage.text) ? [{ ...passage, above }] : [];
  });
}
