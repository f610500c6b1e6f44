import type { ReadingBook, ReadingChapter } from "../reader.ts";
import { isHonorific } from "./lists-honorifics.ts";
import {
  AIMING_WORDS,
  PERSON_VERBS,
  PLACE_PREPOSITIONS,
  SPEECH_VERBS,
  WAY_PREPOSITIONS,
} from "./lists-words.ts";
import { type Token, tokenize } from "./tokens.ts";

/** How often a word stood with a capital, and in what company. All are counts of occurrences. */
export interface CapitalTally {
  /** Where a capital tells nothing. */
  start: number;
  /** Within a sentence, where only names have capitals. */
  middle: number;
  /** WHOLLY IN CAPITALS; counted nowhere else. */
  upper: number;
  afterHonorific: number;
  besideSpeech: number;
  beforeDeed: number;
  inPlace: number;
  onWay: number;
  possessive: number;
  afterThe: number;
  afterA: number;
  afterCapital: number;
  vocative: number;
}

const FIELDS = [
  "start",
  "middle",
  "upper",
  "afterHonorific",
  "besideSpeech",
  "beforeDeed",
  "inPlace",
  "onWay",
  "possessive",
  "afterThe",
  "afterA",
  "afterCapital",
  "vocative",
] as const satisfies readonly (keyof CapitalTally)[];

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

/** What the words of a chapter are seen doing. O(length). */
export function tallyChapter({ blocks }: Pick<ReadingChapter, "blocks">): WordTally {
  const tally = emptyTally();
  for (const { text } of blocks) tallyTokens(tally, tokenize(text));
  return tally;
}

/** Counts the tokens of one block into the tally. */
function tallyTokens(tally: WordTally, tokens: readonly Token[]): void {
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!; // within the bounds
    if (token.kind !== "word") continue;
    tally.words++;
    if (token.shape === "lower") tally.lower.set(token.key, (tally.lower.get(token.key) ?? 0) + 1);
    else tallyCapital(capitalOf(tally, token.key), tokens, at);
  }
}

/** Adds a tally to another, or takes it away again with `sign` -1. */
export function addTally(total: WordTally, part: WordTally, sign: 1 | -1): void {
  total.words += sign * part.words;
  for (const [key, count] of part.lower) {
    const sum = (total.lower.get(key) ?? 0) + sign * count;
    if (sum === 0) total.lower.delete(key);
    else total.lower.set(key, sum);
  }
  for (const [key, counts] of part.capital) {
    const sum = capitalOf(total, key);
    for (const field of FIELDS) sum[field] += sign * counts[field];
    if (sum.start + sum.middle + sum.upper === 0) total.capital.delete(key);
  }
}

/** What is known of every chapter of a book, and the sum of their words; kept until a chapter's revision changes. */
export interface BookStatistics {
  total: WordTally;
  chapters: ReadonlyMap<string, { revision: number; tally: WordTally }>;
}

const BOOKS_KEPT = 4;

/**
 * Gives the statistics of a book. A chapter is read only when its revision is new; the others' sums stand.
 * The answer is a living value: valid until the next call.
 */
export function createStatistics(): (book: ReadingBook) => BookStatistics {
  const books = new Map<
    string,
    { total: WordTally; chapters: Map<string, { revision: number; tally: WordTally }> }
  >();
  return (book) => {
    const known = books.get(book.bookId) ?? { total: emptyTally(), chapters: new Map() };
    books.delete(book.bookId);
    books.set(book.bookId, known);
    for (const oldest of books.keys()) if (books.size > BOOKS_KEPT) books.delete(oldest);
    const present = new Set(book.chapters.map(({ chapterId }) => chapterId));
    for (const [chapterId, { tally }] of known.chapters) {
      if (present.has(chapterId)) continue;
      addTally(known.total, tally, -1);
      known.chapters.delete(chapterId);
    }
    for (const { chapterId, revision, read } of book.chapters) {
      const before = known.chapters.get(chapterId);
      if (before?.revision === revision) continue;
      if (before !== undefined) addTally(known.total, before.tally, -1);
      const tally = tallyChapter(read());
      addTally(known.total, tally, 1);
      known.chapters.set(chapterId, { revision, tally });
    }
    return known;
  };
}

function capitalOf({ capital }: WordTally, key: string): CapitalTally {
  let counts = capital.get(key);
  if (counts === undefined) {
    counts = {
      start: 0,
      middle: 0,
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
    capital.set(key, counts);
  }
  return counts;
}

function tallyCapital(counts: CapitalTally, tokens: readonly Token[], at: number): void {
  const token = tokens[at]!; // the caller's own index
  if (token.shape === "upper") {
    counts.upper++;
    return;
  }
  const before = tokens[at - 1];
  const after = tokens[at + 1];
  if (token.isStart) counts.start++;
  else counts.middle++;
  if (before !== undefined && !token.isStart) tallyBefore(counts, before, tokens[at - 2]);
  if (before !== undefined && SPEECH_VERBS.has(before.key)) counts.besideSpeech++;
  else if (before?.key === "," && after?.kind === "mark" && /^[,.!?;]$/.test(after.key)) counts.vocative++;
  if (after === undefined) return;
  if (after.kind === "possessive") counts.possessive++;
  if (after.shape !== "lower") return;
  if (SPEECH_VERBS.has(after.key)) counts.besideSpeech++;
  else if (PERSON_VERBS.has(after.key)) counts.beforeDeed++;
}

function tallyBefore(counts: CapitalTally, before: Token, further: Token | undefined): void {
  if (before.shape === "lower") {
    if (PLACE_PREPOSITIONS.has(before.key)) counts.inPlace++;
    else if (before.key === "at" && !AIMING_WORDS.has(further?.key ?? "")) counts.inPlace++;
    else if (WAY_PREPOSITIONS.has(before.key)) counts.onWay++;
    else if (before.key === "the") counts.afterThe++;
    else if (before.key === "a" || before.key === "an") counts.afterA++;
  } else if (isHonorific(before.key)) counts.afterHonorific++;
  else if (before.kind === "word") counts.afterCapital++;
}
