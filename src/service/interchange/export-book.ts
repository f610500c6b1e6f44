import type { BookId, ChapterId } from "../../ids.ts";
import type { Store } from "../../store/file/store.ts";
import { readMarkdownBytes } from "../../store/rows/bodies.ts";
import { findGoal, type GoalRow, listParts } from "../../store/rows/books.ts";
import { type ChapterRow, listChapters } from "../../store/rows/chapters.ts";
import { hasFacts } from "../../store/rows/facts.ts";
import { hasSnippets } from "../../store/rows/snippets.ts";
import { theBook } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import type { BesideExport } from "./export-annotations.ts";

/** A book as it leaves the file. */
export interface BookExport {
  id: BookId;
  title: string;
  /** The keys of an imported list of the book that have no field of their own. */
  manifest: Readonly<Record<string, unknown>>;
  goal: GoalRow | null;
  /** Titles, in order. */
  parts: readonly string[];
  chapters: readonly ChapterExport[];
  /** Facts and marginalia; undefined for the chapters alone. */
  beside?: BesideExport;
}

/** A chapter as it leaves the file: its fields, and its prose as bytes. */
export interface ChapterExport
  extends Pick<
    ChapterRow,
    "id" | "title" | "status" | "synopsis" | "file" | "frontMatter" | "eol" | "revision"
  > {
  /** The title of its part. */
  part: string | null;
  /** Whether the file that it came from began with a byte order mark. */
  bom: boolean;
  /** The very bytes that were imported, without front matter, as long as nobody edited them; and marks where asked for. */
  markdown: Buffer;
}

/** What an export reads besides the prose; each is loaded only by who needs it. */
export interface ExportParts {
  /** Gives prose its block ids. */
  mark?: (store: Store, id: ChapterId, markdown: Buffer) => Buffer;
  /** Reads the facts and the marginalia. */
  beside?: (manuscript: Manuscript, bookId: BookId) => BesideExport;
}

/** A book with all of its prose, of one moment. Throws `NotFound`. */
export function readExport(
  manuscript: Manuscript,
  bookId: BookId,
  { mark, beside }: ExportParts = {},
): BookExport {
  const { store } = manuscript;
  return store.snapshot(() => {
    const { id, title, manifest } = theBook(manuscript, bookId);
    const parts = listParts(store, id);
    const titles = new Map<string, string>(parts.map((part) => [part.id, part.title]));
    return {
      id,
      title,
      manifest: manifest === null ? {} : JSON.parse(manifest),
      goal: findGoal(store, id) ?? null,
      parts: parts.map((part) => part.title),
      chapters: listChapters(store, id).map((row) => toExport(manuscript, row, titles, mark)),
      ...(beside && { beside: beside(manuscript, id) }),
    };
  });
}

/** Whether a book has facts or marginalia. */
export function hasBeside({ store }: Manuscript, bookId: BookId): boolean {
  return hasFacts(store, bookId) || hasSnippets(store, bookId);
}

/** A chapter as it would leave the file now; `titles` are those of the book's parts. */
export function toExport(
  { store }: Manuscript,
  row: ChapterRow,
  titles: ReadonlyMap<string, string>,
  mark?: ExportParts["mark"],
): ChapterExport {
  const { id, title, status, synopsis, file, frontMatter, eol, revision, partId, bom } = row;
  const markdown = readMarkdownBytes(store, id)!.body; // the row is there
  return {
    id,
    title,
    status,
    synopsis,
    file,
    frontMatter,
    eol,
    revision,
    part: partId === null ? null : (titles.get(partId) ?? null),
    bom: bom === 1,
    markdown: mark === undefined ? markdown : mark(store, id, markdown),
  };
}
