import type { AnswerOf } from "../contract/index.ts";
import type { BookRow, PartRow } from "../store/books.ts";
import type { ChapterRow } from "../store/chapters.ts";
import type { FactRow } from "../store/facts.ts";
import type { SnippetRow } from "../store/snippets.ts";

export type Book = AnswerOf<"createBook">["book"];
export type Part = AnswerOf<"createPart">["part"];
export type ChapterMeta = AnswerOf<"createChapter">["chapter"];
export type Fact = AnswerOf<"createFact">["fact"];
export type Snippet = AnswerOf<"createSnippet">["snippet"];

/** A moment as the contract shows it: ISO 8601, UTC, milliseconds. */
export function toTime(at: number): string {
  return new Date(at).toISOString();
}

export function toBook({ manifest: _, ...book }: BookRow): Book {
  return { ...book, createdAt: toTime(book.createdAt), updatedAt: toTime(book.updatedAt) };
}

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

export function toFact(fact: FactRow): Fact {
  return { ...fact, createdAt: toTime(fact.createdAt), updatedAt: toTime(fact.updatedAt) };
}

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
