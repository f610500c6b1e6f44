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

/** How a book's entries of one kind are read. */
export interface EntryKind<Fields, Shown = object> {
  /** What is stored, by id. */
  stored: ReadonlyMap<string, Fields>;
  /** The field that an entry without an id is known by first. */
  key: keyof Fields & string;
  empty: Fields;
  /** Fields that do not go together. */
  clash?: (fields: Fields) => string[];
  /** What an answer shows of an entry beside what became of it. */
  show: (fields: Fields | undefined) => Shown;
  /** Tells what is stored, to see whether it has changed since. */
  signature: () => string;
}

/** A book's facts as entries. */
export function factKind(
  manuscript: Manuscript,
  bookId: BookId,
): EntryKind<FactFields, Pick<FactFields, "name">> {
  const stored = factsOf(manuscript, bookId);
  const signature = () => hashOf([...factsOf(manuscript, bookId)]);
  return { stored, key: "name", empty: NO_FACT, show: (fact) => ({ name: fact?.name ?? "" }), signature };
}

/** A book's facts as a file can say them, by id. */
export function factsOf({ store }: Manuscript, bookId: BookId): Map<FactId, FactFields> {
  return new Map(
    listFacts(store, bookId).map(({ id, name, kind, aliases, attributes, summary }) => [
      id,
      { name, kind, aliases, attributes, summary },
    ]),
  );
}

/** The notes of a book by id, as a file can say them. */
export function notesOf(store: Store, bookId: BookId): Map<SnippetId, NoteFields> {
  return new Map(listSnippets(store, bookId).map((row) => [row.id, fieldsOf(row)]));
}

function fieldsOf({ kind, text, url, items, chapterId, blockId }: SnippetRow): NoteFields {
  return { kind, text: text ?? "", url: url ?? "", items, anchor: { chapterId, blockId } };
}

/** The file of each chapter in a folder, by id. */
export type ChapterFiles = ReadonlyMap<ChapterId, string | null>;

/** A book's notes as they stood before an import touched any chapter, and the files of the chapters. */
export interface NoteSides {
  stored: ReadonlyMap<SnippetId, NoteFields>;
  files: ChapterFiles;
}

/**
 * A book's notes as entries; `stored` as they stood before the import touched any chapter. What their file shows depends on
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

/** Tells what `notes.yaml` shows: the notes, and the words and files of the chapters that they stand in. */
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
 * What became of the entries of a file that is as it was when folder and manuscript last met, as is what is stored of
 * them: nothing, and the file need not be read. Undefined for any other file.
 */
export function entriesInStep<Fields, Shown>(
  copied: CopiedText | undefined,
  { hash }: { hash: string },
  { stored, show, signature }: EntryKind<Fields, Shown>,
): (Shown & { id: string; status: "same" })[] | undefined {
  if (copied?.hash !== hash || copied.stored === null || copied.stored !== signature()) return undefined;
  return readCopiedEntries(copied).map(({ id }) => ({ ...show(stored.get(id)), id, status: "same" }));
}

/** Tells what a folder's list shows of a book, to see whether that has changed: O(chapters), no YAML. */
export function signatureOfList(
  book: Pick<StoredBook, "title" | "goal" | "manifest" | "parts">,
  chapters: readonly { chapter: StoredChapter; file: string }[],
  text: string,
): string {
  // Files that are the prose alone have their revisions in the list.
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

/** SHA-256 of a value's JSON, hexadecimal. */
function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
