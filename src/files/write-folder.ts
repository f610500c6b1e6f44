import { existsSync, type Stats } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { WouldLose } from "../refusals.ts";
import type { ImportConflict } from "../service/interchange/import-book.ts";
import { makeFolder, removeLeftovers, syncNames, writeAlone } from "./atomic-write.ts";
import { nameBeside } from "./disk/name-beside.ts";
import { type Replacement, type Replacing, replaceFiles } from "./disk/replace-files.ts";
import { hash, readRegular, statLink } from "./disk/text-file.ts";

/** Result for a file. `same`: not touched; `busy`: somebody saved it meanwhile, and that version is there. */
export type FileStatus = "written" | "same" | "busy";

/** Result for a file, and the path of a text that could not stay in its place. */
export interface WrittenFile {
  status: FileStatus;
  keptAs?: string;
}

/** Options for overwriting files. */
interface Overwriting extends Replacing {
  mayOverwrite: (file: string, present: Buffer) => boolean;
  /** Returns the path under which an overwritten file is kept; undefined if the manuscript has its content. */
  keptAt?: (file: string, present: Buffer) => string | undefined;
  /** Called after all checks and before the first write, if there is anything to write. */
  checked?: () => void;
}

/** A file to be written to a folder. */
export interface OutFile {
  /** Relative to the folder. */
  file: string;
  bytes: Buffer;
  /** SHA-256 of the content that it may replace, null for none. Left out: whatever is there at the check. */
  read?: string | null | undefined;
}

/**
 * Writes files into a folder. Checks all of them first, then writes each next to its place, syncs it, and moves it
 * there. An existing file that differs is overwritten only if `mayOverwrite` allows it, and never if it was saved
 * meanwhile. Never writes through a link. Throws `WouldLose`.
 */
export async function writeFolder(
  folder: string,
  files: readonly OutFile[],
  { mayOverwrite, keptAt = () => undefined, checked, ...replacing }: Overwriting,
): Promise<WrittenFile[]> {
  for (const { file } of files) assertOwnPlace(folder, file);
  const present = files.map(({ file }) => readIfThere(join(folder, file)));
  const differs = (index: number) => !present[index]?.equals(files[index]!.bytes); // one entry a file
  const lost = files.filter(({ file }, index) => {
    const there = present[index];
    return there !== undefined && differs(index) && !mayOverwrite(file, there);
  });
  if (lost.length > 0) throw wouldLose(folder, lost);
  const asked = files.flatMap(({ file, bytes, read }, index): Replacement[] => {
    if (!differs(index)) return [];
    const there = present[index];
    const known = read === undefined ? there && hash(there) : (read ?? undefined);
    return [{ path: join(folder, file), bytes, read: known, kept: there && keptAt(file, there) }];
  });
  if (asked.length > 0) checked?.();
  const folders = new Set([folder, ...asked.map(({ path }) => dirname(path))]);
  for (const path of folders) makeFolder(path);
  clearLeftovers([folder, ...files.map(({ file }) => dirname(join(folder, file)))]);
  const replaced = (await replaceFiles(asked, replacing)).values();
  if (asked.length > 0) for (const path of folders) syncNames(path);
  return files.map((_, index) => (differs(index) ? replaced.next().value! : { status: "same" })); // one for each asked
}

/** Removes leftovers of a run that was killed after its last file, from folders with nothing to write. */
function clearLeftovers(folders: readonly string[]): void {
  for (const path of new Set(folders)) if (existsSync(path)) removeLeftovers(path);
}

function wouldLose(folder: string, lost: readonly OutFile[]): WouldLose {
  const names = lost.slice(0, 3).map(({ file }) => file);
  const more = lost.length > 3 ? ` and ${lost.length - 3} more` : "";
  return new WouldLose(
    `${folder} holds files that differ from the book and were not written by an export of it: ${names.join(", ")}${more}. Import them first, choose another folder with -o, or overwrite them with --force.`,
  );
}

/**
 * Throws `WouldLose` for a path that leads out of the folder, through a link or through a file, and for one where
 * something other than a file stands.
 */
export function assertOwnPlace(folder: string, file: string): void {
  if (isAbsolute(file) || file.split(/[\\/]/).includes(".."))
    throw new Error(`${file} is outside its folder`);
  for (let path = file; path !== "."; path = dirname(path)) {
    const place = join(folder, path);
    const fault = faultOf(statLink(place), path === file);
    if (fault !== undefined)
      throw new WouldLose(`${place} is ${fault}; move it away, or choose another folder with -o.`);
  }
}

function faultOf(stat: Stats | undefined, isLast: boolean): string | undefined {
  if (stat === undefined) return undefined;
  if (stat.isSymbolicLink()) return "a symbolic link, and nothing is ever written through one";
  if (isLast) return stat.isFile() ? undefined : stat.isDirectory() ? "a folder" : "no ordinary file";
  return stat.isDirectory() ? undefined : "a file where a folder has to be";
}

/** Returns the bytes of a file; undefined if there is none. */
export function readIfThere(path: string): Buffer | undefined {
  return statLink(path)?.isFile() ? readRegular(path, path) : undefined;
}

/** True if a file is as it was read; undefined means that it was not there. */
export function isUntouched(path: string, readHash: string | undefined): boolean {
  const stat = statLink(path);
  if (stat === undefined) return readHash === undefined;
  return readHash !== undefined && stat.isFile() && readHash === hash(readRegular(path, path));
}

/**
 * Writes both texts of a conflict next to the chapter's file, as `NAME.conflict.md`. A conflict file that somebody
 * has edited is left alone, and the next one is numbered. Returns the name. Throws `WouldLose` if a link stands
 * there.
 */
export async function writeConflict(
  folder: string,
  file: string,
  { title, revision, fields, paragraphs, markdown }: ImportConflict & { title: string },
): Promise<string> {
  const parts = [
    `# Conflict: ${title}`,
    `${file} and revision ${revision} of the manuscript both changed since they were last the same.`,
    ...fields.map((field) => `Both changed the ${field}.`),
    ...paragraphs.flatMap(({ mine, theirs }) => [
      "## In your file",
      mine ?? "(taken out)",
      "## In the manuscript",
      theirs ?? "(taken out)",
    ]),
    "# The whole chapter as the manuscript has it",
    markdown,
  ];
  const text = `${parts.join("\n\n").trimEnd()}\n`;
  for (let count = 1; ; count++) {
    const name = nameBeside(file, count);
    assertOwnPlace(folder, name);
    const present = readIfThere(join(folder, name));
    if (present !== undefined && !isOurs(present.toString())) continue;
    const bytes = Buffer.from(text + sealOf(text));
    if (!present?.equals(bytes)) await writeAlone(join(folder, name), bytes);
    return name;
  }
}

// Last line of a conflict file: its own hash. A text without a matching one was edited.
const SEAL = /\n<!-- manuscript: ([0-9a-f]{16}); remove this file when you are done -->\n$/;

function sealOf(text: string): string {
  return `\n<!-- manuscript: ${hash(text).slice(0, 16)}; remove this file when you are done -->\n`;
}

function isOurs(text: string): boolean {
  const seal = SEAL.exec(text);
  return seal !== null && hash(text.slice(0, seal.index)).startsWith(seal[1] ?? "-");
}

/**
 * Writes a document in one step. Throws `WouldLose` if anything else is there, which somebody may have edited, unless
 * `force`.
 */
export async function writeSingle(
  path: string,
  bytes: Buffer,
  { force, mode }: { force: boolean; mode?: number },
): Promise<void> {
  assertOwnPlace(dirname(path), basename(path));
  if (statLink(path) !== undefined) {
    if (readRegular(path, path).equals(bytes)) return;
    if (!force)
      throw new WouldLose(
        `${path} is there already; name another file with -o, or overwrite it with --force.`,
      );
  }
  await writeAlone(path, bytes, mode);
}
