import { NotFound } from "../refusals.ts";
import { hasBook } from "../service/guards.ts";
import type { AskedBeside } from "../service/interchange/import-annotations.ts";
import {
  type AskedBook,
  type AskedImport,
  type ImportAnswer,
  importBook,
} from "../service/interchange/import-book.ts";
import type { AskedChapter } from "../service/interchange/incoming-chapter.ts";
import { bookOfFiles, lastText } from "../service/interchange/sync-base.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { askBeside } from "./annotations/annotation-files.ts";
import type { BookFiles, ChapterFile } from "./book-files.ts";
import { type SplitText, splitFrontMatter } from "./folder/front-matter.ts";
import { isFreshBlock, readFields } from "./folder/front-matter-fields.ts";
import { findPart, type ListedBook, type ListedPart } from "./folder/manifest.ts";
import { BOOK_YAML, readBookYaml } from "./folder/manifest-files.ts";
import { chapterBytes } from "./folder/render-chapter.ts";
import { isSafe } from "./folder/safe-name.ts";
import { titleOf } from "./folder/title-and-name.ts";
import { foreignFields } from "./layouts/status.ts";
import type { Yaml } from "./yaml/open.ts";

/** Where an import goes, and whether it only says what it would do. */
export interface ImportOptions {
  /** Into this book; without it a new one is made. */
  bookId?: string;
  /** The new book's title. */
  title?: string;
  dryRun?: boolean;
  /** Say what changes, word by word. */
  diff?: boolean;
  /** Decides where both sides changed. */
  force?: "mine" | "theirs";
  /** A chapter may shrink below half. */
  yes?: boolean;
  /** Called as files are read and written: so many of so many steps are done. */
  step?: (done: number, total: number) => void;
  source?: "import" | "cli";
  /** What is gone from a file beside the chapters goes from the book, where the manuscript has not changed it since. */
  delete?: boolean;
  /** Told what the entries of the files beside the chapters are in the manuscript. */
  known?: AskedBeside["known"];
  /** Called when all is as it will be, within the transaction: also a dry run shows there what it would come to. */
  settled?: () => void;
}

/** Takes files into the manuscript, as one act. Throws `BadRequest` and `PayloadTooLarge` naming the file, `NotFound`. */
export async function importFiles(
  manuscript: Manuscript,
  { folder, book, list, isPart, chapters, facts, beside = {}, missing = [], fallbackTitle }: BookFiles,
  { bookId, title, dryRun = false, diff = false, known, ...options }: ImportOptions,
): Promise<ImportAnswer> {
  if (bookId === undefined && missing.length > 0) {
    throw new NotFound(`file in ${folder}: ${missing[0]}; put it back, or take it off the list`);
  }
  const split = chapters.map((chapter) => ({ chapter, parts: splitFrontMatter(chapter.text) }));
  const hasYaml = list?.file === BOOK_YAML || split.some(({ parts }) => parts.frontMatter !== "");
  const yaml = hasYaml ? await import("yaml") : undefined;
  const last =
    yaml !== undefined && folder !== undefined && bookId !== undefined && list?.file === BOOK_YAML
      ? lastText(manuscript, { folder, bookId, file: list.file })
      : undefined;
  const asked: AskedImport = {
    title: title ?? (book?.title === undefined ? fallbackTitle : undefined),
    folder,
    ...options,
    list,
    book: book && withOrder(book, isPart),
    base: last === undefined || yaml === undefined ? undefined : withOrder(readBookYaml(yaml, last), isPart),
    facts,
    beside: { ...(await askBeside(beside)), known },
    chapters: split.map(({ chapter, parts }) =>
      toAsked(chapter, parts, { yaml, listed: book?.listed ?? [] }),
    ),
    ...(bookId === undefined ? {} : { bookId }),
    isName: isSafe,
    exported: (stored, parts, { revision }) =>
      stored.frontMatter !== "" && yaml === undefined
        ? undefined
        : chapterBytes(revision === undefined ? stored : { ...stored, revision }, parts, yaml),
  };
  return importBook(manuscript, asked, { dryRun, diff });
}

/** The list with the order of its files, where all of them were read. */
function withOrder(book: ListedBook, isPart = false): AskedBook {
  return { ...book, order: isPart ? undefined : book.chapters.map(({ file }) => file) };
}

/**
 * The book that an import of these files goes into where none was named: the one that their `book.yaml` names, else, also
 * where that is another manuscript's, the one that they were imported for before; undefined for a new one.
 */
export function targetOf(manuscript: Manuscript, { folder, book, chapters }: BookFiles): string | undefined {
  const named = book?.exportedFrom;
  if (named !== undefined && hasBook(manuscript, named)) return named;
  if (folder === undefined) return undefined;
  const files = chapters.flatMap(({ file }) => file ?? []);
  return bookOfFiles(manuscript, folder, files);
}

function toAsked(
  { file, name, title, part, status, synopsis, id, revision, isFound, isForeign = false }: ChapterFile,
  { bom, frontMatter, body }: SplitText,
  { yaml, listed }: { yaml: Yaml | undefined; listed: readonly ListedPart[] },
): AskedChapter {
  const said =
    yaml === undefined || frontMatter === "" ? { fields: {} } : readFields(yaml, frontMatter, name);
  const fields = isForeign ? foreignFields(said.fields, part) : said.fields;
  const isFresh = !isForeign && isFreshBlock(frontMatter, said.fields, said.revision);
  if (fields.part != null) fields.part = listed[findPart(listed, fields.part)]?.title ?? fields.part;
  return {
    name,
    file,
    bom,
    frontMatter,
    keptBlock: isFresh ? "" : frontMatter,
    markdown: body,
    revision: said.revision ?? revision,
    isFound: isFound && fields.part === undefined,
    fields: {
      ...(id === undefined ? {} : { id }),
      ...(title === undefined ? {} : { title }),
      ...(part === undefined ? {} : { part }),
      ...(status === undefined ? {} : { status }),
      ...(synopsis === undefined ? {} : { synopsis }),
      ...fields,
    },
    fallbackTitle: file === null ? "Untitled" : titleOf(file),
  };
}
