import type { SNIPPET_KINDS, STATUSES } from "../contract/enums.ts";
import type { BlockId, BookId, ChapterId, PartId } from "../ids.ts";
import type { NewProse, StoredProse } from "../prose/plan.ts";

/** A book's goal. */
export interface Goal {
  targetWords: number;
  deadline: string | null;
  dailyWords: number | null;
}

/** A book without its text, as the list in its folder describes it. */
export interface Description {
  title?: string;
  goal?: Goal;
  /** Titles, in order. */
  parts: readonly string[];
  /** The title of each part that has a folder of its own, by that folder. */
  folders: ReadonlyMap<string, string>;
  /** The chapters' files in reading order; undefined if the list is not the whole book's. */
  order?: readonly string[] | undefined;
  /** Keys that have no field of their own. */
  manifest: Readonly<Record<string, unknown>>;
  /** The book that it was exported from. */
  exportedFrom?: BookId;
}

/** Fields of a chapter besides its prose. */
export interface ChapterFields {
  title: string;
  status: (typeof STATUSES)[number];
  synopsis: string;
  /** The title of its part; null for none. */
  part: string | null;
}

/** The names of those fields. */
export const CHAPTER_FIELDS = ["title", "status", "synopsis", "part"] as const;

/** Fields that a file gives its chapter. A missing key says nothing. */
export interface IncomingFields extends Partial<ChapterFields> {
  /** The id that the chapter had when it was exported. */
  id?: string;
}

/** A chapter as a file brings it, parsed and checked. */
export interface IncomingChapter {
  /** Name of the file in messages. */
  name: string;
  /** Its file, relative to the folder; null for stdin. */
  file: string | null;
  /** SHA-256 of the file's text, hexadecimal. */
  hash: string;
  bom: boolean;
  /** Verbatim, with its fences. */
  frontMatter: string;
  /** Part of the front matter to keep with the chapter; "" if it says no more than an export would. */
  keptBlock: string;
  /** The prose, without a byte order mark; block ids stand in it if the file has them. */
  markdown: string;
  fields: IncomingFields;
  /** Its part is only that of the folder in which the file was found. */
  isFound?: boolean | undefined;
  /** The revision that the file says it was exported at: the base if the manuscript knows nothing of its folder. */
  revision?: number | undefined;
  /** Without block ids in its text; the leaves that had one bring it. */
  prose: NewProse;
  /** True if block ids were taken off the text. */
  isMarked: boolean;
  /** True if something that looks like a block id is left within a paragraph. */
  mayHaveMore: boolean;
  /** The title if it becomes a new chapter. */
  newTitle: string;
  /** Things in the file that are not imported, in words. */
  warnings?: readonly string[] | undefined;
}

/** A chapter's file before it is parsed: one that has not changed since the last exchange never is. */
export interface ChapterFile extends Pick<IncomingChapter, "file" | "hash" | "name"> {
  /** Fields that the folder gives the chapter outside its file. */
  said: IncomingFields;
  /** True if only part of the file is imported, because the rest stands in other chapters. */
  isPart?: boolean;
  /** Returns the chapter's fields without reading its prose. Throws `BadRequest`. */
  fields(): IncomingFields;
  /** Returns the revision that the file or its folder's list names. Throws `BadRequest`. */
  revision(): number | undefined;
  /** Parses the file; the same value each time. Throws `BadRequest`, `PayloadTooLarge`. */
  read(): IncomingChapter;
  /** Parses the file like `read`, but keeps nothing, so that a whole book is never held in memory. */
  parse(): IncomingChapter;
}

/** A chapter as the manuscript has it. Its costly parts are read when they are first asked for. */
export interface StoredChapter extends ChapterFields {
  id: ChapterId;
  partId: PartId | null;
  rank: string;
  file: string | null;
  frontMatter: string;
  /** True if the chapter's file began with a byte order mark. */
  bom: boolean;
  eol: StoredProse["eol"];
  revision: number;
  wordCount: number;
  blockCount: number;
  prose(): StoredProse;
  /** Returns the blocks whose Markdown holds one of these texts, in any case. */
  blocksWith(texts: readonly string[]): StoredProse["blocks"];
  /** Returns the very bytes that were imported, without front matter, as long as nobody edited them. */
  markdown(): Buffer;
  /** Returns those of these block ids that are the chapter's, or once were. */
  owns(blockIds: readonly BlockId[]): ReadonlySet<BlockId>;
}

/** A chapter as folder and manuscript last had it in common. */
export interface BaseChapter extends ChapterFields {
  /** SHA-256 of the file's text; "" if no folder is known to have held it. */
  hash: string;
  /** Returns the prose of that exchange; undefined if its revision is not known any more. */
  prose(): StoredProse | undefined;
}

/** Fields of a fact in a file. */
export interface FactFields {
  name: string;
  kind: string;
  aliases: string[];
  /** `fromChapterId` is the first chapter in which the value holds. */
  attributes: { key: string; value: string; fromChapterId?: string }[];
  summary: string;
}

/** Position of a note: its chapter and paragraph. */
export interface NoteAnchor {
  chapterId: ChapterId | null;
  blockId: BlockId | null;
}

/** Fields of a note in a file; "" for no text and no address. */
export interface NoteFields {
  kind: (typeof SNIPPET_KINDS)[number];
  text: string;
  url: string;
  items: { text: string; done: boolean }[] | null;
  /** Who said it; "" for the writer. */
  author: string;
  /** The words that it is about; "" for its whole paragraph. */
  about: string;
  replies: { author: string; text: string; at: string | null }[];
  resolved: boolean;
  anchor: NoteAnchor;
}

/** Defaults for the fields that a fact's entry leaves out. */
export const NO_FACT: FactFields = { name: "", kind: "", aliases: [], attributes: [], summary: "" };

/** Defaults for the fields that a note's entry leaves out. */
export const NO_NOTE: NoteFields = {
  kind: "note",
  text: "",
  url: "",
  items: null,
  author: "",
  about: "",
  replies: [],
  resolved: false,
  anchor: { chapterId: null, blockId: null },
};
