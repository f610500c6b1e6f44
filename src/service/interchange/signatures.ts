import { createHash } from "node:crypto";
import { type FactFields, NO_FACT, NO_NOTE, type NoteFields, type StoredChapter } from "../../book/book.ts";
import type { StoredBook } from "../../book/merge-book.ts";
import type { BookId, ChapterId, FactId, SnippetId } from "../../ids.ts";
import type { Store } from "../../store/file/store.ts";
import { listChapters } from "../../store/rows/chapters.ts";
import { listFacts } from "../../store/rows/facts.ts";
import { listSnippets, type SnippetRow } from "../../store/rows/snippets.ts";
import type { Manuscript } from "../manuscript.ts";
import { type CopiedText, readCopiedEntries } from "./working-copy.ts";

/** Access to a book's entries of one kind. */
export interface EntryKind<Fields, Shown = object> {
  /** Stored entries by id. */
  stored: ReadonlyMap<string, Fields>;
  /** Field by which an entry without an id is recognized first. */
  key: keyof Fields & string;
  empty: Fields;
  /** Returns the fields that contradict each other. */
  clash?: (fields: Fields) => string[];
  /** Returns the part of an entry that an answer shows. */
  show: (fields: Fields | undefined) => Shown;
  /** Returns a signature of the stored entries, which changes with them. */
  signature: () => string;
}

/** Returns access to a book's facts. */
export function factKind(
  manuscript: Manuscript,
  bookId: BookId,
): EntryKind<FactFields, Pick<FactFields, "name">> {
  const stored = factsOf(manuscript, bookId);
  const signature = () => hashOf([...factsOf(manuscript, bookId)]);
  return { stored, key: "name", empty: NO_FACT, show: (fact) => ({ name: fact?.name ?? "" }), signature };
}

/** Returns a book's facts by id, as a file can express them. */
export function factsOf({ store }: Manuscript, bookId: BookId): Map<FactId, FactFields> {
  return new Map(
    listFacts(store, bookId).map(({ id, name, kind, aliases, attributes, summary }) => [
      id,
      { name, kind, aliases, attributes, summary },
    ]),
  );
}

/** Returns a book's notes by id, as a file can express them. */
export function notesOf(store: Store, bookId: BookId): Map<SnippetId, NoteFields> {
  return new Map(listSnippets(store, bookId).map((row) => [row.id, fieldsOf(row)]));
}

function fieldsOf(row: SnippetRow): NoteFields {
  const { kind, text, url, items, author, quote, replies, resolved, chapterId, blockId } = row;
  const said = { text: text ?? "", url: url ?? "", items, author: author ?? "", about: quote ?? "" };
  return { kind, ...said, replies, resolved, anchor: { chapterId, blockId } };
}

/** Files of the chapters in a folder, by id. */
export type ChapterFiles = ReadonlyMap<ChapterId, string | null>;

/** A book's notes before an import touched any chapter, and the files of the chapters. */
export interface NoteSides {
  stored: ReadonlyMap<SnippetId, NoteFields>;
  files: ChapterFiles;
}

/**
 * Returns access to a book's notes; `stored` are those before the import touched any chapter. Their file depends on
 * `files`, too.
 */
export function noteKind(
  { store }: Manuscript,
  bookId: BookId,
  { stored, files }: NoteSides,
): EntryKind<NoteFields, Pick<NoteFields, "kind">> {
  return {
    stored,
    key: "text",
    empty: NO_NOTE,
    clash: ({ kind, items }) => (kind !== "todo" && items !== null ? ["kind", "items"] : []),
    show: (note) => ({ kind: note?.kind ?? "note" }),
    signature: () => signatureOf(store, bookId, files),
  };
}

/** Signs the content of `notes.yaml`: the notes, and the words and files of their chapters. */
function signatureOf(store: Store, bookId: BookId, files: ChapterFiles): string {
  const rows = listSnippets(store, bookId);
  const holders = new Set(rows.map(({ chapterId }) => chapterId));
  const chapters = listChapters(store, bookId).filter(({ id }) => holders.has(id));
  return hashOf([
    rows.map((row) => [row.id, fieldsOf(row), row.detached]),
    chapters.map(({ id, revision }) => [id, revision, files.get(id) ?? null]),
  ]);
}

/**
 * Returns the outcomes for a file of entries if neither it nor the stored entries have changed since the last
 * exchange. It need not be read then. Undefined for any other file.
 */
export function entriesInStep<Fields, Shown>(
  copied: CopiedText | undefined,
  { hash }: { hash: string },
  { stored, show, signature }: EntryKind<Fields, Shown>,
): (Shown & { id: string; status: "same" })[] | undefined {
  if (copied?.hash !== hash || copied.stored === null || copied.stored !== signature()) return undefined;
  return readCopiedEntries(copied).map(({ id }) => ({ ...show(stored.get(id)), id, status: "same" }));
}

/** Signs a folder's list, to detect changes of the book: O(chapters), no YAML. */
export function signatureOfList(
  book: Pick<StoredBook, "title" | "goal" | "manifest" | "parts">,
  chapters: readonly { chapter: StoredChapter; file: string }[],
  text: string,
): string {
  // Files of prose alone have their revisions in the list.
  const hasRevisions = /\brevision["']? *:/.test(text);
  const { title, goal, manifest, parts } = book;
  const entries = chapters.map(({ file, chapter }) => [
    file,
    chapter.id,
    chapter.file,
    chapter.part,
    chapter.title,
    hasRevisions ? chapter.revision : null,
  ]);
  return hashOf([title, goal, manifest, parts, entries]);
}

/** Returns the SHA-256 of a value's JSON, in hexadecimal. */
function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
