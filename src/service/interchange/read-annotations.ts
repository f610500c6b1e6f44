import type { FactFields } from "../../book/book.ts";
import type { BookId, ChapterId, FactId, SnippetId } from "../../ids.ts";
import { listSnippets, type SnippetRow } from "../../store/rows/snippets.ts";
import type { Manuscript } from "../manuscript.ts";
import { type NoteLeaf, noteLeaves, type Quote, quoteOf } from "./resolve-anchor.ts";
import { factsOf } from "./signatures.ts";

/** A fact for export. */
export type FactExport = FactFields & { id: FactId };

/** A note for export; `place` leads back to its paragraph. */
export interface NoteExport extends Omit<SnippetRow, "bookId" | "detached" | "createdAt" | "updatedAt"> {
  id: SnippetId;
  place: Quote | undefined;
  detached: { quote: string; block: string | null } | null;
}

/** A book's facts and marginalia. */
export interface BookAnnotations {
  facts: readonly FactExport[];
  notes: readonly NoteExport[];
  /** Leaves of each chapter that has notes. */
  leaves: ReadonlyMap<ChapterId, readonly NoteLeaf[]>;
}

/** Reads a book's facts by name and its notes in chapter order, and the chapters that notes stand in. */
export function readAnnotations(manuscript: Manuscript, bookId: BookId): BookAnnotations {
  const { store } = manuscript;
  const leaves = new Map<ChapterId, NoteLeaf[]>();
  const leavesOf = (id: ChapterId) => {
    const read = leaves.get(id) ?? noteLeaves(store, id);
    leaves.set(id, read);
    return read;
  };
  const notes = listSnippets(store, bookId).map((row): NoteExport => {
    const { bookId: _, createdAt, updatedAt, detached, ...note } = row;
    const { chapterId, blockId } = note;
    const place = chapterId === null || blockId === null ? undefined : quoteOf(leavesOf(chapterId), blockId);
    const was = detached && { quote: detached.quote, block: detached.blockId };
    return { ...note, place, detached: was };
  });
  return { facts: [...factsOf(manuscript, bookId)].map(([id, fact]) => ({ id, ...fact })), notes, leaves };
}
