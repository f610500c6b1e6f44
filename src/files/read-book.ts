import { readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { BadRequest, NotFound } from "../refusals.ts";
import type { AskedFact } from "../service/import-facts.ts";
import { readBesideTexts } from "./beside.ts";
import { BOOK_JSON, type BookJson, type ListedChapter, readBookJson } from "./book-json.ts";
import { readPlainFolder, reasonToSkip as reasonOfFile } from "./layouts/folder.ts";
import { MARKDOWN } from "./layouts/kinds.ts";
import { isFileWithin, readTextFile, statOf } from "./text-file.ts";

/** A book as files hold it, read and not yet looked into. */
export interface BookFiles {
  /** Where they are, links resolved; undefined for stdin. */
  folder: string | undefined;
  book: BookJson | undefined;
  /** In reading order. */
  chapters: readonly ChapterFile[];
  /** Facts that files hold which are no facts.yaml. */
  facts?: readonly AskedFact[];
  /** The texts of the files beside the chapters, facts.yaml and notes.yaml, by their names. */
  beside?: Readonly<Record<string, string>>;
  /** Files that are no chapters, and why. */
  skipped: readonly SkippedFile[];
  /** The title of a book that says none itself; undefined for that of its first chapter. */
  fallbackTitle: string | undefined;
}

/** A file that is no chapter. */
export interface SkippedFile {
  file: string;
  reason: string;
  /** What it is for is known: it is not taken in as a chapter, whoever asks. */
  isKnown?: boolean;
}

/** A file's text and what `book.json` says of it. */
export interface ChapterFile extends Omit<ListedChapter, "file"> {
  /** Relative to the folder; null for stdin. */
  file: string | null;
  /** What messages call it. */
  name: string;
  text: string;
  status?: string;
  synopsis?: string;
  /** Written by another program: of its front matter only what means the same here counts. */
  isForeign?: boolean;
}

/** Reads a Markdown file or a folder of them; `mayLack` where listed files may be missing. Throws `NotFound`, `BadRequest`. */
export function readBook(path: string, { mayLack }: { mayLack: boolean }): BookFiles {
  const stat = statOf(path, `file or folder ${path}`);
  if (stat.isDirectory()) return readFolder(path, mayLack);
  if (!stat.isFile()) throw new BadRequest(`${path} is neither a file nor a folder.`);
  const file = basename(path);
  return {
    folder: realpathSync(dirname(path)),
    book: undefined,
    chapters: [{ file, name: file, text: readTextFile(path, file) }],
    skipped: [],
    fallbackTitle: undefined,
  };
}

function readFolder(folder: string, mayLack: boolean): BookFiles {
  const bookPath = join(folder, BOOK_JSON);
  if (!isFileWithin(folder, bookPath)) return { ...readPlainFolder(folder), beside: readBesideTexts(folder) };
  const book = readBookJson(readTextFile(bookPath, BOOK_JSON));
  const present = readdirSync(folder).filter(
    (name) => MARKDOWN.test(name) && !/^(?:\.|readme\.)/i.test(name),
  );
  const { listed, skipped } = orderFiles(folder, present, book.chapters);
  const chapters = listed.flatMap((chapter): ChapterFile[] => {
    const path = join(folder, safeName(chapter.file));
    if (isFileWithin(folder, path)) {
      return [{ ...chapter, name: chapter.file, text: readTextFile(path, chapter.file) }];
    }
    if (mayLack) return [];
    throw new NotFound(
      `file in ${folder}: ${chapter.file}, which book.json lists; put it back, or take it off the list`,
    );
  });
  if (chapters.length === 0)
    throw new BadRequest(`${folder} holds no chapter: no Markdown file that is not hidden.`);
  return {
    folder: realpathSync(folder),
    book,
    chapters,
    beside: readBesideTexts(folder),
    skipped,
    fallbackTitle: basename(resolve(folder)),
  };
}

/**
 * The listed files in their order, and among them, by name, those that are not listed. Beside a list only numbered files
 * are taken for chapters; a README never is, nor a link that leads out of the folder.
 */
function orderFiles(folder: string, present: readonly string[], chapters: readonly ListedChapter[]) {
  const known = new Set(chapters.map(({ file }) => file));
  const twice = chapters.find(
    ({ file }, index) => chapters.findIndex((other) => other.file === file) < index,
  );
  if (twice !== undefined) throw new BadRequest(`book.json lists ${twice.file} twice.`);
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
  const isUnknown = isBesideList && !/^\d/.test(file);
  const reason = reasonOfFile(folder, file);
  return reason ?? (isUnknown ? "book.json does not list it, and its name has no number" : undefined);
}

/** The name that an index gives a chapter. Throws `BadRequest` where it would lead out of the folder. */
export function safeName(file: string, index: string = BOOK_JSON): string {
  const steps = file.split(/[\\/]/);
  const isSafe = steps.every((step) => step !== "" && !step.startsWith(".")) && !/^[A-Za-z]:/.test(file);
  if (!isSafe)
    throw new BadRequest(`${index} names the file "${file}", which is hidden or outside its folder.`);
  return file;
}
