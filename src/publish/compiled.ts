import type { SNIPPET_KINDS } from "../contract/enums.ts";
import type { BlockId, BookId, ChapterId } from "../ids.ts";
import type { Picture } from "./picture.ts";

/** Marks of a run of text. */
export interface InlineMarks {
  em?: boolean;
  strong?: boolean;
  strike?: boolean;
  code?: boolean;
  /** Address of a link. */
  href?: string;
}

/** A stretch of a paragraph. `text` holds no line ends; soft breaks of the Markdown are blanks. */
export type Inline =
  | { type: "text"; text: string; marks: InlineMarks }
  | { type: "break" }
  | { type: "footnote"; footnote: CompiledFootnote }
  | { type: "picture"; picture: PlacedPicture };

/** A picture in the text. Without `picture` it is nowhere to be had, and readers see its words. */
export interface PlacedPicture {
  /** As the prose names it. */
  path: string;
  alt: string;
  picture: Picture | undefined;
}

/** A footnote; its chapter's first reference gives it its number. */
export interface CompiledFootnote {
  /** From 1 in each chapter. */
  number: number;
  blocks: readonly CompiledBlock[];
}

/** A block as readers see it. `id` is the id of its paragraph in the manuscript. */
export type CompiledBlock =
  | { type: "paragraph"; id: BlockId | null; runs: readonly Inline[] }
  | { type: "heading"; id: BlockId | null; level: number; runs: readonly Inline[] }
  | { type: "scene_break"; id: BlockId | null }
  | { type: "code"; id: BlockId | null; text: string }
  | { type: "table"; id: BlockId | null; rows: readonly (readonly (readonly Inline[])[])[] }
  | { type: "quote"; blocks: readonly CompiledBlock[] }
  | CompiledList;

/** A list. An ordered one counts from `start`. */
export interface CompiledList {
  type: "list";
  start: number | undefined;
  tight: boolean;
  items: readonly (readonly CompiledBlock[])[];
}

/** A note on a paragraph, or on its chapter (`blockId` null). */
export interface CompiledNote {
  kind: (typeof SNIPPET_KINDS)[number];
  /** Who said it; "" for the writer. */
  author: string;
  blockId: BlockId | null;
  lines: readonly string[];
  /** ISO 8601. */
  at: string;
  isDone: boolean;
  replies: readonly { author: string; text: string; at: string | null }[];
}

/** A chapter. `heading` is its title as readers see it, with the id of the paragraph that says it. */
export interface CompiledChapter {
  id: ChapterId;
  revision: number;
  title: string;
  /** Title of the part that begins with this chapter; null if none does. */
  part: string | null;
  heading: { id: BlockId | null; runs: readonly Inline[] };
  blocks: readonly CompiledBlock[];
  /** Those that are referred to, by number. */
  footnotes: readonly CompiledFootnote[];
  notes: readonly CompiledNote[];
}

/** What a title page says. Empty text for what is not known. */
export interface BookMetadata {
  author: string;
  /** BCP 47. */
  language: string;
  rights: string;
  identifier: string;
  description: string;
  /** Lines of the author's address. */
  contact: readonly string[];
  cover: Picture | undefined;
}

/** A book, or some of its chapters, as every format writes it. */
export interface CompiledBook {
  id: BookId;
  title: string;
  metadata: BookMetadata;
  wordCount: number;
  /** When it was last changed, ISO 8601 without fractions of a second: "2026-05-03T10:00:00Z". */
  modifiedAt: string;
  /** False if only some chapters are here: then there is no title page and no end. */
  isWhole: boolean;
  chapters: readonly CompiledChapter[];
  /** What no reader gets to see, in sentences. */
  omitted: readonly string[];
}
