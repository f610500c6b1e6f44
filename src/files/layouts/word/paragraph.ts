import type { Parts } from "../../documents/zip.ts";

/** Who changed something while changes were tracked, and when. */
export interface TrackedChange {
  author: string;
  /** ISO 8601; null if the file does not say. */
  at: string | null;
}

/** WordMarks of a run that Markdown can say. */
export interface WordMarks {
  em?: true;
  strong?: true;
  strike?: true;
  code?: true;
  href?: string;
}

/** Content of a run: text, a line break, the key of a note, or a picture. */
export type RunContent =
  | { type: "text"; text: string }
  | { type: "break" }
  | { type: "note"; key: string }
  | { type: "picture"; picture: WordPicture };

/** A picture where it stands in the text. */
export interface WordPicture {
  /** The part that holds it; an address if it lies outside of the document. */
  part: string;
  /** The document's name for it. Ours is the path in the prose. */
  name: string;
  /** The words that stand for it; empty if there are none. */
  alt: string;
}

/** A stretch of a paragraph. */
export type WordRun = RunContent & {
  marks: WordMarks;
  inserted?: TrackedChange | undefined;
  deleted?: TrackedChange | undefined;
};

/** A paragraph as Word has it. Those of a table are told by their cell. */
export interface WordParagraph {
  /** The style's name, in lower case. */
  style: string;
  /** Level of a heading. */
  level: number | undefined;
  list: { id: string; depth: number; start: number | undefined } | undefined;
  isCentred: boolean;
  /** True if it is set in from both margins. */
  isSetIn: boolean;
  /** True if a line is drawn below or above it. */
  hasRule: boolean;
  startsPage: boolean;
  cell: TableCell | undefined;
  runs: WordRun[];
  /** Changes of its end: an inserted one has split a paragraph, a deleted one joins two. */
  inserted: TrackedChange | undefined;
  deleted: TrackedChange | undefined;
}

/** A table's cell. */
export interface TableCell {
  table: object;
  row: number;
  column: number;
}

/** A bookmark, from the paragraph in which it begins to the one in which it ends. */
export interface WordBookmark {
  name: string;
  from: WordParagraph;
  to: WordParagraph;
}

/** A comment, with its paragraphs and the words that it is about. */
export interface WordComment {
  id: string;
  author: string;
  at: string | null;
  text: string;
  isDone: boolean;
  /** The comment that it answers. */
  parent: string | undefined;
  from: WordParagraph | undefined;
  quote: string;
}

/** A Word document without its layout. */
export interface WordDocument {
  paragraphs: readonly WordParagraph[];
  /** Footnotes and endnotes by the keys of their references. */
  notes: ReadonlyMap<string, readonly WordParagraph[]>;
  /** One without a place in the text has no `from`. */
  comments: readonly WordComment[];
  bookmarks: readonly WordBookmark[];
  /** Hidden text, which is not read. */
  hidden: readonly string[];
  /** The parts that hold its pictures. */
  media: Pick<Parts, "sizeOf" | "readAlone">;
  /** True if changes were tracked. */
  isTracked: boolean;
  title: string | undefined;
  /** The book that it was exported from, by its own word. */
  bookId: string | undefined;
}

/** Returns a paragraph's text. */
export function paragraphText({ runs }: Pick<WordParagraph, "runs">): string {
  return runs.map((run) => (run.type === "text" ? run.text : run.type === "break" ? " " : "")).join("");
}

/** True if nothing stands in a paragraph. */
export function isEmpty({ runs }: Pick<WordParagraph, "runs">): boolean {
  return runs.every((run) => run.type === "break" || (run.type === "text" && run.text.trim() === ""));
}
