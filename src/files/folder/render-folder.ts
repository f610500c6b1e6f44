import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { StoredChapter } from "../../book/book.ts";
import type { ChapterId } from "../../ids.ts";
import type { Book } from "../../service/interchange/read-book.ts";
import { signatureOfList } from "../../service/interchange/signatures.ts";
import type { Recorded, WorkingCopy } from "../../service/interchange/working-copy.ts";
import { hash, isFileWithin } from "../disk/text-file.ts";
import { foldersOf, nameFiles } from "../file-names.ts";
import { schemaLine } from "../format/schemas.ts";
import { blockOf } from "../front-matter.ts";
import { type OutFile, readIfThere } from "../write-folder.ts";
import type { Yaml } from "../yaml/open.ts";
import type { FileStyle } from "./file-style.ts";
import { BOOK_YAML } from "./manifest.ts";
import { chapterBytes } from "./render-chapter.ts";
import { faultOfName } from "./safe-name.ts";
import { type NamedChapter, updateBookYaml, writeBookYaml } from "./write-book-yaml.ts";

/** A chapter's file to be written to a folder. */
export interface ChapterFileOut extends NamedChapter, OutFile {}

/** Options for rendering chapters. `mark` gives prose its block ids, and is needed only for files that have them. */
export interface RenderOptions {
  parts: readonly string[];
  style: FileStyle;
  yaml: Yaml | undefined;
  mark?: ((chapter: StoredChapter) => Buffer) | undefined;
}

/** Returns the bytes of a chapter's file. */
export function renderChapter(
  chapter: StoredChapter,
  file: string,
  { parts, style, yaml, mark }: RenderOptions,
): ChapterFileOut {
  const isPlain = style.isPlain(file);
  const markdown = mark !== undefined && style.isMarked(file) ? mark(chapter) : chapter.markdown();
  const bytes = isPlain ? markdown : chapterBytes(chapter, { file, markdown, parts, yaml });
  return { chapter, file, isPlain, bytes };
}

/** Content of a folder that matters for rendering a book. */
export interface FolderState {
  folder: string;
  /** Text of its `book.yaml`. */
  list: string | undefined;
  copy: WorkingCopy;
  /** Files of chapters that were just read. They count before anything else. */
  read?: ReadonlyMap<ChapterId, string>;
}

/** True if an export or a sync of this book made the folder. */
export function isFolderOf({ id }: Book, { list }: Pick<FolderState, "list">): boolean {
  return list?.includes(`manuscript: ${id}`) === true;
}

/** Places each chapter's file in a folder that may hold the book already. Existing files stay where they are. */
export function placeFiles(book: Book, state: FolderState): string[] {
  const { here, others } = findFiles(book, state);
  const named = book.chapters.map((chapter) => ({ ...chapter, here: here.get(chapter.id) }));
  const present = named.flatMap(({ here: file }) => (file === undefined || faultOfName(file) ? [] : [file]));
  if (present.length === named.length) return present;
  return nameFiles(named, book.parts, others);
}

/** Description of a book in `book.yaml` without its chapters. */
export type Described = Partial<Pick<Book, "title" | "goal" | "manifest" | "parts">>;

/** Writes a new `book.yaml` for a book and these chapters; `as` overrides the manuscript's description. */
export function freshList(book: Book, listed: readonly NamedChapter[], as: Described = {}): string {
  const folders = foldersOf(listed.map(({ chapter: { part }, file }) => ({ part, file })));
  // A folder belongs to one part; chapters of other parts with files there name their part.
  const taken = new Set(["."]);
  for (const [part, path] of folders) {
    if (taken.has(path)) folders.delete(part);
    taken.add(path);
  }
  return writeBookYaml({ ...book, ...as }, listed, folders);
}

/** True if a list equals a fresh one, with or without the line that names its schema. */
export function isFreshList(list: string | undefined, fresh: string): boolean {
  return list === fresh || list === schemaLine(BOOK_YAML) + fresh;
}

/**
 * Returns the list for a folder: the existing one brought up to date if the folder is the book's, else a fresh one.
 */
export function updateList(yaml: Yaml, book: Book, state: Pick<FolderState, "list">, fresh: string): string {
  const { list } = state;
  if (list === undefined || list === fresh || !isFolderOf(book, state)) return fresh;
  if (isFreshList(list, fresh)) return list;
  return updateBookYaml(yaml, list, fresh);
}

/**
 * Finds each chapter's file in the folder: the one that was `read`, else its last one that no other chapter has
 * taken. In this book's folder a file may have moved: its front matter names its chapter. Also returns the other
 * Markdown files.
 */
function findFiles(book: Book, { folder, list, copy, read }: FolderState) {
  const here = new Map<ChapterId, string>(read);
  const taken = new Set(here.values());
  const set = (id: ChapterId, file: string) => {
    here.set(id, file);
    taken.add(file);
  };
  const lost: { id: ChapterId; file: string }[] = [];
  for (const { id } of book.chapters) {
    const file = copy.chapters.get(id)?.file;
    if (here.has(id) || file == null || taken.has(file)) continue;
    if (isFileWithin(folder, file)) set(id, file);
    else lost.push({ id, file });
  }
  const others = isFolderOf(book, { list }) ? listMarkdown(folder).filter((file) => !taken.has(file)) : [];
  const ids = new Set(book.chapters.flatMap(({ id }) => (here.has(id) ? [] : [id])));
  const unknown = others.filter((file) => {
    const id = ids.size === 0 || !isFileWithin(folder, file) ? undefined : idOf(folder, file);
    if (id === undefined || !ids.delete(id)) return true;
    set(id, file);
    return false;
  });
  for (const { id, file } of lost) if (!here.has(id) && !taken.has(file)) set(id, file);
  return { here, others: unknown };
}

function listMarkdown(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith(".")) return [];
    if (!entry.isDirectory()) return /\.md$/i.test(entry.name) ? [entry.name] : [];
    return readdirSync(join(folder, entry.name))
      .filter((name) => /\.md$/i.test(name))
      .map((name) => `${entry.name}/${name}`);
  });
}

function idOf(folder: string, file: string): ChapterId | undefined {
  const bytes = readIfThere(join(folder, file)) ?? Buffer.alloc(0);
  return /^id: *["']?(ch_\w+)/m.exec(blockOf(bytes.toString()))?.[1];
}

/** Returns the text of a folder's `book.yaml`. */
export function readListText(folder: string): string | undefined {
  return readIfThere(join(folder, BOOK_YAML))?.toString();
}

/** Returns the working copy's row for a chapter's file that equals the manuscript. */
export function copiedChapter({
  chapter,
  file,
  bytes,
}: Omit<ChapterFileOut, "isPlain">): NonNullable<Recorded["chapters"]>[number] {
  const { id: chapterId, revision, title, status, synopsis, part } = chapter;
  return {
    chapterId,
    file,
    hash: hash(bytes),
    isWritten: 1,
    revision,
    title,
    status,
    synopsis,
    part,
    text: null,
  };
}

/** Returns the working copy's row for the folder's list. */
export function copiedList(
  book: Book,
  chapters: readonly Pick<NamedChapter, "chapter" | "file">[],
  text: string,
): NonNullable<Recorded["texts"]>[number] {
  return {
    file: BOOK_YAML,
    hash: hash(text),
    isWritten: 1,
    text,
    stored: signatureOfList(book, chapters, text),
  };
}
