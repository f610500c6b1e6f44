import type { ReadingBook } from "../../reader.ts";
import { passagesOf, type RemarkablePassage } from "./passages.ts";

/** Words without which no rule but drift has anything to say of a passage. */
const REMARKABLE =
  /\b(?:eyes?|eyed|hair(?:ed)?|curls?|locks?|ringlets|mane|fringe|head|brunette|blonde?|redhead|tresses|braids?|plaits?|years? old|birthday|[a-z]+ties|[a-z]+ty,|[a-z]+ty-[a-z]+|[a-z]+teen,|\d\d,|year-old|aged|(?:[Aa]t|was|is|turned|of|now|only|just|be|yet|over|under|past|in|exactly|about|nearly|almost) (?:\d\d?\d?|[a-z]+ty|[a-z]+teen|ten|eleven|twelve|one|two|three|four|five|six|seven|eight|nine|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)\b|himself|herself|died|perished|passed away|breathed|dead|death|killed|drowned|murdered|hanged|buried|funeral|corpse|shot|stabbed|strangled|poisoned|widow|widower|graveside|(?:his|her) (?:own )?(?:life|neck|end)|live to|survive|[Tt]he late|laid to rest|Sun\b|Mon\b|Tues?\b|Wed\b|Thurs?\b|Fri\b|Sat\b|(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day)/;

const BOOKS_KEPT = 4;
/** A longer paragraph is no prose that somebody speaks of looks in; in characters. */
const LONGEST = 20_000;

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
    return passage.text.length <= LONGEST && REMARKABLE.test(passage.text) ? [{ ...passage, above }] : [];
  });
}
