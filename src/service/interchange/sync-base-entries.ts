import {
  type ExchangedFile,
  findExchangedCopy,
  findExchangedFile,
  noteExchangedFile,
} from "../../store/exchanges.ts";
import type { Store } from "../../store/file/store.ts";
import type { BaseEntry } from "./merge-entries.ts";

/** A file beside the chapters as it was read: its entries, and how it is known again. */
export interface AskedFile<Entry> {
  /** Relative to the folder: `facts.yaml`. */
  file: string;
  /** SHA-256 of its text, hexadecimal. */
  hash: string;
  entries: readonly Entry[];
}

/** What a folder and the manuscript last had in common of a file beside the chapters. */
export interface Common<Fields> {
  /** Of the file, where all of it came into the manuscript, else null. */
  hash: string | null;
  entries: readonly BaseEntry<Fields>[];
}

/** What they last had in common; undefined where nothing is known. */
export function findCommon<Fields>(store: Store, where: ExchangedFile): Common<Fields> | undefined {
  const text = findExchangedFile(store, where);
  return text === undefined ? undefined : read(text);
}

/**
 * What they last had in common, and where this folder is a copy of another, what that one had: when the file was as it is
 * now, else last. A copy may be older: what it lacks is not gone from it (`isCopy`).
 */
export function findBase<Fields>(
  store: Store,
  where: ExchangedFile,
  hash: string,
): { entries: readonly BaseEntry<Fields>[]; isCopy: boolean } {
  const own = findCommon<Fields>(store, where);
  if (own !== undefined) return { entries: own.entries, isCopy: false };
  const text =
    findExchangedCopy(store, where, (other) => read(other).hash === hash) ??
    findExchangedCopy(store, where, () => true);
  return { entries: text === undefined ? [] : read<Fields>(text).entries, isCopy: true };
}

/** Whether any folder has had the file as it is now, all of it in the manuscript. */
export function hasCommon(store: Store, where: ExchangedFile, hash: string): boolean {
  return findExchangedCopy(store, where, (text) => read(text).hash === hash) !== undefined;
}

function read<Fields>(text: string): Common<Fields> {
  return JSON.parse(text) as Common<Fields>; // `noteCommon` wrote it
}

/** Notes what they have in common now; `act` is the import's, null for an export. */
export function noteCommon<Fields>(
  store: Store,
  where: ExchangedFile,
  common: Common<Fields>,
  act: number | null,
): void {
  noteExchangedFile(store, where, JSON.stringify(common), act);
}
