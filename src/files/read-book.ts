import { existsSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { BadRequest, NotFound } from "../refusals.ts";
import type { AskedFact } from "../service/import-facts.ts";
import { readBesideTexts, strangersBeside } from "./beside.ts";
import { BOOK_JSON, readBookJson } from "./book-json.ts";
import { BOOK_YAML, readBookYaml } from "./book-yaml.ts";
import { partOfFile } from "./file-names.ts";
import { splitFrontMatter } from "./front-matter.ts";
import type { ListedBook, ListedChapter } from "./listed-book.ts";
import { faultOfName } from "./safe-name.ts";
import { splitByHeadings } from "./split-text.ts";
import { isFileWithin, readTextFile, statOf } from "./text-file.ts";

/** A book as files hold it, read and not yet looked into. */
export interface BookFiles {
  /** Where they are, links resolved; undefined for stdin. */
  folder: string | undefined;
  book: ListedBook | undefined;
  /** The text of the folder's own list, and its file. */
  list: { file: string; text: string } | undefined;
  /** False where only one file of the folder was read. */
  isWhole: boolean;
  /** In reading order. */
  chapters: readonly ChapterFile[];
  /** Files that the list names and the folder lacks: only a book that is there can do without them. */
  missing: readonly string[];
  /** Facts that files hold which are no facts.yaml. */
  facts?: readonly AskedFact[];
  /** The texts of the files beside the chapters, facts.yaml and notes.yaml, by their names. */
  beside?: Readonly<Record<string, string>>;
  /** Files that were not read, such as Markdown files that are no chapters, and why. */
  skipped: readonly { file: string; reason: string }[];
  /** The title of a book that says none itself; undefined for that of its first chapter. */
  fallbackTitle: string | undefined;
}

/** A file's text and what the folder's list says of it. */
export interface ChapterFile extends Omit<ListedChapter, "file"> {
  /** Relative to the folder; null for stdin. */
  file: string | null;
  /** What messages call it. */
  name: string;
  text: string;
}

/** What an import leaves beside a file whose chapter both sides changed. */
const CONFLICT = /\.conflict\.md$/i;
// A whole novel in one file; each chapter of it has the limit of any.
const SPLIT_BYTES = 64 * 1024 * 1024;
const MARKDOWN = /\.(?:md|markdown)$/i;

/**
 * Reads a Markdown file or a folder of them; `split` is a level of headings that each begin a chapter of the one file.
 * Throws `NotFound`, `BadRequest`.
 */
export async function readBook(
  path: string,
  { split }: { split?: number | undefined } = {},
): Promise<BookFiles> {
  const stat = statOf(path, `file or folder ${path}`);
  if (stat.isDirectory()) {
    if (split !== undefined)
      throw new BadRequest(`--split cuts one file into chapters, and ${path} is a folder.`);
    return await readFolder(path);
  }
  if (!stat.isFile()) throw new BadRequest(`${path} is neither a file nor a folder.`);
  return split === undefined ? await readOne(path) : readWhole(path, split);
}

/** One file that is one chapter; in a folder that an export made, of that folder's book. */
async function readOne(path: string): Promise<BookFiles> {
  const name = basename(path);
  const text = readTextFile(path, name);
  const root = rootOf(dirname(path));
  const folder = realpathSync(root ?? dirname(path));
  const { book, list } = root === undefined ? NO_LIST : await readList(root);
  const file = relative(folder, join(realpathSync(dirname(path)), name))
    .split(sep)
    .join("/");
  const listed = book?.chapters.find((chapter) => chapter.file === file) ?? { file };
  const chapter = { ...withPart(listed, book), name, text };
  return {
    folder,
    book,
    list,
    isWhole: false,
    chapters: [chapter],
    missing: [],
    skipped: [],
    fallbackTitle: undefined,
  };
}

/** One file with a book in it. */
function readWhole(path: string, split: number): BookFiles {
  const file = basename(path);
  return {
    ...NO_LIST,
    folder: realpathSync(dirname(path)),
    isWhole: false,
    chapters: chaptersOf({ file, name: file, text: readTextFile(path, file, SPLIT_BYTES) }, split),
    missing: [],
    skipped: [],
    fallbackTitle: file.replace(MARKDOWN, ""),
  };
}

const NO_LIST = { book: undefined, list: undefined };

/** The folder of `book.yaml` that a chapter's folder belongs to: itself, or the one that it is a part's of. */
function rootOf(folder: string): string | undefined {
  return [folder, dirname(folder)].find((root) => existsSync(join(root, BOOK_YAML)));
}

/** The file as one chapter, or cut at its headings; then no chapter has a file of its own. */
export function chaptersOf(whole: ChapterFile, split: number | undefined): ChapterFile[] {
  if (split === undefined) return [whole];
  return splitByHeadings(whole.text, split, whole.name).map((text, index) => ({
    file: null,
    name: `${whole.name}, chapter ${index + 1}`,
    text,
  }));
}

/** What the folder's own list says, where there is one. */
async function readList(folder: string): Promise<Pick<BookFiles, "book" | "list">> {
  const read = (file: string) => {
    const path = join(folder, file);
    return isFileWithin(folder, path) ? { file, text: readTextFile(path, file) } : undefined;
  };
  const ours = read(BOOK_YAML);
  if (ours !== undefined) return { book: readBookYaml(await import("yaml"), ours.text), list: ours };
  const json = read(BOOK_JSON);
  return json === undefined ? NO_LIST : { book: readBookJson(json.text), list: json };
}

async function readFolder(folder: string): Promise<BookFiles> {
  const { book, list } = await readList(folder);
  const { listed, skipped } = orderFiles(folder, findMarkdown(folder, book), book?.chapters ?? []);
  const missing: string[] = [];
  const chapters = listed.flatMap((chapter): ChapterFile[] => {
    const path = join(folder, safeName(chapter.file));
    if (isFileWithin(folder, path)) {
      return [{ ...withPart(chapter, book), name: chapter.file, text: readTextFile(path, chapter.file) }];
    }
    missing.push(chapter.file);
    return [];
  });
  if (chapters.length === 0 && missing.length > 0) throw new NotFound(`file in ${folder}: ${missing[0]}`);
  if (chapters.length === 0)
    throw new BadRequest(`${folder} holds no chapter: no Markdown file that is not hidden.`);
  return {
    folder: realpathSync(folder),
    book,
    list,
    isWhole: true,
    chapters,
    missing,
    beside: readBesideTexts(folder),
    skipped: [...skipped, ...strangersBeside(folder)],
    fallbackTitle: basename(resolve(folder)),
  };
}

/** The Markdown files of a folder and of its parts' folders. */
function findMarkdown(folder: string, book: ListedBook | undefined): string[] {
  const inFolder = (below: string) => {
    const path = join(folder, below);
    if (!existsSync(path)) return [];
    return readdirSync(path)
      .filter((name) => MARKDOWN.test(name) && !/^(?:\.|readme\.)/i.test(name))
      .map((name) => (below === "" ? name : `${below}/${name}`));
  };
  return ["", ...[...(book?.folders.keys() ?? [])].map(safeName)].flatMap(inFolder);
}

/** A chapter with the part that its folder says, where the list says none. */
function withPart(chapter: ListedChapter, book: ListedBook | undefined): ListedChapter {
  if (chapter.part !== undefined || book === undefined) return chapter;
  const part = partOfFile(chapter.file, book.folders);
  return part === undefined ? chapter : { ...chapter, part };
}

/**
 * The listed files in their order, and among them, by name, those that are not listed. Beside a list only numbered files
 * and those that an export made are taken for chapters; a README never is, nor a link that leads out of the folder.
 */
function orderFiles(folder: string, present: readonly string[], chapters: readonly ListedChapter[]) {
  const known = new Set(chapters.map(({ file }) => file));
  const twice = chapters.find(
    ({ file }, index) => chapters.findIndex((other) => other.file === file) < index,
  );
  if (twice !== undefined) throw new BadRequest(`The folder's list names ${twice.file} twice.`);
  const skipped: { file: string; reason: string }[] = [];
  const listed: ListedChapter[] = [...chapters];
  const { compare } = new Intl.Collator("en", { numeric: true });
  for (const file of present.toSorted(compare)) {
    if (known.has(file)) continue;
    const reason = reasonToSkip(folder, file, chapters.length > 0);
    if (reason !== undefined) skipped.push({ file, reason });
    else listed.splice(listed.findLastIndex((other) => compare(other.file, file) < 0) + 1, 0, { file });
  }
  return { listed, skipped };
}

function reasonToSkip(folder: string, file: string, isBesideList: boolean): string | undefined {
  const path = join(folder, file);
  if (CONFLICT.test(file)) return "an import left it for you to look at; remove it when that is done";
  const fault = faultOfName(file);
  if (fault !== undefined) return `its name ${fault}; rename it`;
  if (!isFileWithin(folder, path)) return "not a file of this folder";
  if (!isBesideList || /^\d/.test(basename(file)) || isExported(readTextFile(path, file))) return undefined;
  return "the folder's list does not name it, and its own name has no number";
}

/** Whether a file's front matter names a chapter. */
function isExported(text: string): boolean {
  return /^id: *["']?ch_/m.test(splitFrontMatter(text).frontMatter);
}

/** The name that a list gives a chapter. Throws `BadRequest` where it would lead out of the folder. */
function safeName(file: string): string {
  const fault = faultOfName(file);
  if (fault !== undefined)
    throw new BadRequest(`The folder's list names the file ${JSON.stringify(file)}, which ${fault}.`);
  return file;
}
