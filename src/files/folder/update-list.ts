import { isDeepStrictEqual } from "node:util";
import type { StoredChapter } from "../../book/book.ts";
import type { Book } from "../../service/interchange/read-book.ts";
import type { TextFile } from "../book-files.ts";
import { partOfFile } from "../file-names.ts";
import { asKeys, type Keys, openYaml, type Yaml } from "../yaml/open.ts";
import { BOOK_JSON, type ListedBook, readBookJson, readBookYaml } from "./manifest.ts";
import { updateBookYaml } from "./write-book-yaml.ts";

/**
 * A chapter, its file, and the part that it was imported with: null for none, undefined if it never came from a file.
 */
export interface ChapterPlace {
  chapter: StoredChapter;
  file: string;
  cameIn: { part: string | null } | undefined;
}

/**
 * Brings a folder's own list up to date where it is wrong. Every other key and entry stays, and a list that is right
 * stays byte for byte.
 */
export function updatedList(
  yaml: Yaml,
  { file, text }: TextFile,
  book: Pick<Book, "title" | "goal" | "parts">,
  chapters: readonly ChapterPlace[],
): string {
  const isJson = file === BOOK_JSON;
  const listed = isJson ? readBookJson(text) : readBookYaml(yaml, text);
  const keys = asKeys(
    isJson ? JSON.parse(text.replace(/^\ufeff/, "")) : openYaml(yaml, text, { file }).toJS(),
  );
  const wanted = withChanges(keys, listed, book, chapters);
  if (isDeepStrictEqual(wanted, keys)) return text;
  return isJson ? jsonLike(text, wanted) : updateBookYaml(yaml, text, yaml.stringify(wanted));
}

function withChanges(
  keys: Keys,
  listed: ListedBook,
  { title, goal, parts }: Pick<Book, "title" | "goal" | "parts">,
  chapters: readonly ChapterPlace[],
): Keys {
  const wanted: Keys = { ...keys };
  if (listed.title !== undefined && listed.title !== title) wanted.title = title;
  if (!isDeepStrictEqual(listed.goal ?? null, goal)) {
    if (goal !== null)
      wanted.goal = Object.fromEntries(Object.entries(goal).filter(([, value]) => value !== null));
    else if (listed.goal !== undefined) delete wanted.goal;
  }
  if (!isDeepStrictEqual(listed.parts, parts))
    wanted.parts = partsNow(listOf(keys.parts), listed.parts, parts);
  if (keys.chapters !== undefined)
    wanted.chapters = chapters.map((place) => entryNow(listOf(keys.chapters), listed, place));
  return wanted;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the entries of the present parts. A new title in the old place is the same part renamed. */
function partsNow(
  entries: readonly unknown[],
  before: readonly string[],
  parts: readonly string[],
): unknown[] {
  return parts.map((title, index) => {
    const known = before.indexOf(title);
    if (known >= 0) return entries[known];
    const was = before[index];
    const entry = was === undefined || parts.includes(was) ? undefined : entries[index];
    return typeof entry === "object" && entry !== null ? { ...entry, title } : title;
  });
}

function entryNow(
  entries: readonly unknown[],
  { chapters, folders }: ListedBook,
  { chapter, file, cameIn }: ChapterPlace,
): unknown {
  const index = chapters.findIndex((other) => other.file === file);
  const listed = chapters[index];
  if (listed === undefined) {
    const isSaid = chapter.part === (partOfFile(file, folders) ?? null);
    return { file, title: chapter.title, ...(isSaid ? {} : { part: chapter.part }) };
  }
  const isTitled = listed.title === undefined || listed.title === chapter.title;
  const part = listed.part === undefined ? (cameIn?.part ?? null) : listed.part;
  if (isTitled && part === chapter.part) return entries[index];
  const entry = entries[index];
  return {
    ...(typeof entry === "string" ? { file } : asKeys(entry)),
    ...(isTitled ? {} : { title: chapter.title }),
    ...(part === chapter.part ? {} : { part: chapter.part }),
  };
}

/** Formats a value as JSON, with the indentation and line end of the text that it replaces. */
function jsonLike(text: string, value: unknown): string {
  const indent = /^[ \t]+(?=\S)/m.exec(text)?.[0] ?? (text.trim().includes("\n") ? 2 : 0);
  const [bom = "", end = ""] = [/^\ufeff/.exec(text)?.[0], /\s*$/.exec(text)?.[0]];
  const json = JSON.stringify(value, null, indent);
  return bom + (text.includes("\r\n") ? json.replaceAll("\n", "\r\n") : json) + end;
}
