import type { BookFields } from "../service/field-rules.ts";
import type { IncomingFact } from "../service/interchange/import-facts.ts";
import type { ForeignNote } from "../service/interchange/import-notes.ts";
import type { WantedBook } from "../service/review/propose-rest.ts";
import type { ListedBook, ListedChapter } from "./folder/manifest.ts";

import type { WordDocument } from "./layouts/word/paragraph.ts";

/** A book as files, read but not parsed. */
export interface BookFiles {
  /** Absolute path without links; undefined for stdin. */
  folder: string | undefined;
  book: ListedBook | undefined;
  /** Fields of a book without a list of ours. They describe a new book, and never change an existing one. */
  metadata?: BookFields;
  /** The folder's own list. */
  list?: TextFile | undefined;
  /** True if only one file of the folder was read. */
  isPart?: true;
  /** In reading order. */
  chapters: readonly ChapterSource[];
  /** Files that an index lists and the folder lacks, in words. Allowed only for an existing book. */
  missing?: readonly string[];
  /** Facts from files other than facts.yaml. */
  facts?: readonly IncomingFact[];
  /** Notes from files other than notes.yaml. */
  notes?: readonly ForeignNote[];
  /** facts.yaml and notes.yaml, if they are there. */
  annotations?: readonly TextFile[];
  /** Another program's index, and its pages that are no chapters. Kept for the export as imported. */
  indexes?: readonly TextFile[];
  /** Pictures that the chapters name and the folder does not hold, by their places in the book. */
  pictures?: ReadonlyMap<string, () => Buffer> | undefined;
  /** The Word document that it was read from. Into the book that it came from, it is read as `returned`. */
  word?: WordDocument | undefined;
  /** Set if the files are the book's own text, edited elsewhere. */
  returned?: ReturnedFiles | undefined;
  /** Text of what the book was read from, to compare what came in with. */
  sources?: readonly SourceText[];
  /** Files that are not chapters, with reasons. */
  skipped: readonly SkippedFile[];
  /** Title of a book that names none; undefined for that of its first chapter. */
  fallbackTitle: string | undefined;
}

/** A book that somebody else has edited. Each chapter names the revision that they were given. */
export interface ReturnedFiles extends Omit<WantedBook, "bookId"> {
  /** Name of the file that came back. */
  name: string;
}

/** A file and its text. */
export interface TextFile {
  /** Relative to the folder. */
  file: string;
  text: string;
}

/** The text of a source, a paragraph a line, found without the reader whose work it proves. */
export interface SourceText {
  /** Name in messages. */
  name: string;
  text(): string;
}

/** A file that is no chapter. */
export interface SkippedFile {
  file: string;
  reason: string;
  /** True if the file's purpose is known: it is never imported as a chapter, even on request. */
  isKnown?: boolean;
  /** True if the file itself is imported; `reason` says without which part. */
  isPartly?: boolean;
  /** The text that is left out, where it is part of a file that is read. */
  text?: string;
  /** True if the file gives the book's order, as an index does. */
  isIndex?: boolean;
}

/** A file's text, and its entry in the folder's list. */
export interface ChapterSource extends Omit<ListedChapter, "file"> {
  /** Relative to the folder; null for stdin. */
  file: string | null;
  /** Name of the file in messages. */
  name: string;
  text: string;
  /** Bytes that the text is decoded from, while they are kept. */
  bytes?: Buffer | undefined;
  status?: string;
  synopsis?: string;
  /** True if the list does not name the file: its part is only that of its folder. */
  isFound?: true;
  /** True if another program wrote it: of its front matter only fields of equal meaning count. */
  isForeign?: boolean;
}
