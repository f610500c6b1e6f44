import type { AnswerOf, EndpointId } from "../contract/index.ts";
import type { BookCounts, BookRow, PartRow } from "../store/rows/books.ts";
import type { ChapterRow } from "../store/rows/chapters.ts";
import type { FactRow } from "../store/rows/facts.ts";
import type { SnippetRow } from "../store/rows/snippets.ts";
import { metadataOf } from "./field-rules.ts";

/**
 * A finished answer of an operation: JSON as bytes, made by SQLite and sent unchanged. `answer` is never set: it binds
 * the type of the body to its row of the contract.
 */
export interface Ready<Id extends EndpointId> {
  body: Buffer;
  readonly answer?: AnswerOf<Id>;
}

/** Parses a finished answer. */
export function parseReady<Answer>({ body }: { body: Buffer; readonly answer?: Answer }): Answer {
  return JSON.parse(body.toString());
}

/** A moment as the contract shows it: ISO 8601, UTC, milliseconds. */
export function toTime(at: number): string {
  return new Date(at).toISOString();
}

const withTimes = <Row extends { createdAt: number; updatedAt: number }>(row: Row) => ({
  ...row,
  createdAt: toTime(row.createdAt),
  updatedAt: toTime(row.updatedAt),
});

/** A stored book as the contract shows it. */
export function toBook(
  row: BookRow,
  { wordCount, chapterCount }: BookCounts,
): AnswerOf<"createBook">["book"] {
  const { id, title, createdAt, updatedAt } = row;
  return withTimes({ id, title, ...metadataOf(row), wordCount, chapterCount, createdAt, updatedAt });
}

/** A stored part with its chapters, in reading order. */
export function toPart(
  part: PartRow,
  chapters: readonly { id: string; wordCount: number }[],
): AnswerOf<"createPart">["part"] {
  return {
    id: part.id,
    bookId: part.bookId,
    title: part.title,
    position: part.position,
    chapterIds: chapters.map(({ id }) => id),
    wordCount: chapters.reduce((sum, { wordCount }) => sum + wordCount, 0),
  };
}

/** A stored chapter as the contract shows it, without its internal columns. */
export function toChapterMeta(row: ChapterRow): AnswerOf<"createChapter">["chapter"] {
  return withTimes({
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
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  });
}

/** A stored fact as the contract shows it. */
export function toFact(
  { createdAt, updatedAt, ...fact }: FactRow,
  mentionCount: number,
): AnswerOf<"createFact">["fact"] {
  return withTimes({ ...fact, mentionCount, createdAt, updatedAt });
}

/** A stored snippet as the contract shows it, without the chapter that it was detached from. */
export function toSnippet({ detached: from, ...snippet }: SnippetRow): AnswerOf<"createSnippet">["snippet"] {
  const detached = from && { blockId: from.blockId, quote: from.quote, revision: from.revision };
  const { createdAt, updatedAt, ...shown } = snippet;
  return withTimes({ ...shown, detached, createdAt, updatedAt });
}

/** A mention that a write could not keep, as the contract shows it. */
export type MentionDropped = AnswerOf<"deleteFact">["mentionsDropped"][number];

/** A dropped mention and the reason, as the contract shows it. */
export function toDropped(
  { id, factId, name, blockId, from, to, text }: Omit<MentionDropped, "reason">,
  reason: MentionDropped["reason"] = "removed",
): MentionDropped {
  return { id, factId, name, blockId, from, to, text, reason };
}

/** The answer of a deletion: the id, and the annotations that were dropped or detached by it. */
export function toDeletion(
  id: string,
  mentions: readonly Omit<MentionDropped, "reason">[] = [],
  snippetsDetached: AnswerOf<"deleteBook">["snippetsDetached"] = [],
): Omit<AnswerOf<"deleteBook">, "act"> {
  const mentionsDropped = mentions.map((mention) => toDropped(mention));
  return { id, deleted: true, mentionsDropped, snippetsDetached };
}

/** A note as its readers elsewhere see it, a line each: its text, its items, its address. */
export function noteLines({ text, items, url }: Pick<SnippetRow, "text" | "items" | "url">): string[] {
  return [
    ...(text === null ? [] : text.split("\n")),
    ...(items ?? []).map((item) => `${item.done ? "☑" : "☐"} ${item.text}`),
    ...(url === null ? [] : [url]),
  ];
}
