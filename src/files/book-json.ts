import { BadRequest } from "../refusals.ts";
import type { AskedBook } from "../service/import-book.ts";
import { findPart, type ListedPart } from "./parts.ts";

/** The file of a folder that describes its book. */
export const BOOK_JSON = "book.json";

/** A book as `book.json` describes it. */
export interface BookJson extends AskedBook {
  listed: readonly ListedPart[];
  /** In reading order. */
  chapters: readonly ListedChapter[];
  /** The chapter that each file was exported from. */
  ids: Readonly<Record<string, string>>;
  /** The chapter's revision that each file was exported at. */
  revisions: Readonly<Record<string, number>>;
  /** The SHA-256 of each file as an earlier export wrote it. */
  hashes: Readonly<Record<string, string>>;
}

/** A chapter that `book.json` lists. */
export interface ListedChapter {
  /** Relative to the folder. */
  file: string;
  title?: string;
  /** The title of its part; null for none. */
  part?: string | null;
}

/** A JSON object. */
export type Keys = Record<string, unknown>;

/** Reads `book.json`. Throws `BadRequest` where it does not describe a book. */
export function readBookJson(text: string): BookJson {
  const { title, parts = [], chapters = [], manuscript, ...manifest } = parseBookJson(text);
  const listed = listOf(parts, "parts").map(readPart).map(apart);
  const entries = listOf(chapters, "chapters").map(readChapter);
  const goal = goalOf(manifest.goal);
  if (goal !== undefined) delete manifest.goal;
  const extras = {
    parts: extrasOf(
      listOf(parts, "parts"),
      listed.map((part) => part.title),
      ["title"],
    ),
    chapters: extrasOf(
      listOf(chapters, "chapters"),
      entries.map(({ file }) => file),
      OWN_OF_CHAPTER,
    ),
  };
  const { book, chapters: ids, revisions, files } = asKeys(manuscript);
  return {
    ...(title == null || title === "" ? {} : { title: textOf(title, "title") }),
    ...(goal === undefined ? {} : { goal }),
    parts: listed.map((part) => part.title),
    manifest: { ...manifest, ...withoutEmpty(extras) },
    ...(typeof book === "string" ? { exportedFrom: book } : {}),
    listed,
    chapters: resolveParts(listed, entries),
    ids: asKeys(ids) as Record<string, string>,
    revisions: asKeys(revisions) as Record<string, number>,
    hashes: asKeys(files) as Record<string, string>,
  };
}

// Counts of whoever wrote it would be wrong after the first edit.
const OWN_OF_CHAPTER = ["file", "title", "part", "words", "bytes"];

/** The object that a `book.json` holds. Throws `BadRequest` for any other text. */
export function parseBookJson(text: string): Keys {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new BadRequest(`book.json is not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new BadRequest("book.json must hold one object, with title, parts and chapters.");
  }
  return value as Keys;
}

/** The value where it is an object, else one without keys. */
export function asKeys(value: unknown): Keys {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Keys) : {};
}

function listOf(value: unknown, key: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new BadRequest(`book.json: ${key} must be a list.`);
}

function textOf(value: unknown, where: string): string {
  if (typeof value === "string") return value;
  throw new BadRequest(`book.json: ${where} must be text.`);
}

function readPart(part: unknown, index: number): ListedPart {
  const untitled = `Part ${index + 1}`;
  if (typeof part === "string") return { title: part.trim() || untitled, names: [] };
  const { title, name, slug, id, key, number, index: place } = asKeys(part);
  const names = [name, slug, id, key, number, place].filter((other) => other != null).map(String);
  return { title: textOf(title ?? name ?? untitled, `parts[${index}].title`).trim() || untitled, names };
}

/** Parts of one title are told apart by a number: chapters find theirs by it. */
function apart(part: ListedPart, index: number, parts: readonly ListedPart[]): ListedPart {
  const before = parts.slice(0, index).filter(({ title }) => title === part.title).length;
  return before === 0 ? part : { ...part, title: `${part.title} (${before + 1})` };
}

type Entry = Omit<ListedChapter, "part"> & { part?: unknown };

function readChapter(chapter: unknown, index: number): Entry {
  if (typeof chapter === "string") return { file: chapter };
  const { file, title, part } = asKeys(chapter);
  return {
    file: textOf(file, `chapters[${index}].file`),
    ...(title == null || title === "" ? {} : { title: textOf(title, `chapters[${index}].title`) }),
    ...(part === undefined ? {} : { part }),
  };
}

/** A part's number counts from 0, as an index does, unless the numbers used show that it counts from 1. */
function resolveParts(listed: readonly ListedPart[], entries: readonly Entry[]): ListedChapter[] {
  const numbers = entries.map(({ part }) => part).filter((part) => typeof part === "number");
  const counting = !numbers.includes(0) && numbers.includes(listed.length) ? 1 : 0;
  return entries.map(({ part, ...entry }, index) => {
    if (part === undefined) return entry;
    if (part === null || part === "") return { ...entry, part: null };
    if (typeof part !== "string" && typeof part !== "number") {
      throw new BadRequest(
        `book.json: chapters[${index}].part must be a part's title, slug or index, or null.`,
      );
    }
    return { ...entry, part: listed[findPart(listed, part, counting)]?.title ?? String(part).trim() };
  });
}

/** What listed objects hold besides our own keys, by title or file, so that an export can write it again. */
function extrasOf(listed: readonly unknown[], names: readonly string[], own: readonly string[]): Keys {
  const extras = listed.map((entry) => Object.entries(asKeys(entry)).filter(([key]) => !own.includes(key)));
  return Object.fromEntries(
    extras.flatMap((rest, index) =>
      rest.length === 0 ? [] : [[names[index] ?? "", Object.fromEntries(rest)]],
    ),
  );
}

function withoutEmpty(extras: Readonly<Record<string, Keys>>): Keys {
  return Object.fromEntries(Object.entries(extras).filter(([, entries]) => Object.keys(entries).length > 0));
}

/** A goal as we write it; anything else stays a key of the writer's own. */
function goalOf(goal: unknown): AskedBook["goal"] {
  const { targetWords, deadline = null, dailyWords = null, ...others } = asKeys(goal);
  const isOurs =
    isCount(targetWords) &&
    (deadline === null || isDay(deadline)) &&
    (dailyWords === null || isCount(dailyWords));
  return isOurs && Object.keys(others).length === 0 ? { targetWords, deadline, dailyWords } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

function isDay(value: unknown): value is string {
  return typeof value === "string" && new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, 10) === value;
}
