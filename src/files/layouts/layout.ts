import type { Pandoc } from "../documents/pandoc.ts";
import type { BookFiles } from "../folder/book-files.ts";
import type { LayoutName } from "./names.ts";

/** A folder or a file that a book is to be read from. */
export interface Source {
  /** Absolute. */
  path: string;
  isFolder: boolean;
  /** The folder itself, or the one that the file is in. */
  folder: string;
  /** The file's name; undefined for a folder. */
  file: string | undefined;
}

/** How a book is to be read. */
export interface LayoutOptions {
  /** The level of heading that begins a chapter in one file; `none`: the file is one chapter; undefined: guess. */
  split: number | "none" | undefined;
  /** Drop control characters, and say where. */
  cleans?: boolean | undefined;
  /** Finds the pandoc of this machine; without it none is looked for. */
  pandoc?: (() => Pandoc | undefined) | undefined;
  /** Whether a file is known as a chapter of a book that is there: then nothing is guessed. */
  isChapter?: ((where: { folder: string; file: string }) => boolean) | undefined;
}

/** A book as a layout reads it. */
export interface LayoutBook extends BookFiles {
  /** Files that were read and are no chapters: an index, a synopsis. */
  used: readonly string[];
  /** What was guessed besides the layout, for the plan. */
  guess?: string;
}

/** A way in which a book lies in files. */
export interface Layout {
  name: LayoutName;
  /** As sentences call it. */
  called: string;
  /** What it is known by, for a message: "no SUMMARY.md there, nor in src/". */
  lacks: string;
  /** What shows that a source has this layout, as the plan names it; undefined if nothing does. */
  detect(source: Source): Promise<string | undefined> | string | undefined;
  /** As `detect`, for a source that nothing shows to be of this layout but that may be, where it is asked for. */
  admits?(source: Source): string | undefined;
  /** Throws `BadRequest`, naming file and line, for an index that cannot be read, `NotFound` for a file that it lists. */
  read(source: Source, reading: LayoutOptions): Promise<LayoutBook>;
}
