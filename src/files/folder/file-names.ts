import { dirname } from "node:path/posix";
import { TEXT_FILE } from "../../service/field-rules.ts";
import { faultOfName, folded, isDevice, isSafe } from "./safe-name.ts";
import { slug } from "./title-and-name.ts";

/** A chapter that is to have a file. */
export interface ToName {
  title: string;
  /** The title of its part. */
  part: string | null;
  /** The name that it was imported from. */
  file: string | null;
  /** The file that the folder has for it already. */
  here?: string | undefined;
}

/**
 * A file name for each chapter, relative to the folder: the one that it has there, else the one that it was imported
 * from, else `NN-slug.md`, in the folder of its part. None leads out of the folder, none is a device of Windows, and no
 * two are the same where case does not count; `parts` are the book's titles in order, `others` files that are there.
 */
export function nameFiles(
  chapters: readonly ToName[],
  parts: readonly string[] = [],
  others: Iterable<string> = [],
): string[] {
  const digits = Math.max(2, String(chapters.length).length);
  // What is there is there, whatever its name; nothing else may be taken for it.
  const present = chapters.map(({ here }) =>
    here !== undefined && faultOfName(here) === undefined ? here : undefined,
  );
  const take = taker([...others, ...present.flatMap((name) => name ?? [])]);
  const kept = chapters.map(({ file }, index) => {
    if (present[index] !== undefined) return present[index];
    return file !== null && isSafe(file) && take(file) ? file : undefined;
  });
  const placed = chapters.flatMap(({ part }, index) =>
    kept[index] === undefined ? [] : [{ part, file: kept[index] }],
  );
  const folders = foldersOf(placed);
  const folderFor = (part: string) => {
    const known =
      folders.get(part) ?? free(numbered(parts.indexOf(part), 2, part), "", (name) => !isFolder(name));
    folders.set(part, known);
    return known;
  };
  const isFolder = (name: string) => [...folders.values()].some((folder) => folded(folder) === folded(name));
  return chapters.map(({ title, part }, index) => {
    if (kept[index] !== undefined) return kept[index];
    const folder = part === null ? "." : folderFor(part);
    const stem = numbered(index, digits, title);
    return free(folder === "." ? stem : `${folder}/${stem}`, ".md", take);
  });
}

/**
 * The name that each chapter came in under, wherever that may be a file's; else one as `nameFiles` gives: for what another
 * program's file was read to, and for the second of two that came from two folders under one name.
 */
export function namesAsImported(chapters: readonly ToName[], parts: readonly string[]): string[] {
  const taken = new Set<string>();
  const named = chapters.map((chapter) => {
    const { file } = chapter;
    if (file === null || !TEXT_FILE.test(file) || faultOfName(file) !== undefined || taken.has(file))
      return chapter;
    taken.add(file);
    return { ...chapter, here: file };
  });
  return nameFiles(named, parts);
}

/** The folder of each part: where most of its chapters' files are; "." for the book's own folder. */
export function foldersOf(files: readonly { part: string | null; file: string }[]): Map<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const { part, file } of files) {
    if (part === null) continue;
    const ofPart = counts.get(part) ?? new Map<string, number>();
    counts.set(part, ofPart.set(dirname(file), (ofPart.get(dirname(file)) ?? 0) + 1));
  }
  const most = (ofPart: ReadonlyMap<string, number>) =>
    [...ofPart].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0];
  return new Map([...counts].map(([part, ofPart]) => [part, most(ofPart)]));
}

/**
 * The part that the folder of a file says: null for the book's own folder, where parts have theirs; undefined where
 * folders say nothing. `folders` are the parts' titles by folder.
 */
export function partOfFile(file: string, folders: ReadonlyMap<string, string>): string | null | undefined {
  if (folders.size === 0) return undefined;
  const folder = dirname(file);
  return folder === "." ? null : folders.get(folder);
}

/** The name of a book's folder: its slug, or `book` where no letter is left or Windows has a device of that name. */
export function nameFolder(title: string): string {
  const name = slug(title);
  return name === "" || isDevice(name) ? "book" : name;
}

function numbered(index: number, digits: number, title: string): string {
  return [String(index + 1).padStart(digits, "0"), slug(title)].filter(Boolean).join("-");
}

function free(stem: string, extension: string, take: (name: string) => boolean): string {
  for (let count = 1; ; count++) {
    const name = `${stem}${count === 1 ? "" : `-${count}`}${extension}`;
    if (take(name)) return name;
  }
}

/** Takes each name once: not where it is taken, or where one of them would be a folder of the other's. */
function taker(others: Iterable<string>): (name: string) => boolean {
  const taken = new Set<string>();
  const folders = new Set<string>();
  const take = (name: string) => {
    const key = folded(name);
    const above = foldersAbove(key);
    if (taken.has(key) || folders.has(key) || above.some((folder) => taken.has(folder))) return false;
    taken.add(key);
    for (const folder of above) folders.add(folder);
    return true;
  };
  for (const name of others) take(name);
  return take;
}

/** The folders that a name lies in: those of "a/b/c.md" are "a" and "a/b". */
function foldersAbove(name: string): string[] {
  const steps = name.split("/").slice(0, -1);
  return steps.map((_, index) => steps.slice(0, index + 1).join("/"));
}
