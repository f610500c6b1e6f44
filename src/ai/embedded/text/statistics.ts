import { LruCache } from "../../../text/lru-cache.ts";
import type { ReadingBook, ReadingChapter } from "../../reader.ts";
import { COMMON } from "../words/common.ts";
import { isHonorific } from "../words/honorifics.ts";
import {
  AIMING_WORDS,
  isPreposition,
  PERSON_VERBS,
  PLACE_PREPOSITIONS,
  SPEECH_VERBS,
  WAY_PREPOSITIONS,
} from "../words/words.ts";
import { findRuns, type Run } from "./capital-runs.ts";
import { type Token, tokenize } from "./tokens.ts";

/** The tally of a word never met with a capital. */
export const NO_CAPITALS = {
  /** Where a capital tells nothing. */
  start: 0,
  /** Within a sentence, where only names have capitals. */
  middle: 0,
  /** WHOLLY IN CAPITALS; counted nowhere else. */
  upper: 0,
  afterHonorific: 0,
  besideSpeech: 0,
  beforeDeed: 0,
  inPlace: 0,
  onWay: 0,
  possessive: 0,
  afterThe: 0,
  afterA: 0,
  afterCapital: 0,
  vocative: 0,
};
/** How often a word stood with a capital, and in what company. All are counts of occurrences. */
export type CapitalTally = typeof NO_CAPITALS;
const FIELDS = Object.keys(NO_CAPITALS) as (keyof CapitalTally)[];

/** What was counted of some prose; keys are those of `Token`. Sums of tallies are tallies: the order does not matter. */
export interface WordTally {
  words: number;
  /** Occurrences in small letters. */
  lower: Map<string, number>;
  capital: Map<string, CapitalTally>;
}

/** A tally of nothing. */
export function emptyTally(): WordTally {
  return { words: 0, lower: new Map(), capital: new Map() };
}

/** What is known of one chapter at one revision. */
export interface ChapterStatistics {
  revision: number;
  tally: WordTally;
  /** Its capitalised runs, in order of place. */
  runs: readonly Run[];
}

/** What the words of a chapter are seen doing. O(length). */
export function tallyChapter({ revision, blocks }: ReadingChapter): ChapterStatistics {
  const tally = emptyTally();
  const runs = blocks.flatMap(({ text }, block) => {
    const tokens = tokenize(text);
    tallyTokens(tally, tokens);
    return findRuns(tokens, block);
  });
  return { revision, tally, runs };
}

function tallyTokens(tally: WordTally, tokens: readonly Token[]): void {
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!; // within the bounds
    if (token.kind !== "word") continue;
    tally.words++;
    if (token.shape === "lower") tally.lower.set(token.key, (tally.lower.get(token.key) ?? 0) + 1);
    else tallyCapital(capitalOf(tally, token.key), token, tokens, at);
  }
}

/** Adds a tally to another, or takes it away again with `sign` -1. */
export function addTally(total: WordTally, part: WordTally, sign: 1 | -1): void {
  total.words += sign * part.words;
  part.lower.forEach((count, key) => {
    const sum = (total.lower.get(key) ?? 0) + sign * count;
    if (sum === 0) total.lower.delete(key);
    else total.lower.set(key, sum);
  });
  part.capital.forEach((counts, key) => {
    const sum = capitalOf(total, key);
    for (const field of FIELDS) if (counts[field] !== 0) sum[field] += sign * counts[field];
    if (sum.start + sum.middle + sum.upper === 0) total.capital.delete(key);
  });
}

/** What is known of every chapter of a book, and the sum of their words. */
export interface BookStatistics {
  /** Rises with every change; what is derived from the whole book may be kept as long as it is the same. */
  version: number;
  total: WordTally;
  chapters: ReadonlyMap<string, ChapterStatistics>;
}

const BOOKS_KEPT = 4;

/**
 * Returns the statistics of a book. A chapter is read only if its revision is new; the others' sums are kept.
 * The answer is a living value: it changes with the next call for the same book.
 */
export function createStatistics(): (book: ReadingBook) => BookStatistics {
  const books = new LruCache<string, BookStatistics & { chapters: Map<string, ChapterStatistics> }>(
    BOOKS_KEPT,
  );
  return (book) => {
    const known = books.get(book.bookId) ?? { version: 0, total: emptyTally(), chapters: new Map() };
    books.set(book.bookId, known);
    const change = (chapterId: string, next: ChapterStatistics | undefined) => {
      const before = known.chapters.get(chapterId);
      if (before !== undefined) addTally(known.total, before.tally, -1);
      if (next === undefined) known.chapters.delete(chapterId);
      else {
        addTally(known.total, next.tally, 1);
        known.chapters.set(chapterId, next);
      }
      known.version++;
    };
    const present = new Set(book.chapters.map(({ chapterId }) => chapterId));
    for (const chapterId of known.chapters.keys()) if (!present.has(chapterId)) change(chapterId, undefined);
    for (const chapter of book.chapters) {
      if (known.chapters.get(chapter.chapterId)?.revision === chapter.revision) continue;
      change(chapter.chapterId, tallyChapter(chapter.read()));
    }
    return known;
  };
}

/** The book with this reading of the chapter in its place: the file may hold a newer one by now. */
export function withReading(chapter: ReadingChapter, book: ReadingBook): ReadingBook {
  const { chapterId, revision } = chapter;
  const chapters = book.chapters.map((shelved) =>
    shelved.chapterId === chapterId ? { ...shelved, revision, read: () => chapter } : shelved,
  );
  return { ...book, chapters };
}

function capitalOf({ capital }: WordTally, key: string): CapitalTally {
  let counts = capital.get(key);
  if (counts === undefined) {
    counts = { ...NO_CAPITALS };
    capital.set(key, counts);
  }
  return counts;
}

function tallyCapital(counts: CapitalTally, token: Token, tokens: readonly Token[], at: number): void {
  if (token.shape === "upper") {
    counts.upper++;
    return;
  }
  const before = tokens[at - 1];
  const after = tokens[at + 1];
  if (token.isStart) counts.start++;
  else {
    counts.middle++;
    if (before !== undefined) tallyBefore(counts, before, tokens, at);
  }
  const lead = before?.key === "the" ? tokens[at - 2] : before; // "said the Gryphon"
  if (lead !== undefined && SPEECH_VERBS.has(lead.key)) counts.besideSpeech++;
  else if (before?.key === "," && after?.kind === "mark" && /^[,.!?;]$/.test(after.key)) counts.vocative++;
  if (after !== undefined) tallyAfter(counts, before, after);
}

function tallyBefore(counts: CapitalTally, before: Token, tokens: readonly Token[], at: number): void {
  const isOwner = tokens[at + 1]?.kind === "possessive"; // "in Giotto's time" is no place
  if (before.shape === "lower") {
    if (before.key === "the") counts.afterThe++;
    else if (before.key === "a" || before.key === "an") counts.afterA++;
    else if (isOwner) return;
    else if (PLACE_PREPOSITIONS.has(before.key)) counts.inPlace++;
    else if (before.key === "at" && !AIMING_WORDS.has(tokens[at - 2]?.key ?? "")) counts.inPlace++;
    else if (WAY_PREPOSITIONS.has(before.key)) counts.onWay++;
  } else if (isHonorific(before.key)) counts.afterHonorific++;
  else if (before.kind === "word") counts.afterCapital++;
}

function tallyAfter(counts: CapitalTally, before: Token | undefined, after: Token): void {
  if (after.kind === "possessive") counts.possessive++;
  const isObject = before?.kind === "word" && isPreposition(before.key); // "nobody in Marrow would"
  if (after.shape !== "lower" || isObject) return;
  if (SPEECH_VERBS.has(after.key)) counts.besideSpeech++;
  else if (PERSON_VERBS.has(after.key)) counts.beforeDeed++;
}

/** What capitals tell in a book's language. */
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
