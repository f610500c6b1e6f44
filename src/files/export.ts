import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { type Book, hasAnnotations, readWholeBook } from "../service/interchange/read-book.ts";
import {
  ANYWHERE,
  isKnownFile,
  isKnownText,
  readWorkingCopy,
  recordWritten,
} from "../service/interchange/working-copy.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { makeFolder } from "./disk/atomic-write.ts";
import { hash } from "./disk/text-file.ts";
import {
  type FileStatus,
  type OutFile,
  readIfThere,
  type WriteProgress,
  writeFolder,
} from "./disk/write-folder.ts";
import { BOOK_YAML } from "./folder/manifest.ts";
import {
  copiedChapter,
  copiedList,
  freshList,
  isFolderOf,
  placeFiles,
  type RenderOptions,
  readListText,
  renderAgain,
  renderChapter,
  updateList,
} from "./folder/render-folder.ts";

/** How a book is exported. */
interface ExportOptions {
  /** The prose alone. */
  plain?: boolean;
  /** With the ids of its paragraphs. */
  blockIds?: boolean;
  /** Overwrites what it would not. */
  force?: boolean;
  step?: WriteProgress;
}

/** The chapters of a book as they would be in files, in reading order. Throws `NotFound`. */
export async function renderBook(
  manuscript: Manuscript,
  bookId: string,
  { plain = false, blockIds = false }: Pick<ExportOptions, "plain" | "blockIds">,
): Promise<OutFile[]> {
  const marks = blockIds ? await import("../service/interchange/export-block-ids.ts") : undefined;
  const book = readWholeBook(manuscript, bookId, { mark: marks?.withBlockIds });
  const options = await renderOptions(book, { plain, mark: marks?.withBlockIds });
  return book.chapters.map((chapter) => renderChapter(chapter, "", options));
}

/** How all of a book's files are rendered alike; YAML is loaded only if a chapter came with some. */
async function renderOptions(
  { parts, chapters }: Book,
  { plain, mark }: { plain: boolean; mark: RenderOptions["mark"] },
): Promise<RenderOptions> {
  const hasBlocks = !plain && chapters.some(({ frontMatter }) => frontMatter !== "");
  const yaml = hasBlocks ? await import("yaml") : undefined;
  return { parts, style: { isPlain: () => plain, isMarked: () => mark !== undefined }, yaml, mark };
}

/**
 * Writes a book into a folder: one file a chapter, the cast and marginalia beside them, and `book.yaml`. Returns the book
 * and what became of each chapter's file. Throws `NotFound`, and `WouldLose`, before anything is written, if files would
 * be overwritten that no export of this book left so.
 */
export async function exportFolder(
  manuscript: Manuscript,
  bookId: string,
  path: string,
  { plain = false, blockIds = false, force = false, step }: ExportOptions = {},
): Promise<{ book: Book; files: { file: string; status: FileStatus }[]; unsaid: string[] }> {
  // What few books need is not loaded for all.
  const isThere = () => ["facts.yaml", "notes.yaml"].some((file) => existsSync(join(path, file)));
  const has = hasAnnotations(manuscript, bookId);
  const isAnnotated = !plain && (has.facts || has.notes || isThere());
  const extras = isAnnotated ? await import("./annotations/write-annotations.ts") : undefined;
  const marks = blockIds ? await import("../service/interchange/export-block-ids.ts") : undefined;
  const yaml = extras && (await import("yaml"));
  const { book, state, names, annotations } = manuscript.store.snapshot(() => {
    const read = { annotate: extras?.readAnnotations, mark: marks?.withBlockIds };
    const book = readWholeBook(manuscript, bookId, read);
    makeFolder(path);
    const folder = realpathSync(path);
    const copy = readWorkingCopy(manuscript, { folder, bookId });
    const state = { folder, list: readListText(folder), copy };
    const names = placeFiles(book, state);
    const annotations = yaml && extras?.exportAnnotations(manuscript, book, folder, { names, force, yaml });
    return { book, state, names, annotations };
  });
  const { folder } = state;
  const options = await renderOptions(book, { plain, mark: marks?.withBlockIds });
  const chapters = book.chapters.map((chapter, index) => {
    const file = names[index] ?? ""; // one name a chapter
    return renderAgain(chapter, file, options, {
      present: plain ? undefined : readIfThere(join(folder, file)),
    });
  });
  const isOwn = isFolderOf(book, state);
  const fresh = freshList(book, chapters);
  const text = isOwn && state.list !== fresh ? updateList(await import("yaml"), book, state, fresh) : fresh;
  const list: OutFile = { file: BOOK_YAML, bytes: Buffer.from(text) };
  const idOf = new Map(chapters.map(({ chapter, file }) => [file, chapter.id]));
  const isKnown = (file: string, bytes: Buffer) => {
    const id = idOf.get(file);
    if (id !== undefined) return isKnownFile(manuscript, id, hash(bytes));
    if (file === list.file) return isKnownText(manuscript, { bookId, file }, bytes.toString());
    return annotations?.known.has(file) === true;
  };
  const record = (where: string) =>
    recordWritten(
      manuscript,
      { folder: where, bookId },
      {
        chapters: chapters.map(copiedChapter),
        texts: [...(annotations?.copied ?? []), copiedList(book, chapters, text)],
      },
    );
  const written = await writeFolder(folder, [...chapters, ...(annotations?.files ?? []), list], {
    mayOverwrite: (file, bytes) => force || (isOwn && isKnown(file, bytes)),
    // Only in a folder of this book is anything overwritten: there a run that is killed must leave no file unknown.
    ...(isOwn && { checked: () => record(ANYWHERE) }),
    step,
  });
  record(folder);
  const files = chapters.map(({ file }, index) => ({ file, status: written[index] ?? "same" })); // one entry a file
  return { book, files, unsaid: [] };
}
