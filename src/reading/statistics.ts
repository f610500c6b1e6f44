import { LruCache } from "../text/lru-cache.ts";
import { findRuns, type Run } from "./capital-runs.ts";
import type { ReadingBook, ReadingChapter } from "./reading.ts";
import { addTally, emptyTally, tallyTokens, type WordTally } from "./tally.ts";
import { KeptRuns, KeptTally } from "./text/kept-chapter.ts";
import { NumberedWords } from "./text/numbered-words.ts";
import { tokenize } from "./tokens.ts";
import { COMMON } from "./word-lists.ts";

/** Counts a chapter's words and finds its capitalised runs. O(length). */
function tallyChapter(
  { blocks }: ReadingChapter,
  words = new NumberedWords(),
): { tally: WordTally; runs: KeptRuns } {
  const tally = emptyTally();
  const runs = new KeptRuns(words);
  for (const [block, { text }] of blocks.entries()) {
    const tokens = tokenize(text);
    tallyTokens(tally, tokens);
    for (const run of findRuns(tokens, block)) runs.add(run);
  }
  runs.trim();
  return { tally, runs };
}

/** Statistics of one chapter at one revision. */
export interface ChapterStatistics {
  revision: number;
  tally: KeptTally;
  /** Its capitalised runs, in order of place. */
  runs: Iterable<Run>;
}

/** Statistics of every chapter of a book, and the sum of their words. */
export interface BookStatistics {
  /** Rises with every change; what is derived from the whole book may be kept as long as it is the same. */
  version: number;
  total: WordTally;
  chapters: ReadonlyMap<string, ChapterStatistics>;
}

const BOOKS_KEPT = 4;

interface KnownBook extends BookStatistics {
  chapters: Map<string, ChapterStatistics>;
  words: NumberedWords;
}

/**
 * Returns the statistics of a book. A chapter is read only if its revision is new; the others' sums are kept.
 * The answer is a living value: it changes with the next call for the same book.
 */
export function createStatistics(): (book: ReadingBook) => BookStatistics {
  const books = new LruCache<string, KnownBook>(BOOKS_KEPT);
  return (book) => {
    const known = books.get(book.bookId) ?? emptyBook();
    books.set(book.bookId, known);
    const present = new Set(book.chapters.map(({ chapterId }) => chapterId));
    for (const chapterId of known.chapters.keys()) if (!present.has(chapterId)) forget(known, chapterId);
    for (const chapter of book.chapters) {
      if (known.chapters.get(chapter.chapterId)?.revision !== chapter.revision) learn(known, chapter.read());
    }
    return known;
  };
}

function emptyBook(): KnownBook {
  return { version: 0, total: emptyTally(), chapters: new Map(), words: new NumberedWords() };
}

function forget(known: KnownBook, chapterId: string): void {
  addTally(known.total, known.chapters.get(chapterId)?.tally.read() ?? emptyTally(), -1);
  known.chapters.delete(chapterId);
  known.version++;
}

function learn(known: KnownBook, chapter: ReadingChapter): void {
  const { chapterId, revision } = chapter;
  forget(known, chapterId);
  const { tally, runs } = tallyChapter(chapter, known.words);
  addTally(known.total, tally, 1);
  known.chapters.set(chapterId, { revision, tally: new KeptTally(tally, known.words), runs });
}

/** The book with this reading of the chapter in its place: the file may hold a newer one by now. */
export function withReading(chapter: ReadingChapter, book: ReadingBook): ReadingBook {
  const { chapterId, revision } = chapter;
  const chapters = book.chapters.map((shelved) =>
    shelved.chapterId === chapterId ? { ...shelved, revision, read: () => chapter } : shelved,
  );
  return { ...book, chapters };
}

/** Use of capitals in a book's language. */
export type Script = "english" | "foreign" | "capital-nouns" | "caseless";

const ENOUGH_WORDS = 200;
const CAPITALS_WITHIN_SENTENCES = 0.16;
const COMMON_WORDS = 0.3;

/** Judged by the book's words: the share of capitals within sentences, and of common English words. */
export function scriptOf({ words, lower, capital }: WordTally): Script {
  if (words > 0 && capital.size === 0) return "caseless";
  if (words < ENOUGH_WORDS) return "english";
  let [common, middle] = [0, 0];
  for (const [key, count] of lower) if (COMMON.has(key)) common += count;
  for (const counts of capital.values()) middle += counts.middle;
  if (common / words >= COMMON_WORDS) return "english";
  return middle / words > CAPITALS_WITHIN_SENTENCES ? "capital-nouns" : "foreign";
}
