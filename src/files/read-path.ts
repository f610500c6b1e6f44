import { basename, dirname, join, relative } from "node:path";
import { BadRequest } from "../refusals.ts";
import { TEXT_FILE } from "../service/field-rules.ts";
import { ANNOTATIONS, readAnnotationFiles } from "./annotations/annotation-texts.ts";
import type { BookFiles, ChapterSource, SkippedFile, TextFile } from "./book-files.ts";
import {
  assertNotOfSystem,
  inEncoding,
  isFileWithin,
  NotText,
  readTextFile,
  statOf,
  WHOLE_BYTES,
} from "./disk/text-file.ts";
import { kindOf, kindOfName, unreadable } from "./document-kinds.ts";
import { assertWhole } from "./documents/compare-text.ts";
import { glanceAt } from "./folder/chapter-texts.ts";
import { cleanBook } from "./folder/clean-files.ts";
import { BOOK_JSON, BOOK_YAML } from "./folder/manifest.ts";
import { CONFLICT, LAYOUT_NAMES, type LayoutName, README } from "./layout-names.ts";
import { linkedFile, readPlainFolder, reasonToSkip, walk } from "./layouts/folder.ts";
import { assertProse, foreignFile, foreignProject } from "./layouts/foreign-projects.ts";
import {
  BooksWithin,
  type Layout,
  type LayoutBook,
  type LayoutOptions,
  type Source,
} from "./layouts/layout.ts";
import { readBookFiles } from "./layouts/manuscript.ts";
import { splitMetadata } from "./layouts/scrivener/mmd.ts";

export { BooksWithin };

/** A book read from a path, and its layout. */
export interface PathBook extends BookFiles {
  layout: LayoutName;
  /** Name of the layout in sentences. */
  called: string;
  /** Sign of the layout, and other guesses. */
  why: string;
  /** True if the plan should mention the layout: not for ours, nor for a plain folder or file. */
  isTelling: boolean;
}

/** Options for reading a path. */
export interface PathReading extends Partial<LayoutOptions> {
  /** Layout to use instead of detecting one. */
  layout?: LayoutName | undefined;
  /** Encoding of files that are not UTF-8, as `encodingNamed` returns it. */
  encoding?: string | undefined;
  /** True to import Markdown and text that the layout does not know, behind its chapters. */
  adopts?: boolean;
}

/**
 * Reads a book from a folder or a file in the requested layout, else the first that it shows, and lists every other
 * file as left out. Throws `BadRequest` for a layout that it does not have, and the errors of reading.
 */
export async function readPath(path: string, { encoding, ...reading }: PathReading): Promise<PathBook> {
  try {
    return await inEncoding(encoding, () => readAs(path, reading));
  } catch (error) {
    if (error instanceof BooksWithin && error.paths.length === 1)
      return await readOnlyBook(path, error.paths[0]!, { encoding, ...reading }); // there is one
    if (!(error instanceof NotText)) throw error;
    const kind = kindOf(Buffer.from(error.bytes), undefined); // whatever it is called
    throw kind === undefined ? error : unreadable(error.file, kind);
  }
}

/** Reads the only book within a folder, and says that the rest of the folder was left out. */
async function readOnlyBook(path: string, index: string, reading: PathReading): Promise<PathBook> {
  const book = await readPath(index, reading);
  const reason = `only its folder ${relative(path, dirname(index))} is read; --layout folder reads all of it`;
  return { ...book, skipped: [...book.skipped, { file: path, reason, isPartly: true }] };
}

async function readAs(
  path: string,
  {
    layout: asked,
    adopts = false,
    cleans = false,
    split,
    acceptsLoss,
    ...reading
  }: Omit<PathReading, "encoding">,
): Promise<PathBook> {
  const source = sourceOf(path);
  const { layout, mark } = asked === undefined ? await detect(source) : await overrule(source, asked);
  assertNotForeign(source, { layout, mark }, asked);
  const isOneText = !source.isFolder && ONE_TEXT.has(layout.name);
  if (typeof split === "number" && !isOneText) {
    const what = source.isFolder ? "is a folder" : `is read as ${layout.called}; add --layout file`;
    throw new BadRequest(`--split cuts one file into chapters, and ${path} ${what}.`);
  }
  const taken = layout.read(source, { ...reading, split, cleans });
  // Documents and binders cannot be of another layout.
  const isSure = asked !== undefined || OWN.has(layout.name) || isBinary(layout.name, mark);
  const read = await (isSure ? taken : taken.catch(withRemedy(layout, source)));
  const whole = isOneText ? read : withRest(read, source, { layout, adopts });
  const uncleaned = {
    ...whole,
    skipped: [...whole.skipped, ...assertWhole(withSources(whole, source), { acceptsLoss })],
  };
  const book = cleans ? cleanBook(uncleaned) : uncleaned;
  assertAllProse(book);
  const { guess, used: _, sources: _sources, returns: _returns, ...files } = book;
  const isOwn = OWN.has(layout.name);
  return {
    ...files,
    ...(INDEXED.has(layout.name) ? { indexes: readIndexes(source.folder, book) } : {}),
    layout: layout.name,
    called: layout.called,
    why: isOwn ? (guess ?? mark) : [mark, guess].filter(Boolean).join("; "),
    isTelling: !isOwn || guess !== undefined,
  };
}

/** Adds the texts of the files that a book's chapters were read from, but for what their layout says of them. */
function withSources(book: LayoutBook, { folder, file }: Source): LayoutBook {
  if (book.sources !== undefined || book.returns) return book;
  const files = new Set(book.chapters.map((chapter) => chapter.file ?? file));
  const sources = [...files].flatMap((name) => {
    if (name === undefined || !isFileWithin(folder, name)) return [];
    const read = () => readTextFile(join(folder, name), name, WHOLE_BYTES);
    return [{ name, text: () => splitMetadata(read())?.body ?? read() }];
  });
  return { ...book, sources };
}

function isBinary(layout: LayoutName, mark: string): boolean {
  return layout === "document" || (layout === "scrivener" && /\.scrivx$/i.test(mark));
}

// Layouts of one text that may be cut.
const ONE_TEXT: ReadonlySet<LayoutName> = new Set<LayoutName>(["file", "scrivener", "document"]);
// Layouts whose files have our format.
const OWN: ReadonlySet<LayoutName> = new Set<LayoutName>(["manuscript", "reading-order", "folder", "file"]);

// Layouts that are recognized by a file of their program's own.
const MARKED: ReadonlySet<LayoutName> = new Set<LayoutName>(["manuscript", "novelwriter", "longform"]);

function assertAllProse({ chapters }: LayoutBook): void {
  for (const chapter of chapters) if (glanceAt(chapter).mayBeCode) assertProse(chapter.name, chapter.text);
}

/** Throws `BadRequest` for a project of another program. A folder may be read as one all the same if it is requested. */
function assertNotForeign({ path, isFolder }: Source, { layout, mark }: Detected, asked?: LayoutName): void {
  const isMarked = MARKED.has(layout.name) || /\.scrivx$/i.test(mark);
  const refusal = isMarked || (isFolder && asked !== undefined) ? undefined : foreignProject(path, isFolder);
  if (refusal !== undefined) throw refusal;
}

// Layouts with plain Markdown chapters in the order of a note.
const INDEXED: ReadonlySet<LayoutName> = new Set<LayoutName>(["longform", "reading-order"]);

function readIndexes(folder: string, { used, skipped, chapters }: LayoutBook): TextFile[] {
  const isChapter = new Set(chapters.map(({ file }) => file));
  const names = [...used, ...skipped.flatMap(({ file, isIndex }) => (isIndex ? file : []))];
  return names
    .filter((file) => !isChapter.has(file) && isFileWithin(folder, file))
    .map((file) => ({ file, text: readTextFile(join(folder, file), file) }));
}

/**
 * Reads a folder that will also be written to: an exported one, or plain Markdown. Throws `BadRequest` for another
 * program's folder, which would not understand our front matter.
 */
export async function readOwnFolder(path: string): Promise<BookFiles> {
  const source = sourceOf(path);
  const { layout, mark } = await detect(source);
  assertNotForeign(source, { layout, mark });
  if (source.isFolder && !OWN.has(layout.name)) {
    throw new BadRequest(
      `${path} is a project of another program (${layout.called}), and a sync would write into it. Export the book into a folder of its own and sync that one; "manuscript import ${path} --book BOOK" goes on taking changes in from here.`,
    );
  }
  const { used: _, guess: _guess, ...files } = await layout.read(source, { split: "none" });
  return files;
}

/** The file by which Word or LibreOffice marks a document as open. */
const OWNER_FILE = /^(?:~\$|\.~lock\..*#$)/;

function sourceOf(path: string): Source {
  const stat = statOf(path, `file or folder ${path}`);
  if (stat.isDirectory()) {
    assertNotOfSystem(path);
    return { path, isFolder: true, folder: path, file: undefined };
  }
  if (!stat.isFile()) throw new BadRequest(`${path} is neither a file nor a folder.`);
  const file = basename(path);
  if (OWNER_FILE.test(file)) {
    throw new BadRequest(
      `${file} is no manuscript: Word or LibreOffice writes it while it has a document open. Import the document itself.`,
    );
  }
  return { path, isFolder: false, folder: dirname(path), file };
}

/** A layout, and the sign by which a source shows it. */
interface Detected {
  layout: Layout;
  mark: string;
}

async function detect(source: Source): Promise<Detected> {
  for (const name of LAYOUT_NAMES) {
    const layout = await LAYOUTS[name]();
    const mark = await Promise.resolve(source).then(layout.detect).catch(withRemedy(layout, source));
    if (mark !== undefined) return { layout, mark };
  }
  throw new BadRequest(`${source.path} has no known layout.`); // a folder and a file have
}

async function overrule(source: Source, name: LayoutName): Promise<Detected> {
  const layout = await LAYOUTS[name]();
  const mark = (await layout.detect(source)) ?? layout.admits?.(source);
  if (mark === undefined) {
    throw new BadRequest(
      `${source.path} cannot be read as ${layout.called} (--layout ${name}): ${layout.lacks}.`,
    );
  }
  return { layout, mark };
}

/** Adds to the error of a detected layout how to choose another: the guess may be wrong. */
function withRemedy({ called }: Layout, { isFolder }: Source): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof BadRequest) || error instanceof NotText || error instanceof BooksWithin)
      throw error;
    throw new BadRequest(
      `${error.message} It was read as ${called}; --layout ${isFolder ? "folder" : "file"} reads it as it lies.`,
    );
  };
}

function withRest(
  book: LayoutBook,
  { folder }: Source,
  { layout, adopts }: { layout: Layout; adopts: boolean },
): LayoutBook {
  const index = layout.name === "folder" ? undefined : (book.used[0] ?? layout.called);
  const skipped = [...book.skipped, ...restOf(folder, book, index)];
  const taken = adopts ? adopt(folder, { ...book, skipped }, { isForeign: !OWN.has(layout.name) }) : [];
  const isTaken = new Set(taken.map(({ file }) => file));
  return {
    ...book,
    chapters: [...book.chapters, ...taken],
    skipped: skipped.filter(({ file }) => !isTaken.has(file)),
  };
}

const LISTS = [BOOK_YAML, BOOK_JSON];

/** An exported folder with its description of the book. */
const MANUSCRIPT: Layout = {
  name: "manuscript",
  called: "an exported folder",
  lacks: `there is no ${BOOK_YAML} in it, nor ${BOOK_JSON}`,
  detect: ({ folder, isFolder }) => (isFolder ? LISTS.find((list) => isFileWithin(folder, list)) : undefined),
  read: async ({ path }) => ({ ...(await readBookFiles(path)), used: [...LISTS, ...ANNOTATIONS] }),
};

/** Any folder of Markdown files. */
const FOLDER: Layout = {
  name: "folder",
  called: "a folder of Markdown files",
  lacks: "it is a file",
  detect: ({ isFolder }) => (isFolder ? "a folder" : undefined),
  read: async ({ path }) => {
    const book = readPlainFolder(path);
    const within = book.chapters.map(({ name }) => dirname(name)).find((folder) => folder.includes("/"));
    const why = `a folder in it is a part, but none within a part, as ${within} is`;
    return {
      ...book,
      annotations: readAnnotationFiles(path),
      used: ANNOTATIONS,
      ...(within === undefined ? {} : { guess: why }),
    };
  },
};

/** Loaders of the layouts by name. `LAYOUT_NAMES` has the order of detection. */
const LAYOUTS: Readonly<Record<LayoutName, () => Promise<Layout>>> = {
  manuscript: async () => MANUSCRIPT,
  novelwriter: async () => (await import("./layouts/novelwriter/novelwriter.ts")).NOVELWRITER,
  longform: async () => (await import("./layouts/longform.ts")).LONGFORM,
  scrivener: async () => (await import("./layouts/scrivener/scrivener.ts")).SCRIVENER,
  document: async () => (await import("./layouts/document/document.ts")).WORD_PROCESSOR,
  "reading-order": async () => (await import("./layouts/reading-order.ts")).READING_ORDER,
  folder: async () => FOLDER,
  file: async () => (await import("./layouts/one-file/file.ts")).ONE_FILE,
};

/** Lists the files of a folder that a layout neither read nor left out, with reasons; `index` lists its chapters. */
function restOf(
  folder: string,
  { chapters, skipped, used }: LayoutBook,
  index: string | undefined,
): SkippedFile[] {
  const known = new Set([
    ...chapters.map(({ name }) => name),
    ...chapters.map(({ file }) => file),
    ...skipped.map(({ file }) => file),
    ...used,
  ]);
  const { files, isWhole } = walk(folder);
  const rest = files
    .filter((file) => !known.has(file))
    .map((file) => ({ file, reason: reasonFor(folder, file, index) }));
  const more = { file: folder, reason: "it holds more files than are listed here" };
  return isWhole ? rest : [...rest, more];
}

function reasonFor(folder: string, file: string, index: string | undefined): string {
  if (README.test(file)) return "a README is no chapter";
  const kind = kindOfName(file);
  if (kind !== undefined)
    return `${kind.called}; ${kind.remedy ?? "import it by itself, or a folder that holds such alone"}`;
  if (!TEXT_FILE.test(file)) return foreignFile(file) ?? "not Markdown";
  const reason = reasonToSkip(folder, file);
  if (reason !== undefined) return reason;
  return index === undefined
    ? "not Markdown by its name; --adopt takes it in"
    : `${index} does not list it; --adopt takes it in`;
}

/**
 * Turns left-out Markdown and text into chapters, except READMEs, conflicts, files of known purpose, and files that a
 * link has already brought.
 */
function adopt(
  folder: string,
  { chapters, skipped }: Pick<LayoutBook, "chapters" | "skipped">,
  { isForeign }: { isForeign: boolean },
): ChapterSource[] {
  const read = new Set(
    chapters.flatMap(({ file }) => (file === null ? [] : [file, linkedFile(folder, file) ?? file])),
  );
  const asked = skipped.filter(
    ({ file, isKnown }) =>
      isKnown !== true &&
      !read.has(file) &&
      TEXT_FILE.test(file) &&
      !README.test(file) &&
      !CONFLICT.test(file),
  );
  const taken = new Set([...read, ...asked.map(({ file }) => file)]);
  return asked
    .filter(({ file }) => reasonToSkip(folder, file, (other) => taken.has(other)) === undefined)
    .map(({ file }) => ({ file, name: file, text: readTextFile(join(folder, file), file), isForeign }));
}
