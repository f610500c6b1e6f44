import type { AnswerOf, EndpointId } from "../contract/index.ts";
import type { BookRow, PartRow } from "../store/books.ts";
import type { ChapterRow } from "../store/chapters.ts";
import type { FactRow } from "../store/facts.ts";
import type { SnippetRow } from "../store/snippets.ts";

/** A book as the contract shows it. */
export type Book = AnswerOf<"createBook">["book"];
/** A part as the contract shows it. */
export type Part = AnswerOf<"createPart">["part"];
/** A chapter without prose as the contract shows it. */
export type ChapterMeta = AnswerOf<"createChapter">["chapter"];
/** A fact as the contract shows it. */
export type Fact = AnswerOf<"createFact">["fact"];
/** A snippet as the contract shows it. */
export type Snippet = AnswerOf<"createSnippet">["snippet"];

/** A moment as the contract shows it: ISO 8601, UTC, milliseconds. */
export function toTime(at: number): string {
  return new Date(at).toISOString();
}

/** A stored book as the contract shows it. */
export function toBook({ manifest: _, ...book }: BookRow): Book {
  return { ...book, createdAt: toTime(book.createdAt), updatedAt: toTime(book.updatedAt) };
}

/** A stored part with its chapters, in reading order. */
export function toPart(part: PartRow, chapters: readonly { id: string; wordCount: number }[]): Part {
  return {
    id: part.id,
    bookId: part.bookId,
    title: part.title,
    position: part.position,
    chapterIds: chapters.map(({ id }) => id),
    wordCount: chapters.reduce((sum, { wordCount }) => sum + wordCount, 0),
  };
}

/** A stored chapter as the contract shows it, columns that are nobody's business left out. */
export function toChapterMeta(row: ChapterRow): ChapterMeta {
  return {
    id: row.id,
    bookId: row.bookId,
    partId: row.partId,
    title: row.title,
    position: row.position,
    status: row.status,
    synopsis: row.synopsis,
    wordCount: row.wordCount,
    blockCount: row.blockCount,
    revision: row.revision,
    createdAt: toTime(row.createdAt),
    updatedAt: toTime(row.updatedAt),
  };
}

/** A stored fact as the contract shows it. */
export function toFact(fact: FactRow): Fact {
  return { ...fact, createdAt: toTime(fact.createdAt), updatedAt: toTime(fact.updatedAt) };
}

/** A stored snippet as the contract shows it; the chapter that it lost stays inside. */
export function toSnippet(snippet: SnippetRow): Snippet {
  const { detached } = snippet;
  return {
    ...snippet,
    detached:
      detached === null
        ? null
        : { blockId: detached.blockId, quote: detached.quote, revision: detached.revision },
    createdAt: toTime(snippet.createdAt),
    updatedAt: toTime(snippet.updatedAt),
  };
}

/**
 * A finished answer of an operation: JSON as bytes, made by the file itself, sent as it is. `answer` is never set: it
 * ties the body to the row that it answers.
 */
export interface Ready<Id extends EndpointId> {
  body: Buffer;
  /** A strong entity tag, without quotes. */
  etag?: string;
  /** Where it is not JSON. */
  contentType?: string;
  readonly answer?: AnswerOf<Id>;
}
