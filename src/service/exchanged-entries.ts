import {
  type ExchangedFile,
  findExchangedCopy,
  findExchangedFile,
  noteExchangedFile,
} from "../store/exchanges.ts";
import type { Store } from "../store/store.ts";
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

/** What they last had in common; of an unedited copy of a folder what that had. Undefined where nothing is known. */
export function findCommon<Fields>(
  store: Store,
  where: ExchangedFile,
  hash?: string,
): Common<Fields> | undefined {
  const read = (text: string) => JSON.parse(text) as Common<Fields>; // `noteCommon` wrote it
  const text =
    findExchangedFile(store, where) ??
    (hash === undefined ? undefined : findExchangedCopy(store, where, (other) => read(other).hash === hash));
  return text === undefined ? undefined : read(text);
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
