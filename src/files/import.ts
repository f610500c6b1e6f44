import type { AskedBeside } from "../service/import-beside.ts";
import { type AskedImport, type ImportAnswer, importBook } from "../service/import-book.ts";
import type { AskedChapter } from "../service/import-chapter.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { askBeside } from "./beside.ts";
import type { BookJson } from "./book-json.ts";
import { chapterBytes } from "./chapter-bytes.ts";
import { readFields, type Yaml } from "./fields.ts";
import { type SplitText, splitFrontMatter } from "./front-matter.ts";
import { foreignFields } from "./layouts/status.ts";
import { titleOf } from "./name-title.ts";
import { findPart, type ListedPart } from "./parts.ts";
import type { BookFiles, ChapterFile } from "./read-book.ts";

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
  { folder, book, chapters, facts, beside = {}, fallbackTitle }: BookFiles,
  { bookId, title, dryRun = false, diff = false, settled, known, ...options }: ImportOptions,
): Promise<ImportAnswer> {
  const split = chapters.map((chapter) => ({ chapter, parts: splitFrontMatter(chapter.text) }));
  const yaml = split.some(({ parts }) => parts.frontMatter !== "") ? await import("yaml") : undefined;
  const asked: AskedImport = {
    title: title ?? (book?.title === undefined ? fallbackTitle : undefined),
    folder,
    ...options,
    settled,
    book,
    facts,
    beside: {
      ...(await askBeside(beside, book?.exportedFrom === bookId ? (book?.hashes ?? {}) : {})),
      known,
    },
    chapters: split.map(({ chapter, parts }) =>
      toAsked(chapter, parts, {
        yaml,
        listed: book?.listed ?? [],
        // What another book's export says of its chapters is not about these.
        exported: book !== undefined && book.exportedFrom === bookId ? book : undefined,
      }),
    ),
    ...(bookId === undefined ? {} : { bookId }),
    exported: (stored, parts) =>
      stored.frontMatter !== "" && yaml === undefined ? undefined : chapterBytes(stored, parts, yaml),
  };
  return importBook(manuscript, asked, { dryRun, diff });
}

function toAsked(
  { file, name, title, part, status, synopsis, isForeign = false }: ChapterFile,
  { bom, frontMatter, body }: SplitText,
  {
    yaml,
    listed,
    exported,
  }: { yaml: Yaml | undefined; listed: readonly ListedPart[]; exported: BookJson | undefined },
): AskedChapter {
  // A file without front matter is known by the name that the export gave it.
  const known = file !== null && exported !== undefined && Object.hasOwn(exported.ids, file);
  const id = known ? { id: String(exported.ids[file]) } : {};
  const revision = known ? exported.revisions[file] : undefined;
  const hash = known ? exported.hashes[file] : undefined;
  const said = yaml === undefined || frontMatter === "" ? {} : readFields(yaml, frontMatter, name);
  const fields = isForeign ? foreignFields(said, part) : said;
  if (fields.part != null) fields.part = listed[findPart(listed, fields.part)]?.title ?? fields.part;
  return {
    name,
    file,
    bom,
    frontMatter,
    markdown: body,
    base: typeof revision === "number" && typeof hash === "string" ? { revision, hash } : undefined,
    fields: {
      ...id,
      ...(title === undefined ? {} : { title }),
      ...(part === undefined ? {} : { part }),
      ...(status === undefined ? {} : { status }),
      ...(synopsis === undefined ? {} : { synopsis }),
      ...fields,
    },
    fallbackTitle: file === null ? "Untitled" : titleOf(file),
  };
}
