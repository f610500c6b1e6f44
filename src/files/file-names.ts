import { join, win32 } from "node:path";
import { dirname } from "node:path/posix";
import { BadRequest } from "../refusals.ts";
import { TEXT_FILE } from "../service/field-rules.ts";
import { faultOfName, folded, isDevice, isSafe, isSafeStep } from "./folder/safe-name.ts";

/** A chapter that needs a file name. */
export interface ToName {
  title: string;
  /** Title of its part. */
  part: string | null;
  /** Name of the file that it was imported from. */
  file: string | null;
  /** Its present file in the folder. */
  here?: string | undefined;
}

/**
 * Names a file for each chapter, relative to the folder: its present file, else the one that it was imported from,
 * else `NN-slug.md` in the folder of its part. No name leads out of the folder or is a device of Windows, and no two
 * are equal where case does not count. `parts` are the book's titles in order, `others` are existing files.
 */
export function nameFiles(
  chapters: readonly ToName[],
  parts: readonly string[] = [],
  others: Iterable<string> = [],
): string[] {
  const digits = Math.max(2, String(chapters.length).length);
  // Existing files keep their names, and nothing else may get one of them.
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
 * Names each chapter's file as it was imported, if a file may have that name; else as `nameFiles` does. Chapters read
 * from another program's file, and the second of two that were imported under one name, get new names.
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

/** Returns the folder of each part: the one with most of its chapters' files; "." for the book's own folder. */
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
 * Returns the part that a file's folder implies: null for the book's own folder if parts have folders; undefined if
 * folders imply nothing. `folders` maps folders to titles of parts.
 */
export function partOfFile(file: string, folders: ReadonlyMap<string, string>): string | null | undefined {
  if (folders.size === 0) return undefined;
  const folder = dirname(file);
  return folder === "." ? null : folders.get(folder);
}

/**
 * Explains why Windows has no file or folder of this path: "no name may hold any of <>:\"|?*" for `C:\\w\\out:bad`. Undefined if it may.
 */
export function faultOnWindows(path: string): string | undefined {
  const steps = path.slice(win32.parse(path).root.length).split(/[\\/]/);
  if (steps.some((step) => /[<>:"|?*\p{Cc}]/u.test(step))) return 'no name may hold any of <>:"|?*';
  const device = steps.find(isDevice);
  return device === undefined ? undefined : `${device} is a device`;
}

/** Returns the name of a book's folder: its slug, or `book` if that is empty or a device of Windows. */
export function nameFolder(title: string): string {
  const name = slug(title);
  return name === "" || isDevice(name) ? "book" : name;
}

/** Returns the path of a manuscript by a name that a writer gives. Throws `BadRequest` for one that some system cannot have. */
export function manuscriptIn(folder: string, name: string): string {
  const given = name.trim();
  const isGood = isSafeStep(given) && !/[\\/:*?"<>|\p{Cc}]/u.test(given);
  if (isGood) return join(folder, given.endsWith(".manuscript") ? given : `${given}.manuscript`);
  throw new BadRequest(
    `"${name}" cannot be a file's name on every system; leave out \\ / : * ? " < > | and a dot at either end.`,
    [{ path: "/name", message: "is no file name" }],
  );
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

/** Returns a function that claims a name; false if it is taken, or if one name would be a folder of the other. */
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

/** Returns the folders above a name: "a" and "a/b" for "a/b/c.md". */
function foldersAbove(name: string): string[] {
  const steps = name.split("/").slice(0, -1);
  return steps.map((_, index) => steps.slice(0, index + 1).join("/"));
}

/**
 * Returns a file's name as a title, without folder, number and extension. "07-the-storm.md" and "07 — the storm.md"
 * become "the storm".
 */
export function titleOf(file: string): string {
  const name = file.replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, "");
  return titleOfName(name) || "Untitled";
}

/** A day or month at the start of a name, which is not a chapter's number. */
const DATE = /^(\d{4}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)(?![\d-]*\d)/;

/** Returns a folder's name as a title. Accents are composed, because systems form them differently. */
export function titleOfName(given: string): string {
  const name = given.normalize("NFC");
  const [, date = ""] = DATE.exec(name) ?? [];
  const words = name
    .slice(date.length)
    .replace(date === "" ? /^\d+(?:[\s._-]+(?:[–—]\s+)?|\)\s+|$)/ : /^[\s._-]+/, "")
    .replace(/[-_]+/g, " ")
    .trim();
  return `${date} ${words}`.trim() || name;
}

/**
 * Returns ASCII words joined by `-`, at most `most` bytes: "Łukasz’s Émile" becomes "lukaszs-emile"; "" if no letter
 * is left.
 */
export function slug(text: string, most = 80): string {
  return text
    .replace(/['’]/g, "")
    .replace(/[łŁøØđĐßæÆœŒþÞı]/g, (letter) => ASCII[letter] ?? "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, most)
    .replace(/^-+|-+$/g, "");
}

// Letters that NFKD does not decompose.
const ASCII: Readonly<Record<string, string>> = {
  ł: "l",
  Ł: "l",
  ø: "o",
  Ø: "o",
  đ: "d",
  Đ: "d",
  ß: "ss",
  æ: "ae",
  Æ: "ae",
  œ: "oe",
  Œ: "oe",
  þ: "th",
  Þ: "th",
  ı: "i",
};
