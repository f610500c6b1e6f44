import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { BadRequest, NotFound } from "../../refusals.ts";
import { readAnnotationFiles, strangeAnnotationFiles } from "../annotations/annotation-texts.ts";
import type { BookFiles, ChapterSource } from "../book-files.ts";
import { fileNamesIn, isFileWithin, readTextFile, statOf } from "../disk/text-file.ts";
import { partOfFile } from "../file-names.ts";
import { ChapterTexts } from "../folder/chapter-texts.ts";
import {
  BOOK_JSON,
  BOOK_YAML,
  type ListedBook,
  type ListedChapter,
  readBookJson,
  readBookYaml,
} from "../folder/manifest.ts";
import { safeName } from "../folder/safe-name.ts";
import { isExported, splitFrontMatter } from "../front-matter.ts";
import { MARKDOWN, README } from "../layout-names.ts";
import { readIfThere } from "../write-folder.ts";
import {
  linkedFile,
  listFilesBelow,
  partsByFolder,
  readPlainFolder,
  reasonToSkip as reasonOfFile,
} from "./folder.ts";

/** Reads a Markdown file, or a folder of them, whether an export made it or not. Throws `NotFound`, `BadRequest`. */
export async function readBookFiles(path: string): Promise<BookFiles> {
  const stat = statOf(path, `file or folder ${path}`);
  if (stat.isDirectory()) return await readFolder(path);
  if (!stat.isFile()) throw new BadRequest(`${path} is neither a file nor a folder.`);
  const own = await readOne(path);
  if (own !== undefined) return own;
  const file = basename(path);
  const chapters = [{ file, name: file, text: readTextFile(path, file) }];
  return {
    folder: realpathSync(dirname(path)),
    book: undefined,
    chapters,
    skipped: [],
    fallbackTitle: undefined,
  };
}

/** Reads one file of an exported folder as a chapter of that folder's book; undefined for any other file. */
export async function readOne(path: string): Promise<BookFiles | undefined> {
  const root = [dirname(path), dirname(dirname(path))].find((above) => existsSync(join(above, BOOK_YAML)));
  if (root === undefined) return undefined;
  const name = basename(path);
  const text = readTextFile(path, name);
  const { book, list } = await readList(root);
  const folder = realpathSync(root);
  const file = relative(folder, join(realpathSync(dirname(path)), name))
    .split(sep)
    .join("/");
  const listed = book?.chapters.find((chapter) => chapter.file === file) ?? { file };
  const chapters = [{ ...withPart(listed, book), name, text }];
  return { folder, book, list, isPart: true, chapters, skipped: [], fallbackTitle: undefined };
}

/** Reads the folder's own list, if there is one. */
async function readList(folder: string): Promise<Pick<BookFiles, "book" | "list">> {
  const read = (file: string) =>
    isFileWithin(folder, file) ? { file, text: readTextFile(join(folder, file), file) } : undefined;
  const ours = read(BOOK_YAML);
  if (ours !== undefined)
    return { book: readBookYaml(await import("yaml"), ours.text, fileNamesIn(folder)), list: ours };
  const json = read(BOOK_JSON);
  if (json !== undefined) return { book: readBookJson(json.text), list: json };
  return { book: undefined, list: undefined };
}

async function readFolder(folder: string): Promise<BookFiles> {
  const { book, list } = await readList(folder);
  if (book === undefined) return { ...readPlainFolder(folder), annotations: readAnnotationFiles(folder) };
  const { listed, skipped } = orderFiles(folder, book);
  const missing: string[] = [];
  const texts = new ChapterTexts(folder);
  const partOf = partsByFolder();
  const chapters = listed.flatMap((chapter): ChapterSource[] => {
    const file = safeName(chapter.file);
    if (isFileWithin(folder, file)) {
      return [texts.read(file, { ...withPart(chapter, book, partOf), name: file })];
    }
    missing.push(`${chapter.file}, which ${list?.file} lists`);
    return [];
  });
  if (chapters.length === 0 && missing.length > 0) throw new NotFound(`file in ${folder}: ${missing[0]}`);
  // The export of a book without chapters has none either.
  if (chapters.length === 0 && book.exportedFrom === undefined)
    throw new BadRequest(`${folder} holds no chapter: no Markdown file that is not hidden.`);
  return {
    folder: realpathSync(folder),
    book,
    list,
    chapters,
    missing,
    annotations: readAnnotationFiles(folder),
    skipped: [...skipped, ...strangeAnnotationFiles(folder)],
    fallbackTitle: basename(resolve(folder)),
  };
}

/** Lists the Markdown files in and below a folder. */
function findMarkdown(folder: string): string[] {
  return listFilesBelow(folder, (_, name) => MARKDOWN.test(name) && !README.test(name));
}

/**
 * Adds the part that a chapter's folder implies, if the list gives none. A folder that the list lacks is a new part.
 */
export function withPart<Chapter extends ListedChapter>(
  chapter: Chapter,
  book: ListedBook | undefined,
  partOf: (file: string) => string | undefined = () => undefined,
): Chapter & { isFound?: true } {
  if (chapter.part !== undefined || book === undefined) return chapter;
  const isListed = book.chapters.some(({ file }) => file === chapter.file);
  const known = partOfFile(chapter.file, book.folders);
  const outermost = chapter.file.replace(/\/.*/, "");
  const part =
    known === undefined && !isListed ? (book.folders.get(outermost) ?? partOf(chapter.file)) : known;
  return part === undefined ? chapter : { ...chapter, part, ...(isListed ? {} : { isFound: true }) };
}

/**
 * Orders files: those in the list by its order, the others among them by name. Next to a list only numbered and
 * exported files count as chapters; never a README, a link to another chapter, or a link out of the folder.
 */
function orderFiles(folder: string, { chapters, folders, exportedFrom }: ListedBook) {
  const known = new Set(chapters.flatMap(({ file }) => [file, linkedFile(folder, file) ?? file]));
  const twice = chapters.find(
    ({ file }, index) => chapters.findIndex((other) => other.file === file) < index,
  );
  if (twice !== undefined) throw new BadRequest(`The folder's list names ${twice.file} twice.`);
  const skipped: { file: string; reason: string }[] = [];
  const listed: ListedChapter[] = [...chapters];
  const others = findMarkdown(folder).filter((file) => !known.has(file));
  if (others.length === 0) return { listed, skipped };
  const { compare } = new Intl.Collator("en", { numeric: true }); // 5 ms
  const isBesideList = chapters.length > 0;
  // Another program's folder may hold anything besides its parts.
  const isStrange = (file: string) =>
    exportedFrom === undefined && file.includes("/") && !folders.has(dirname(file));
  const isTaken = (file: string) =>
    known.has(file) || (others.includes(file) && reasonToSkip(folder, file, { isBesideList }) === undefined);
  for (const file of others.sort(compare)) {
    const reason = isStrange(file)
      ? "no part in the folder's list has its folder; name it there, as `folder` of a part, or add --adopt"
      : reasonToSkip(folder, file, { isBesideList, isTaken });
    if (reason !== undefined) skipped.push({ file, reason });
    else listed.splice(listed.findLastIndex((other) => compare(other.file, file) < 0) + 1, 0, { file });
  }
  return { listed, skipped };
}

function reasonToSkip(
  folder: string,
  file: string,
  { isBesideList, isTaken }: { isBesideList: boolean; isTaken?: (other: string) => boolean },
): string | undefined {
  const path = join(folder, file);
  const reason = reasonOfFile(folder, file, isTaken);
  if (reason !== undefined) return reason;
  if (
    !isBesideList ||
    /^\d/.test(basename(file)) ||
    isExported(splitFrontMatter(readIfThere(path)?.toString() ?? "").frontMatter)
  )
    return undefined;
  return "the folder's list does not name it, and its own name has no number; --adopt takes it in";
}
