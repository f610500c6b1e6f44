import type { SNIPPET_KINDS, STATUSES } from "../contract/enums.ts";
import type { BlockId, BookId, ChapterId, PartId } from "../ids.ts";
import type { NewProse, StoredProse } from "../prose/plan/plan.ts";

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

/** What a chapter says of itself besides its prose. */
export interface ChapterFields {
  title: string;
  status: (typeof STATUSES)[number];
  synopsis: string;
  /** The title of its part; null for none. */
  part: string | null;
}

/** The names of those fields. */
export const CHAPTER_FIELDS = ["title", "status", "synopsis", "part"] as const;

/** What a file says of its chapter; a key that is not there says nothing. */
export interface IncomingFields extends Partial<ChapterFields> {
  /** The id that the chapter had when it was exported. */
  id?: string;
}

/** A chapter as a file brings it, parsed and checked. */
export interface IncomingChapter {
  /** What messages call it. */
  name: string;
  /** Its file, relative to the folder; null for stdin. */
  file: string | null;
  /** SHA-256 of the file's text, hexadecimal. */
  hash: string;
  bom: boolean;
  /** Verbatim, with its fences. */
  frontMatter: string;
  /** What of it is to be kept with the chapter: "" if it says no more than an export would. */
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
  /** Whether block ids were taken off the text. */
  isMarked: boolean;
  /** Whether something that looks like a block id is left, within a paragraph. */
  mayHaveMore: boolean;
  /** The title if it becomes a new chapter. */
  newTitle: string;
  /** What of the file is not taken, in words. */
  warnings?: readonly string[] | undefined;
}

/** A chapter's file before it is parsed: one that has not changed since the last exchange never is. */
export interface ChapterFile extends Pick<IncomingChapter, "file" | "hash" | "name"> {
  /** What the folder says of the chapter beside the file. */
  said: IncomingFields;
  /** Not all that the file says is taken: the rest stands in other chapters. */
  isPart?: boolean;
  /** What the chapter's fields are to be, its prose unread. Throws `BadRequest`. */
  fields(): IncomingFields;
  /** Parses the file; the same value each time. Throws `BadRequest`, `PayloadTooLarge`. */
  read(): IncomingChapter;
  /** The same, and nothing of it is remembered: of a whole book only so much is held as is asked for. */
  parse(): IncomingChapter;
}

/** A chapter as the manuscript has it. Its costly parts are read when they are first asked for. */
export interface StoredChapter extends ChapterFields {
  id: ChapterId;
  partId: PartId | null;
  rank: string;
  file: string | null;
  frontMatter: string;
  /** Whether the file that it came from began with a byte order mark. */
  bom: boolean;
  eol: StoredProse["eol"];
  revision: number;
  wordCount: number;
  blockCount: number;
  prose(): StoredProse;
  /** Those of its blocks in whose Markdown one of these stands, in capitals or not. */
  blocksWith(texts: readonly string[]): StoredProse["blocks"];
  /** The very bytes that were imported, without front matter, as long as nobody edited them. */
  markdown(): Buffer;
  /** Those of these block ids that are the chapter's, or once were. */
  owns(blockIds: readonly BlockId[]): ReadonlySet<BlockId>;
}

/** What a folder and a chapter had in common when they last met. */
export interface BaseChapter extends ChapterFields {
  /** Of the file's text; "" if no folder is known to have held it. */
  hash: string;
  /** The prose at that moment; undefined if its revision is not known any more. */
  prose(): StoredProse | undefined;
}

/** What a file can say of a fact. */
export interface FactFields {
  name: string;
  kind: string;
  aliases: string[];
  /** `fromChapterId` is the chapter from which on a value holds. */
  attributes: { key: string; value: string; fromChapterId?: string }[];
  summary: string;
}

/** Where a note stands. */
export interface NoteAnchor {
  chapterId: ChapterId | null;
  blockId: BlockId | null;
}

/** What a file can say of a note; "" for no text and no address. */
export interface NoteFields {
  kind: (typeof SNIPPET_KINDS)[number];
  text: string;
  url: string;
  items: { text: string; done: boolean }[] | null;
  anchor: NoteAnchor;
}

/** What a fact says if its entry leaves a field out. */
export const NO_FACT: FactFields = { name: "", kind: "", aliases: [], attributes: [], summary: "" };

/** What a note says if its entry leaves a field out. */
export const NO_NOTE: NoteFields = {
  kind: "note",
  text: "",
  url: "",
  items: null,
  anchor: { chapterId: null, blockId: null },
};
