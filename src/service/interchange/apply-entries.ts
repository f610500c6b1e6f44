import { type BaseEntry, type EntrySides, type FileEntry, matchEntries } from "../../book/match-entries.ts";
import type { EntryOutcome, EntryPlan } from "../../book/merge-entries.ts";
import { mergeEntries } from "../../book/merge-entries.ts";
import type { BookId } from "../../ids.ts";
import type { Store } from "../../store/file/store.ts";
import { listCopiesOfText, readCopiedText } from "../../store/working-copies.ts";
import type { Side } from "../../three-way.ts";
import type { BaseRows } from "./import/base-rows.ts";
import type { EntryKind } from "./signatures.ts";
import { type Recorded, readCopiedEntries, type WorkingCopy } from "./working-copy.ts";

/** A file of entries, facts.yaml or notes.yaml. Parsed on demand. */
export interface EntryFile<Entry> {
  /** Relative to the folder. */
  file: string;
  /** SHA-256 of its text, hexadecimal. */
  hash: string;
  /** Parses the file; the same value each time. Throws `BadRequest`. */
  read(): readonly Entry[];
}

/** Writes entries within an act; `index` is that of the file's entry. */
export interface EntryRows<Fields> {
  /** Returns the new id. */
  insert(fields: Fields, index: number): string;
  /** Writes only these fields. */
  update(id: string, fields: Partial<Fields>, index: number): void;
  drop(id: string): void;
}

/** Result of importing a file of entries. */
export interface AppliedEntries {
  /** Outcomes for the file's entries, in order. */
  entries: EntryOutcome[];
  /** Outcomes for entries that the file had and lost. */
  gone: EntryOutcome[];
  /** Row that the working copy keeps of the file. */
  copied: NonNullable<Recorded["texts"]>[number];
}

/** Matches the three sides of a file of entries. */
export function matchFile<Fields extends object>(
  store: Store,
  where: { bookId: BookId; copy: WorkingCopy | undefined; rows: BaseRows | undefined },
  { file, hash }: Pick<EntryFile<unknown>, "file" | "hash">,
  { incoming, kind }: { incoming: readonly FileEntry<Fields>[]; kind: EntryKind<Fields> },
) {
  const { entries: base, isCopy } = findBase<Fields>(store, where, { file, hash });
  const sides: EntrySides<Fields> = { incoming, base, stored: kind.stored };
  return { ...sides, matches: matchEntries(sides, kind), isCopy };
}

/**
 * Finds the base of a file of entries: the exchange at which the file was as it is now, else the last one. In a copy
 * of another folder it is that folder's. Such a copy may be older, so that an entry that it lacks was not removed
 * here (`isCopy`).
 */
function findBase<Fields extends object>(
  store: Store,
  { bookId, copy, rows }: { bookId: BookId; copy: WorkingCopy | undefined; rows: BaseRows | undefined },
  { file, hash }: { file: string; hash: string },
): { entries: BaseEntry<Fields>[]; isCopy: boolean } {
  const own = rows === undefined ? copy?.texts.get(file) : rows.text(file, hash);
  if (own !== undefined) return { entries: readCopiedEntries<Fields>(own), isCopy: false };
  const copies = listCopiesOfText(store, { bookId, file });
  const other = copies.find((row) => row.hash === hash) ?? copies[0];
  const copied = other && readCopiedText(store, other);
  return { entries: copied === undefined ? [] : readCopiedEntries(copied), isCopy: true };
}

/** Merges a file's entries with the stored ones, one by one, and writes the result. */
export function applyEntries<Fields extends object>(
  sides: ReturnType<typeof matchFile<Fields>>,
  { file, hash, kind }: { file: string; hash: string; kind: EntryKind<Fields> },
  rows: EntryRows<Fields>,
  options: { force: Side | undefined; isDeleting: boolean },
): Omit<AppliedEntries, "copied"> & { common: () => AppliedEntries["copied"] } {
  const plan = mergeEntries(sides, kind, { ...options, isCopy: sides.isCopy });
  const base: BaseEntry<Fields>[] = [];
  const write = ({ outcome, write: change, common }: EntryPlan<Fields>, index: number): EntryOutcome => {
    const id =
      change !== undefined && change !== "drop" && "insert" in change
        ? rows.insert(change.insert, index)
        : (outcome.id ?? "");
    if (change === "drop") rows.drop(id);
    else if (change !== undefined && "update" in change) rows.update(id, change.update, index);
    if (common !== undefined) base.push({ id, ...common });
    return { ...outcome, id };
  };
  const entries = plan.entries.map(write);
  const gone = plan.gone.map(write);
  const isWhole = entries.every(({ status }) => status !== "conflict");
  // An entry left unchanged on one side is looked at again later, for example with --force or --delete.
  const isDone = [...plan.entries, ...plan.gone].every((entry) => entry.isDone);
  const text = JSON.stringify(base);
  return {
    entries,
    gone,
    common: () => ({
      file,
      hash: isWhole ? hash : "",
      isWritten: 0,
      text,
      stored: isDone ? kind.signature() : null,
    }),
  };
}
