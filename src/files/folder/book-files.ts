import type { IncomingFact } from "../../service/interchange/import-facts.ts";
import type { ForeignNote } from "../../service/interchange/import-notes.ts";
import type { ListedBook, ListedChapter } from "./manifest.ts";

/** A book as files hold it, read and not yet looked into. */
export interface BookFiles {
  /** Where they are, links resolved; undefined for stdin. */
  folder: string | undefined;
  book: ListedBook | undefined;
  /** The folder's own list. */
  list?: TextFile | undefined;
  /** Only one file of the folder was read. */
  isPart?: true;
  /** In reading order. */
  chapters: readonly ChapterSource[];
  /** Files that an index lists and the folder lacks, in words: only a book that is there can do without them. */
  missing?: readonly string[];
  /** Facts that files hold which are no facts.yaml. */
  facts?: readonly IncomingFact[];
  /** Notes that files hold which are no notes.yaml. */
  notes?: readonly ForeignNote[];
  /** facts.yaml and notes.yaml, those that are there. */
  annotations?: readonly TextFile[];
  /** What another program's index says, and pages of it that are no chapters: kept to be given back. */
  indexes?: readonly TextFile[];
  /** Files that are no chapters, and why. */
  skipped: readonly SkippedFile[];
  /** The title of a book that says none itself; undefined for that of its first chapter. */
  fallbackTitle: string | undefined;
}

/** A file and what it says. */
export interface TextFile {
  /** Relative to the folder. */
  file: string;
  text: string;
}

/** A file that is no chapter. */
export interface SkippedFile {
  file: string;
  reason: string;
  /** What it is for is known: it is not taken in as a chapter, whoever asks. */
  isKnown?: boolean;
  /** The file itself is taken; `reason` says without what. */
  isPartly?: boolean;
  /** It says something of the book's order, as an index does. */
  isIndex?: boolean;
}

/** A file's text and what the folder's list says of it. */
export interface ChapterSource extends Omit<ListedChapter, "file"> {
  /** Relative to the folder; null for stdin. */
  file: string | null;
  /** What messages call it. */
  name: string;
  text: string;
  /** What the text is decoded from, as long as it is kept. */
  bytes?: Buffer | undefined;
  status?: string;
  synopsis?: string;
  /** The list does not name the file: its part is only that of the folder where it was found. */
  isFound?: true;
  /** Written by another program: of its front matter only what means the same here counts. */
  isForeign?: boolean;
}
