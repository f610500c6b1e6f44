import { type PUBLISH_FORMATS, PUBLISHED, SNIPPET_KINDS } from "../../contract/enums.ts";
import type { InputOf } from "../../contract/index.ts";
import type { BookId } from "../../ids.ts";
import type { CompileOptions } from "../../publish/compile.ts";
import type { BookMetadata, CompiledBook, CompiledNote } from "../../publish/compiled.ts";
import type { Picture, readPicture } from "../../publish/picture.ts";
import { BadRequest } from "../../refusals.ts";
import { listChapters } from "../../store/rows/chapters.ts";
import { listSnippets, type SnippetRow } from "../../store/rows/snippets.ts";
import { largest } from "../../text/extremes.ts";
import { guessLanguage, languageName } from "../../text/language.ts";
import { type Ranges, readRanges } from "../../text/ranges.ts";
import { theBook } from "../guards.ts";
import { decodedPath, keptPicture } from "../interchange/pictures.ts";
import { type Book, readWholeBook } from "../interchange/read-book.ts";
import { foldersOfChapter } from "../interchange/working-copy.ts";
import type { Manuscript } from "../manuscript.ts";
import { chaptersNumbered } from "../naming/named.ts";
import { noteLines } from "../present.ts";

/** A format of a whole document. */
export type PublishFormat = (typeof PUBLISH_FORMATS)[number];

/** What a document is made with. */
export interface PublishOptions {
  format: PublishFormat;
  /** Numbers of its chapters; all of them without. */
  chapters?: Ranges | undefined;
  /** Kinds of notes that it shows: none unless they are named, for notes are the writer's own. */
  notes?: readonly (typeof SNIPPET_KINDS)[number][] | undefined;
  /** Looks of a Word document. */
  style?: "manuscript" | "plain" | undefined;
}

/** A document. */
export interface Published {
  bytes: Uint8Array;
  title: string;
  chapters: number;
  /** What readers do not get to see of the prose, and shops will miss, in sentences. */
  omitted: readonly string[];
}

type Writer = (book: CompiledBook, options: PublishOptions) => Uint8Array;

/** The writer of each format, loaded when it is needed. */
const WRITERS: Readonly<Record<PublishFormat, () => Promise<Writer>>> = {
  docx: async () => {
    const { writeDocx } = await import("../../publish/docx.ts");
    return (book, { style }) => writeDocx(book, style);
  },
  epub: async () => (await import("../../publish/epub.ts")).writeEpub,
  html: async () => (await import("../../publish/html.ts")).writeHtml,
  review: async () => (await import("../../publish/review.ts")).writeReview,
};

/** Writes a book, or some of its chapters, as one document. Throws `NotFound`, and as `chaptersNumbered`. O(text). */
export async function publishBook(
  manuscript: Manuscript,
  bookId: BookId,
  options: PublishOptions,
): Promise<Published> {
  const write = await WRITERS[options.format]();
  const { compile } = await import("../../publish/compile.ts");
  const { readPicture } = await import("../../publish/picture.ts");
  const { store } = manuscript;
  let guess = "";
  const compiled = store.snapshot(() => {
    const book = readWholeBook(manuscript, bookId);
    const chapters = chaptersNumbered(book.chapters, options.chapters);
    const kinds = new Set<string>(options.notes);
    const rows = kinds.size === 0 ? [] : listSnippets(store, bookId).filter(({ kind }) => kinds.has(kind));
    const times = [theBook(manuscript, bookId), ...listChapters(store, bookId)].map((row) => row.updatedAt);
    const find = pictureFinder(manuscript, readPicture);
    const cover = String(book.manifest.cover ?? "");
    const [first] = book.chapters;
    const named = metadataOf(book);
    if (named.language === "")
      guess = guessLanguage(chapters.map((chapter) => chapter.markdown().toString()));
    const metadata = {
      ...named,
      language: named.language || guess,
      cover: first && cover ? find({ ...first, file: "" }, cover, false) : undefined,
    };
    return compile(book, {
      ...{ metadata, modifiedAt: largest(times), chapters, notes: notesByChapter(rows) },
      picture: find,
    });
  });
  return {
    bytes: write(compiled, options),
    title: compiled.title,
    chapters: compiled.chapters.length,
    omitted: [...compiled.omitted, ...remarksOn(compiled.metadata, guess, options.format)],
  };
}

/** Says what the language is taken to be, and what a shop or an agent will miss. */
function remarksOn({ author, language }: BookMetadata, guess: string, format: PublishFormat): string[] {
  const edit = "manuscript book edit";
  const taken = guess && `The language is taken to be ${languageName(guess)} (${guess})`;
  const missing = Object.entries({ author, language }).flatMap(([field, text]) => (text === "" ? field : []));
  const options = missing.map((field) => `--${field} …`).join(" ");
  const asked = `No ${missing.join(" and no ")}, which shops and agents ask for: ${edit} ${options}`;
  const isForOthers = format === "epub" || format === "docx";
  return [
    ...(taken === "" ? [] : [`${taken}; to set it: ${edit} --language ${guess}`]),
    ...(missing.length === 0 || !isForOthers ? [] : [asked]),
  ];
}

/** A document as a file to save. */
export interface DocumentFile {
  body: Buffer;
  mediaType: string;
  /** With its ending. */
  fileName: string;
}

/** The document that a request asks for. Throws `NotFound`, and `BadRequest` for chapters that are not there. */
export async function exportBook(
  manuscript: Manuscript,
  bookId: BookId,
  { format, chapters, notes, style }: InputOf<"exportBook">["query"],
): Promise<DocumentFile> {
  theBook(manuscript, bookId);
  const ranges = chapters === undefined ? undefined : readRanges(chapters);
  if (chapters !== undefined && ranges === undefined)
    throw new BadRequest("chapters must be numbers and ranges of them, such as 3-5 or 1,4-6.");
  const { bytes, title } = await publishBook(manuscript, bookId, {
    ...{ format, style },
    chapters: ranges,
    notes: SNIPPET_KINDS.filter((kind) => notes === "all" || notes?.split(",").includes(kind)),
  });
  const [mediaType, ending] = PUBLISHED[format];
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return { body, mediaType, fileName: `${title}.${ending}` };
}

type FindPicture = NonNullable<CompileOptions["picture"]>;

/** Finds pictures that the manuscript keeps, each read once, so that one that is named twice is written once. */
function pictureFinder(manuscript: Manuscript, read: typeof readPicture): FindPicture {
  const known = new Map<string, Picture | undefined>();
  return ({ id, file }, path, isAnywhere) => {
    const files = [file ?? "", ...foldersOfChapter(manuscript, id).map((one) => one.file)];
    const found = keptPicture(manuscript, id, { path: decodedPath(path), isAnywhere }, files);
    if (found === undefined) return undefined;
    if (!known.has(found.file)) known.set(found.file, read(`picture-${known.size + 1}`, found.bytes));
    return known.get(found.file);
  };
}

function metadataOf({ manifest }: Book): BookMetadata {
  const said = (key: string) => (typeof manifest[key] === "string" ? (manifest[key] as string).trim() : "");
  return {
    author: said("author"),
    language: said("language"),
    rights: said("rights"),
    identifier: said("identifier"),
    description: said("description"),
    contact: said("contact").split("\n").filter(Boolean),
    cover: undefined,
  };
}

function notesByChapter(rows: readonly SnippetRow[]): ReadonlyMap<string, readonly CompiledNote[]> {
  const notes = new Map<string, CompiledNote[]>();
  for (const row of rows) {
    if (row.chapterId === null) continue; // of the book
    notes.set(row.chapterId, [...(notes.get(row.chapterId) ?? []), toNote(row)]);
  }
  return notes;
}

function toNote({ text, items, url, createdAt, ...row }: SnippetRow): CompiledNote {
  const { kind, author, blockId, replies, resolved } = row;
  const lines = noteLines({ text, items, url });
  const isDone = resolved || (items !== null && items.length > 0 && items.every(({ done }) => done));
  return {
    kind,
    author: author ?? "",
    blockId,
    lines,
    at: new Date(createdAt).toISOString(),
    isDone,
    replies,
  };
}
