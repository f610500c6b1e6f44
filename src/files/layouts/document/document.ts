import { realpathSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { METADATA } from "../../../contract/enums.ts";
import { type BookFields, TEXT_FILE } from "../../../service/field-rules.ts";
import type { ForeignNote } from "../../../service/interchange/import-notes.ts";
import { append } from "../../../text/extremes.ts";
import type { ChapterSource, SkippedFile, SourceText } from "../../book-files.ts";
import { isFileWithin, statOf } from "../../disk/text-file.ts";
import {
  type DocumentKind,
  kindOfFile,
  kindOfName,
  readDocumentFile,
  unreadable,
} from "../../document-kinds.ts";
import { describedBy, documentMetadata } from "../../documents/metadata.ts";
import { README } from "../../layout-names.ts";
import { partsByFolder, reasonToSkip, walk } from "../folder.ts";
import type { Layout, LayoutBook, LayoutOptions, Source } from "../layout.ts";

/**
 * Documents of Word, and of the others through LibreOffice: a single one, cut at its headings, or a folder that holds
 * no other texts.
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
  return files.find((file) => kindOfName(file)?.reader !== undefined);
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
  const skipped: SkippedFile[] = [];
  const [word] = await asWord([{ bytes, kind, name }], reading, skipped);
  const { bookOfWord } = await import("../word/word.ts");
  const book = bookOfWord(word!, { file, name }, reading); // one a document
  if (book.returns) return book;
  const left = { name, changes: reading.changes, skipped: [...skipped, ...book.skipped] };
  const whole = { ...book, ...(await sourceOf(bytes, kind, left)) };
  return describedBy(whole, documentMetadata(bytes, kind, word!), name); // as above
}

/** Returns the text of a document to compare what came in with, or says that it is not compared. */
async function sourceOf(
  bytes: Buffer,
  kind: DocumentKind,
  {
    name,
    changes,
    skipped,
  }: { name: string; skipped: readonly SkippedFile[] } & Pick<LayoutOptions, "changes">,
): Promise<{ sources: SourceText[]; skipped: readonly SkippedFile[] }> {
  const { sourceTextOf } = await import("../../documents/source-text.ts");
  const text = sourceTextOf(bytes, kind, changes === "reject");
  if (text !== undefined) return { sources: [{ name, text: () => text }], skipped };
  const reason = `its words cannot be compared with what came in, for it is ${kind.called}; look it through`;
  return { sources: [], skipped: [...skipped, { file: name, reason, isKnown: true, isPartly: true }] };
}

/** Returns each document as a .docx: those that are none are converted in one run of LibreOffice. */
async function asWord(
  documents: readonly { bytes: Buffer; kind: DocumentKind; name: string }[],
  { office: find }: Pick<LayoutOptions, "office">,
  skipped: SkippedFile[],
): Promise<Buffer[]> {
  const foreign = documents.filter(({ kind }) => kind.reader !== "word");
  const [first] = foreign;
  if (first === undefined) return documents.map(({ bytes }) => bytes);
  const office = foreign.every(({ kind }) => kind.reader !== undefined) ? find?.() : undefined;
  const unread = foreign.find(({ kind }) => kind.reader === undefined) ?? first;
  if (office === undefined) throw unreadable(unread.name, unread.kind);
  const { htmlOfEpub } = await import("../../documents/epub.ts");
  const converted = await office(
    foreign.map(({ bytes, kind: { reader, ending = "html" }, name }) => {
      if (reader !== "epub") return { bytes, ending, name };
      const { html, left } = htmlOfEpub(bytes, name);
      const reason = "taken without the heading above its notes";
      for (const text of left) skipped.push({ file: name, reason, text, isKnown: true, isPartly: true });
      return { bytes: html, ending, name };
    }),
  );
  let next = 0;
  return documents.map(({ bytes, kind }) => (kind.reader === "word" ? bytes : converted[next++]!)); // one each
}

/** Reads each document as a chapter, in natural order. Each folder in it is a part. */
async function readFolder(folder: string, reading: LayoutOptions): Promise<LayoutBook> {
  const skipped: SkippedFile[] = [];
  const chapters: ChapterSource[] = [];
  const notes: ForeignNote[] = [];
  const pictures = new Map<string, () => Buffer>();
  const partOf = partsByFolder();
  const found = walk(folder).files.flatMap((file) => {
    const kind = kindOfName(file);
    if (kind === undefined || README.test(file)) return [];
    const reason = kind.reader === undefined ? `${kind.called}: ${kind.remedy}` : reasonToSkip(folder, file);
    if (reason !== undefined) skipped.push({ file, reason });
    return reason === undefined
      ? [{ name: file, kind, bytes: readDocumentFile(join(folder, file), file) }]
      : [];
  });
  const words = await asWord(found, reading, skipped);
  const { bookOfWord } = await import("../word/word.ts");
  const sources: SourceText[] = [];
  const fields: BookFields[] = [];
  for (const [at, { name: file, kind, bytes }] of found.entries()) {
    const word = words[at]!; // one a document
    const read = bookOfWord(word, { file, name: file }, { split: "none", isOneOfMany: true });
    fields.push(documentMetadata(bytes, kind, word));
    const part = partOf(file);
    for (const from of read.chapters) chapters.push(part === undefined ? from : { ...from, part });
    append(notes, read.notes?.map((note) => ({ ...note, at: undefined, chapter: file })) ?? []);
    const own = await sourceOf(bytes, kind, { name: file, changes: undefined, skipped: read.skipped });
    append(sources, own.sources);
    append(skipped, own.skipped);
    for (const [place, picture] of read.pictures ?? []) pictures.set(place, picture);
  }
  const fallbackTitle = basename(resolve(folder));
  const own = { chapters, notes, pictures, sources, skipped, used: [], fallbackTitle };
  return describedBy({ folder: realpathSync(folder), book: undefined, ...own }, alike(fields), fallbackTitle);
}

/** Returns the fields that all documents have alike. */
function alike([first = {}, ...others]: readonly BookFields[]): BookFields {
  const fields = METADATA.filter((field) => others.every((other) => other[field] === first[field]));
  return Object.fromEntries(fields.map((field) => [field, first[field] ?? ""]));
}
