import { realpathSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { BadRequest } from "../../../refusals.ts";
import { TEXT_FILE } from "../../../service/field-rules.ts";
import type { ForeignNote } from "../../../service/interchange/import-notes.ts";
import { append } from "../../../text/extremes.ts";
import type { ChapterSource, SkippedFile } from "../../book-files.ts";
import { isFileWithin, statOf } from "../../disk/text-file.ts";
import { convert } from "../../documents/convert.ts";
import { kindOfFile, readDocumentFile } from "../../documents/open.ts";
import { README } from "../../layout-names.ts";
import { type DocumentKind, kindOfName } from "../../pandoc.ts";
import { partsByFolder, reasonToSkip, walk } from "../folder.ts";
import type { Layout, LayoutBook, LayoutOptions, Source } from "../layout.ts";
import { bookOfText } from "../one-file/file.ts";

/**
 * Documents of Word, and of the like through pandoc: a single one, cut at its headings, or a folder that holds no other
 * texts.
 */
export const WORD_PROCESSOR: Layout = {
  name: "document",
  called: "a document of a word processor",
  lacks:
    "it is neither Word's, OpenDocument, RTF, HTML nor EPUB, nor a folder of such without Markdown or text",
  detect: (source) => (source.isFolder ? kindIn(source.folder) : kindAt(source)?.called),
  read: async (source, reading) =>
    source.isFolder ? await readFolder(source.folder, reading) : await readOne(source, reading),
};

function kindAt({ path, folder, file }: Source): DocumentKind | undefined {
  if (file === undefined || !isFileWithin(folder, file)) return undefined;
  // A pipe must not be opened here: its reader opens it.
  return statOf(path, file).isFile() ? kindOfFile(path, file) : undefined;
}

function kindIn(folder: string): string | undefined {
  const { files } = walk(folder);
  if (files.some((file) => TEXT_FILE.test(file) && !README.test(file))) return undefined;
  return files.find((file) => kindOfName(file)?.format !== undefined);
}

async function readOne(source: Source, reading: LayoutOptions): Promise<LayoutBook> {
  const file = basename(source.path);
  const kind = kindAt(source)!; // it was detected
  const book = await bookOfDocument(readDocumentFile(source.path, file), kind, { file, name: file, reading });
  return { ...book, folder: realpathSync(source.folder) };
}

/** Returns the book of one document. Throws `BadRequest` for one without text, and `PayloadTooLarge`. */
export async function bookOfDocument(
  bytes: Buffer,
  kind: DocumentKind,
  { file, name, reading }: Pick<ChapterSource, "file" | "name"> & { reading: LayoutOptions },
): Promise<LayoutBook> {
  if (kind.format === "docx") {
    const { bookOfWord } = await import("../word/word.ts");
    return bookOfWord(bytes, { file, name }, reading);
  }
  const { markdown, title, left } = await convert(bytes, kind, { name, pandoc: reading.pandoc?.() });
  if (markdown.trim() === "") throw new BadRequest(`${name} holds no text; nothing was imported.`);
  const book = await bookOfText({ file, name, text: markdown, isForeign: true }, reading);
  return {
    ...book,
    fallbackTitle: title ?? book.fallbackTitle,
    skipped: [...leftOf(name, left), ...book.skipped],
  };
}

/** Reads each document as a chapter, in natural order. Each folder in it is a part. */
async function readFolder(folder: string, { pandoc }: LayoutOptions): Promise<LayoutBook> {
  const skipped: SkippedFile[] = [];
  const chapters: ChapterSource[] = [];
  const notes: ForeignNote[] = [];
  const pictures = new Map<string, () => Buffer>();
  const partOf = partsByFolder();
  for (const file of walk(folder).files) {
    const kind = kindOfName(file);
    if (kind === undefined || README.test(file)) continue;
    const reason = kind.format === undefined ? `${kind.called}: ${kind.remedy}` : reasonToSkip(folder, file);
    if (reason !== undefined) {
      skipped.push({ file, reason });
      continue;
    }
    const bytes = readDocumentFile(join(folder, file), file);
    const read = await readChapter(bytes, kind, { file, pandoc });
    const part = partOf(file);
    for (const from of read.chapters) chapters.push(part === undefined ? from : { ...from, part });
    append(notes, read.notes?.map((note) => ({ ...note, at: undefined, chapter: file })) ?? []);
    append(skipped, read.skipped);
    for (const [place, picture] of read.pictures ?? []) pictures.set(place, picture);
  }
  const fallbackTitle = basename(resolve(folder));
  const own = { chapters, notes, pictures, skipped, used: [], fallbackTitle };
  return { folder: realpathSync(folder), book: undefined, ...own };
}

async function readChapter(
  bytes: Buffer,
  kind: DocumentKind,
  { file, pandoc }: { file: string } & Pick<LayoutOptions, "pandoc">,
): Promise<Pick<LayoutBook, "chapters" | "notes" | "pictures" | "skipped">> {
  if (kind.format === "docx") {
    const { bookOfWord } = await import("../word/word.ts");
    return bookOfWord(bytes, { file, name: file }, { split: "none", isOneOfMany: true });
  }
  const { markdown, left } = await convert(bytes, kind, { name: file, pandoc: pandoc?.() });
  return { chapters: [{ file, name: file, text: markdown, isForeign: true }], skipped: leftOf(file, left) };
}

function leftOf(file: string, left: readonly string[]): SkippedFile[] {
  return left.map((what) => ({
    file,
    reason: `taken without what is no prose: ${what}`,
    isKnown: true,
    isPartly: true,
  }));
}
