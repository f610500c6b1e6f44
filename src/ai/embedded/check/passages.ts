import type { NamedSpan } from "../../../reading/cast-names.ts";
import { castNamesIn, castScanOf } from "../../../reading/cast-scan.ts";
import type { Paragraph } from "../../../reading/owners.ts";
import type { ReadingBook, ReadingChapter, ReadingFact } from "../../../reading/reading.ts";
import { quotedFlags, sentenceSpans } from "../../../reading/sentences.ts";
import { LONGEST_PARAGRAPH, statementsIn, type TraitStatement } from "../../../reading/statements.ts";
import type { BookStatistics } from "../../../reading/statistics.ts";
import { type Token, tokenize } from "../../../reading/tokens.ts";
import { LruCache } from "../../../text/lru-cache.ts";
import type { Finding } from "../../reader.ts";

/** A quoted place in the prose. */
export type Evidence = Finding["evidence"][number];

/** A rule's result: a finding without its id, and the words that make the id. */
export interface Found extends Omit<Finding, "id"> {
  /** The claim, in words that stay when the prose around them is edited. */
  claim: readonly string[];
}

/** A leaf block as the rules read it, with those above it and below it in its chapter. */
export interface ProsePassage extends Paragraph {
  above?: ProsePassage | undefined;
  below?: ProsePassage | undefined;
  chapterId: string;
  /** The chapter's place in the book, from 0. */
  chapter: number;
  /** The block's place in the chapter, from 0. */
  block: number;
  blockId: string;
}

/** A rule of the check. */
export interface Rule {
  /** The words without which a passage tells it nothing; undefined if it goes by the statistics alone. */
  reads?: RegExp;
  /** Returns its findings; `passages` are those of the book that hold one of its words, in order. */
  find(shelf: Shelf, passages: readonly ProsePassage[]): Found[];
}

/** The book that the rules read; each part is computed once, at its first use. */
export interface Shelf {
  cast: readonly ReadingFact[];
  statistics: BookStatistics;
  chapterIds: readonly string[];
  /** The passages of a chapter, by its place in the book. */
  passages(chapter: number): readonly ProsePassage[];
  tokens(passage: ProsePassage): readonly Token[];
  named(passage: ProsePassage): readonly NamedSpan[];
  /** 1 for every character inside quotation marks. */
  quoted(passage: ProsePassage): Uint8Array;
  /** The traits and deaths that a passage states. */
  statements(passage: ProsePassage): readonly TraitStatement[];
}

/** The shelf of a book; chapters are read when they are needed. */
export function shelfOf(book: ReadingBook, statistics: BookStatistics): Shelf {
  const names = castScanOf(book.cast);
  const chapters = new Map<number, readonly ProsePassage[]>();
  const passages = (chapter: number) => {
    const known = chapters.get(chapter);
    if (known !== undefined) return known;
    const shelved = book.chapters[chapter];
    const read = shelved === undefined ? [] : passagesOf(shelved.read(), chapter);
    chapters.set(chapter, read);
    return read;
  };
  const tokens = remember((passage: ProsePassage) => tokenize(passage.text));
  const prose = {
    named: remember((passage: ProsePassage) => castNamesIn(passage.text, names)),
    quoted: remember((passage: ProsePassage) => quotedFlags(passage.text)),
  };
  return {
    ...prose,
    cast: book.cast,
    statistics,
    chapterIds: book.chapters.map(({ chapterId }) => chapterId),
    passages,
    tokens,
    statements: remember((passage: ProsePassage) =>
      statementsIn(prose, passage, sentenceSpans(passage.text)),
    ),
  };
}

function passagesOf({ chapterId, blocks }: ReadingChapter, chapter: number): ProsePassage[] {
  let above: ProsePassage | undefined;
  return blocks.map(({ blockId, text }, block) => {
    const passage: ProsePassage = { chapterId, chapter, block, blockId, text, above };
    if (above !== undefined) above.below = passage;
    above = passage;
    return passage;
  });
}

/** False if a passage cannot hold the word of this key: told without looking at every word. */
export function mayHold({ text }: ProsePassage, key: string): boolean {
  return !/^[a-z]+$/.test(key) || text.toLowerCase().includes(key);
}

/** A span of a passage as evidence. */
export function evidenceAt({ chapterId, blockId, text }: ProsePassage, from: number, to: number): Evidence {
  return { chapterId, blockId, from, to, text: text.slice(from, to) };
}

function remember<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before.value;
    const value = compute(key);
    known.set(key, { value });
    return value;
  };
}

const BOOKS_KEPT = 4;

/**
 * Returns what finds the passages of a book that hold a word of one of the rules, in order. A chapter is read only when
 * its revision is new.
 */
export function createRelevantPassages(rules: readonly Rule[]): (book: ReadingBook) => ProsePassage[] {
  const words = new RegExp(rules.flatMap(({ reads }) => reads?.source ?? []).join("|"));
  const books = new LruCache<string, Map<string, { revision: number; passages: ProsePassage[] }>>(BOOKS_KEPT);
  return (book) => {
    const before = books.get(book.bookId);
    const now: NonNullable<typeof before> = new Map();
    const passages = book.chapters.flatMap(({ chapterId, revision, read }, chapter) => {
      const known = before?.get(chapterId);
      const relevant =
        known?.revision === revision ? known.passages : relevantIn(passagesOf(read(), chapter), words);
      now.set(chapterId, { revision, passages: relevant });
      return relevant.map((passage) => (passage.chapter === chapter ? passage : { ...passage, chapter }));
    });
    books.set(book.bookId, now);
    return passages;
  };
}

function relevantIn(passages: readonly ProsePassage[], words: RegExp): ProsePassage[] {
  return passages.filter(({ text }) => text.length <= LONGEST_PARAGRAPH && words.test(text));
}
