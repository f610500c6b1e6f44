import type { Description } from "../../book/book.ts";
import { BadRequest } from "../../refusals.ts";
import { asOneLine } from "../../text/clean-text.ts";
import { isDay } from "../../text/day.ts";
import { slug } from "../file-names.ts";
import type { BOOK_KEYS } from "../format/keys.ts";
import { asKeys, type Keys, openYaml, readWritten, type Yaml } from "../yaml/open.ts";

/** The file of a folder that describes its book: title, goal, parts, and the chapters' files in reading order. */
export const BOOK_YAML = "book.yaml";

/** Returns a folder's own spelling of a path in its list. */
export type NameOf = (path: string) => string;

/** Reads `book.yaml`. Throws `BadRequest`, naming the line or the key, if it does not describe a book. */
export function readBookYaml(yaml: Yaml, text: string, nameOf?: NameOf): ListedBook {
  const source = { file: BOOK_YAML };
  const isText = (value: unknown, key = "") => value !== null && TEXTUAL.has(key);
  const value = readWritten(yaml, openYaml(yaml, text, source), source, isText);
  if (value !== null && (typeof value !== "object" || Array.isArray(value))) {
    throw new BadRequest("book.yaml must hold keys and values: title, parts and chapters.");
  }
  return readListedBook(asKeys(value), BOOK_YAML, nameOf);
}

const TEXTUAL = new Set(["title", "file", "folder"]);

/** A list that other programs write into the folder of a book. */
export const BOOK_JSON = "book.json";

/** Reads `book.json`. Throws `BadRequest` if it does not describe a book. */
export function readBookJson(text: string): ListedBook {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new BadRequest(`book.json is not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new BadRequest("book.json must hold one object, with title, parts and chapters.");
  }
  return readListedBook(asKeys(value), BOOK_JSON);
}

/** A book as the list in its folder describes it. */
export interface ListedBook extends Description {
  listed: readonly ListedPart[];
  /** In reading order. */
  chapters: readonly ListedChapter[];
}

/** A part that a folder's list names. */
export interface ListedPart {
  title: string;
  /** Folder of its chapters' files, relative to the book's. */
  folder?: string;
  /** Other names that chapters may use for it: its slug, id or number. */
  names: readonly string[];
}

/** A chapter that a list names. */
export interface ListedChapter {
  /** Relative to the folder. */
  file: string;
  title?: string;
  /** The title of its part; null for none. */
  part?: string | null;
  /** Chapter that the file was exported from, if its front matter does not name it. */
  id?: string;
  /** The revision that it was exported at. */
  revision?: number;
}

/** Reads a list; `name` is its file's. Throws `BadRequest`, naming the key, if it does not describe a book. */
function readListedBook(
  {
    title,
    manuscript,
    parts = [],
    chapters = [],
    ...manifest
  }: Keys & { [Key in keyof typeof BOOK_KEYS]?: unknown },
  name: string,
  nameOf: NameOf = (path) => path,
): ListedBook {
  const [partList, chapterList] = [listOf(parts, name, "parts"), listOf(chapters, name, "chapters")];
  const listed = partList
    .map((part, index) => readPart(part, index, name))
    .map((part) => (part.folder === undefined ? part : { ...part, folder: nameOf(part.folder) }))
    .map(apart);
  const entries = chapterList
    .map((chapter, index) => readChapter(chapter, index, name))
    .map((chapter) => ({ ...chapter, file: nameOf(chapter.file) }));
  const goal = goalOf(manifest.goal);
  if (goal !== undefined) delete manifest.goal;
  const titles = listed.map((part) => part.title);
  const files = entries.map(({ file }) => file);
  const extras = {
    parts: extrasOf(partList, titles, ["title", "folder"]),
    chapters: extrasOf(chapterList, files, ["file", "title", "part", "revision", "words", "bytes"]),
  };
  return {
    ...(title == null || title === "" ? {} : { title: asOneLine(textOf(title, name, "title")) }),
    ...(goal === undefined ? {} : { goal }),
    parts: titles,
    folders: partFolders(listed),
    manifest: { ...manifest, ...withoutEmpty(extras) },
    ...(typeof manuscript === "string" ? { exportedFrom: manuscript } : {}),
    listed,
    chapters: resolveParts(listed, entries, name),
  };
}

function listOf(value: unknown, name: string, key: string): unknown[] {
  if (value === null) return [];
  if (Array.isArray(value)) return value;
  throw new BadRequest(`${name}: ${key} must be a list.`);
}

function textOf(value: unknown, name: string, where: string): string {
  if (typeof value === "string") return value;
  throw new BadRequest(`${name}: ${where} must be text.`);
}

function readPart(part: unknown, index: number, file: string): ListedPart {
  const untitled = `Part ${index + 1}`;
  if (typeof part === "string") return { title: part.trim() || untitled, names: [] };
  const { title, name, slug, id, key, number, index: place, folder } = asKeys(part);
  const names = [name, slug, id, key, number, place].filter((other) => other != null).map(String);
  return {
    title: textOf(title ?? name ?? untitled, file, `parts[${index}].title`).trim() || untitled,
    names,
    ...(folder == null ? {} : { folder: textOf(folder, file, `parts[${index}].folder`) }),
  };
}

function readChapter(chapter: unknown, index: number, name: string): Entry {
  if (typeof chapter === "string") return { file: chapter };
  const { file, title, part, id, revision } = asKeys(chapter);
  return {
    file: textOf(file, name, `chapters[${index}].file`),
    ...(title == null || title === "" ? {} : { title: textOf(title, name, `chapters[${index}].title`) }),
    ...(part === undefined ? {} : { part }),
    ...(isChapterId(id) ? { id } : {}),
    ...(isCount(revision) ? { revision } : {}),
  };
}

function partFolders(listed: readonly ListedPart[]): Map<string, string> {
  const known = listed.flatMap(({ title, folder }) => (folder === undefined ? [] : [{ title, folder }]));
  return new Map(known.map(({ title, folder }) => [folder.replace(/\/+$/, ""), title]));
}

/**
 * Resolves the parts of chapters. A part's number counts from 0, unless the numbers in use show that it counts from
 * 1.
 */
function resolveParts(
  parts: readonly ListedPart[],
  entries: readonly Entry[],
  name: string,
): ListedChapter[] {
  const numbers = entries.map(({ part }) => part).filter((part) => typeof part === "number");
  const counting = !numbers.includes(0) && numbers.includes(parts.length) ? 1 : 0;
  return entries.map(({ part, ...entry }, index) => {
    if (part === undefined) return entry;
    if (part === null || part === "") return { ...entry, part: null };
    if (typeof part !== "string" && typeof part !== "number") {
      throw new BadRequest(
        `${name}: chapters[${index}].part must be a part's title, slug or index, or null.`,
      );
    }
    return { ...entry, part: parts[findListedPart(parts, part, counting)]?.title ?? asOneLine(String(part)) };
  });
}

/** Returns the index of the part that an index, a slug or a title in a list names; -1 for none. */
export function findListedPart(
  parts: readonly ListedPart[],
  asked: string | number,
  counting: 0 | 1 = 1,
): number {
  const text = String(asked);
  const named = parts.findIndex(({ title, names }) => title === text || names.includes(text));
  if (named >= 0) return named;
  const bySlug = parts.findIndex(({ title }) => slug(title) === text);
  if (bySlug >= 0 || !/^\d{1,6}$/.test(text)) return bySlug;
  const place = Number(text) - counting;
  return place < parts.length ? place : -1;
}

type Entry = Omit<ListedChapter, "part"> & { part?: unknown };

// True for an id of ours. Another program's id is an unknown key.
function isChapterId(id: unknown): id is string {
  return typeof id === "string" && id.startsWith("ch_");
}

/** Numbers parts that have one title, so that chapters find theirs. */
function apart(part: ListedPart, index: number, parts: readonly ListedPart[]): ListedPart {
  const before = parts.slice(0, index).filter(({ title }) => title === part.title).length;
  return before === 0 ? part : { ...part, title: `${part.title} (${before + 1})` };
}

/**
 * Collects the keys of listed objects that are not ours, by title or file, so that an export can write them again.
 * Counts are dropped: they would be wrong after the first edit.
 */
function extrasOf(listed: readonly unknown[], names: readonly string[], own: readonly string[]): Keys {
  const extras = listed.map((entry) =>
    Object.entries(asKeys(entry)).filter(
      ([key, value]) => !own.includes(key) && !(key === "id" && isChapterId(value)),
    ),
  );
  return Object.fromEntries(
    extras.flatMap((rest, index) =>
      rest.length === 0 ? [] : [[names[index] ?? "", Object.fromEntries(rest)]],
    ),
  );
}

function withoutEmpty(extras: Readonly<Record<string, Keys>>): Keys {
  return Object.fromEntries(Object.entries(extras).filter(([, entries]) => Object.keys(entries).length > 0));
}

/** Returns a goal in our form; any other stays a key of the writer's own. */
function goalOf(goal: unknown): Description["goal"] {
  const { targetWords, deadline = null, dailyWords = null, ...others } = asKeys(goal);
  const isOurs =
    isCount(targetWords) &&
    (deadline === null || (typeof deadline === "string" && isDay(deadline))) &&
    (dailyWords === null || isCount(dailyWords));
  return isOurs && Object.keys(others).length === 0 ? { targetWords, deadline, dailyWords } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}
