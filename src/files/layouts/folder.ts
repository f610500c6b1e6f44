import { type Dirent, readdirSync, realpathSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import { BadRequest } from "../../refusals.ts";
import { once } from "../../text/once.ts";
import type { BookFiles, ChapterSource } from "../book-files.ts";
import { isFileWithin, statLink } from "../disk/text-file.ts";
import { titleOfName } from "../file-names.ts";
import { ChapterTexts } from "../folder/chapter-texts.ts";
import { faultOfName } from "../folder/safe-name.ts";
import { CONFLICT, MARKDOWN, README, SYNC_CONFLICT } from "../layout-names.ts";

/**
 * Reads the Markdown files in and below a folder as chapters, in natural order; each folder in it is a part. A README
 * is never a chapter, nor is a link that leads to another chapter or out of the folder. Throws `BadRequest` if there
 * are none, or too many to count.
 */
export function readPlainFolder(folder: string, taken: RegExp = MARKDOWN): BookFiles {
  const { files, isWhole } = walk(folder);
  if (!isWhole) {
    throw new BadRequest(
      `${folder} holds more files, or deeper folders, than a book; name the book's own folder.`,
    );
  }
  const skipped: { file: string; reason: string }[] = [];
  const partOf = partsByFolder();
  const texts = new ChapterTexts(folder);
  const own = new Set(files.filter((file) => taken.test(file) && !README.test(file)));
  const chapters = [...own].flatMap((file): ChapterSource[] => {
    const reason = reasonToSkip(folder, file, (other) => own.has(other));
    if (reason !== undefined) {
      skipped.push({ file, reason });
      return [];
    }
    const part = partOf(file);
    return [texts.read(file, { file, name: file, ...(part === undefined ? {} : { part }) })];
  });
  if (chapters.length === 0)
    throw new BadRequest(`${folder} holds no chapter: no Markdown file that is not hidden.`);
  const fallbackTitle = basename(resolve(folder));
  return { folder: realpathSync(folder), book: undefined, chapters, skipped, fallbackTitle };
}

/** Explains why a file cannot be a chapter next to the others that are `isTaken`; undefined if it can. */
export function reasonToSkip(
  folder: string,
  file: string,
  isTaken: (other: string) => boolean = () => false,
): string | undefined {
  if (CONFLICT.test(file)) return "an import left it for you to look at; remove it when that is done";
  if (SYNC_CONFLICT.test(file))
    return "a copy of a chapter that was changed in two places; bring over what you want of it and remove it, or rename it";
  const fault = faultOfName(file);
  if (fault !== undefined) return `its name ${fault}; rename it`;
  if (!isFileWithin(folder, file)) return "not a file of this folder";
  const linked = linkedFile(folder, file);
  return linked !== undefined && isTaken(linked) && reasonToSkip(folder, linked) === undefined
    ? `a link to ${linked}, which is taken once`
    : undefined;
}

/** Returns the file of the folder that a link in it leads to; undefined for any other file. */
export function linkedFile(folder: string, file: string): string | undefined {
  const path = join(folder, file);
  if (statLink(path)?.isSymbolicLink() !== true || !isFileWithin(folder, file)) return undefined;
  return relative(realpathSync(folder), realpathSync(path)).split(sep).join("/");
}

/**
 * Returns the part of each file: the title of its outermost folder below one that is no part. Equal titles get
 * numbers.
 */
export function partsByFolder(below = ""): (file: string) => string | undefined {
  const titles = new Map<string, string>();
  return (path) => {
    const file = path.startsWith(below) ? path.slice(below.length) : path;
    if (!file.includes("/")) return undefined;
    const outermost = file.slice(0, file.indexOf("/")).normalize("NFC"); // two systems' forms of one name are one part
    if (!titles.has(outermost)) {
      const title = titleOfName(outermost);
      const before = [...titles.keys()].filter((other) => titleOfName(other) === title).length;
      titles.set(outermost, before === 0 ? title : `${title} (${before + 1})`);
    }
    return titles.get(outermost);
  };
}

/** Compares two paths in reading order: folder by folder, "2-b" before "10-a". */
export function compareNames(one: string, other: string): number {
  const [steps, others] = [one.split("/"), other.split("/")];
  const at = steps.findIndex((step, index) => step !== others[index]);
  return at < 0 ? 0 : byName().compare(steps[at] ?? "", others[at] ?? "");
}

/** Files in and below a folder. */
export interface Walk {
  /** Relative paths, joined by `/`, each folder in natural order. Links are not followed. */
  files: readonly string[];
  /** True if no limit was reached. */
  isWhole: boolean;
}

const MOST_FILES = 20_000;
const MOST_STEPS = 16;
/** Sorts "2-b" before "10-a". Made on demand: it takes 5 ms, and writing files does not need it. */
const byName = once(() => new Intl.Collator("en", { numeric: true }));

/** Lists at most 20,000 files, 16 folders deep. Skips hidden files and `node_modules`. */
export function walk(folder: string): Walk {
  const files: string[] = [];
  const isWhole = visit(folder, "", 1, files);
  return { files, isWhole };
}

function visit(folder: string, below: string, steps: number, files: string[]): boolean {
  let isWhole = true;
  for (const entry of entriesOf(folder, below).sort((a, b) => byName().compare(a.name, b.name))) {
    const path = below + entry.name;
    if (files.length >= MOST_FILES) return false;
    if (!entry.isDirectory()) files.push(path);
    else if (steps >= MOST_STEPS) isWhole = false;
    else isWhole = visit(folder, `${path}/`, steps + 1, files) && isWhole;
  }
  return isWhole;
}

/**
 * Lists files as `walk` does, without limit or order, but only those that `isAsked` accepts by folder ("" or "a/b/")
 * and name.
 */
export function listFilesBelow(folder: string, isAsked: (below: string, name: string) => boolean): string[] {
  const list = (below: string, steps: number): string[] =>
    entriesOf(folder, below).flatMap((entry) => {
      if (!entry.isDirectory()) return isAsked(below, entry.name) ? [below + entry.name] : [];
      return steps >= MOST_STEPS ? [] : list(`${below}${entry.name}/`, steps + 1);
    });
  return list("", 1);
}

/**
 * Lists a folder without hidden files and the lock files of Office. Empty if a subfolder has gone since it was
 * listed.
 */
function entriesOf(folder: string, below: string): Dirent[] {
  try {
    const entries = readdirSync(join(folder, below), { withFileTypes: true });
    return entries.filter(({ name }) => !/^(?:\.|~\$|node_modules$)/.test(name));
  } catch (error) {
    if (below !== "" && (error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
