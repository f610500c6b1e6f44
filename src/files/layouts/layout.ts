import { join } from "node:path";
import type { TrackedChanges } from "../../contract/enums.ts";
import { BadRequest } from "../../refusals.ts";
import { counted } from "../../text/columns.ts";
import type { BookFiles } from "../book-files.ts";
import type { LayoutName } from "../layout-names.ts";
import type { Office } from "../office.ts";

/** Refusal of a folder that holds several books, or one in a folder within: each has an index to import it by. */
export class BooksWithin extends BadRequest {
  /** Paths of their indexes. */
  readonly paths: readonly string[];

  constructor(folder: string, called: string, indexes: readonly string[]) {
    const paths = indexes.map((index) => join(folder, index));
    const commands = paths.map((path) => `  manuscript import "${path}"`).join("\n");
    super(`${folder} holds ${counted(paths.length, called)}. Import each by its index:\n${commands}`);
    this.paths = paths;
  }
}

/** A folder or file to read a book from. */
export interface Source {
  /** Absolute. */
  path: string;
  isFolder: boolean;
  /** The folder itself, or that of the file. */
  folder: string;
  /** The file's name; undefined for a folder. */
  file: string | undefined;
}

/** Options for reading a book. */
export interface LayoutOptions {
  /** Heading level that begins a chapter within one file; `none`: the file is one chapter; undefined: guess. */
  split: number | "none" | undefined;
  /** The new book's title, if the writer gives one. Then a heading with another title stays in the text. */
  title?: string | undefined;
  /** Drops control characters and reports where they were. */
  cleans?: boolean | undefined;
  /** True if a Word document that names this book goes back into it. Then it is not read as a new one. */
  isReturn?: ((bookId: string | undefined) => boolean) | undefined;
  /** How to import the tracked changes of a Word document. */
  changes?: TrackedChanges | undefined;
  /** True to import although text of the source would be lost. */
  acceptsLoss?: boolean | undefined;
  /** Finds this machine's LibreOffice; without it none is looked for. */
  office?: (() => Office | undefined) | undefined;
  /** True if a file is known as a chapter of an existing book. Then nothing is guessed. */
  isChapter?: ((where: { folder: string; file: string }) => boolean) | undefined;
}

/** A book as a layout reads it. */
export interface LayoutBook extends BookFiles {
  /** Files that were read and are not chapters: an index, a synopsis. */
  used: readonly string[];
  /** True if it is a book of the manuscript that comes back. */
  returns?: true;
  /** Guesses besides the layout, for the plan. */
  guess?: string;
}

/** A layout of a book in files. */
export interface Layout {
  name: LayoutName;
  /** Name of the layout in sentences. */
  called: string;
  /** Missing sign of the layout, for a message: "there is no nwProject.nwx in it". */
  lacks: string;
  /** Returns the sign by which a source shows this layout, for the plan; undefined if there is none. */
  detect(source: Source): Promise<string | undefined> | string | undefined;
  /** Like `detect`, for a source without a sign, when this layout is requested. */
  admits?(source: Source): string | undefined;
  /**
   * Reads a book. Throws `BadRequest`, naming file and line, for an unreadable index, and `NotFound` for a file that
   * it lists.
   */
  read(source: Source, reading: LayoutOptions): Promise<LayoutBook>;
}
