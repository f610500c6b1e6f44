import { lstatSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { type WholeFile, type WritingWhole, writeWhole } from "../atomic-write.ts";
import { Asides, linkInto } from "./asides.ts";
import { keepReplaced } from "./kept-folder.ts";
import { hash, readRegular, statLink } from "./text-file.ts";

/** A new file, and the content that it may replace. */
export interface Replacement extends WholeFile {
  /** SHA-256 of the content when it was read; undefined if there was no file. */
  read: string | undefined;
  /** Path under which the replaced file is kept; undefined if the manuscript has its content. */
  kept?: string | undefined;
}

/** Result for a file. `busy`: an editor saved it after it was read, and that version is there. */
export interface ReplacedFile {
  status: "written" | "busy";
  /** Path of a text that could not stay in its place. */
  keptAs?: string;
}

/** How files are replaced. */
export interface Replacing extends Pick<WritingWhole, "step"> {
  /** Milliseconds in which an editor may still write into a replaced file that it has open. */
  settleMs?: number | undefined;
  /** Called when a file is written next to its place, when the old one is aside, and when the new one is in place. */
  at?: ((moment: "beside" | "aside" | "placed", path: string) => void) | undefined;
}

/**
 * Replaces files that are as they were read, and never overwrites any other. Each old file is first moved aside,
 * which catches everything saved up to then. The new one is linked into the empty place, which fails if an editor has
 * created a file meanwhile. Then the old file is checked once more: late writes go back into the place. An
 * interruption leaves files aside; `recoverAsides` brings them back.
 */
export async function replaceFiles(
  files: readonly Replacement[],
  { step, settleMs = 0, at = () => {} }: Replacing = {},
): Promise<ReplacedFile[]> {
  const asides = new Asides();
  const replaced = new Map(files.map(({ path }): [string, ReplacedFile] => [path, { status: "busy" }]));
  const byPath = new Map(files.map((file) => [file.path, file]));
  const old = new Map<string, string | undefined>();
  const place = (beside: string, path: string) => {
    at("beside", path);
    const aside = takeAside(path, byPath.get(path)?.read, asides);
    if (aside === "busy") return;
    at("aside", path);
    if (linkInto(beside, path)) old.set(path, aside);
    at("placed", path);
  };
  try {
    await writeWhole(files, { step, place });
    if (settleMs > 0 && [...old.values()].some((aside) => aside !== undefined)) await wait(settleMs);
    for (const [path, aside] of old) replaced.set(path, checkLate(byPath.get(path)!, aside, asides)); // placed by its path
  } finally {
    asides.clear();
  }
  return files.map(({ path }) => replaced.get(path)!); // set for each
}

/** Removes a file if it is as it was read and nobody writes into it meanwhile; else returns false. */
export function removeFile(path: string, read: string): boolean {
  const asides = new Asides();
  try {
    const aside = takeAside(path, read, asides);
    return aside !== undefined && aside !== "busy" && asides.drop(aside);
  } finally {
    asides.clear();
  }
}

/** Moves a file aside if it is as it was read; undefined for a new file. */
function takeAside(path: string, read: string | undefined, asides: Asides): string | undefined | "busy" {
  if (read === undefined) return statLink(path) === undefined ? undefined : "busy";
  const before = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (!before?.isFile() || hash(readRegular(path, path)) !== read) return "busy";
  const aside = asides.take(path, read);
  if (aside === undefined) return "busy";
  const now = lstatSync(aside, { bigint: true });
  if (now.ino === before.ino && now.size === before.size && now.mtimeNs === before.mtimeNs) return aside;
  asides.putBack(aside);
  return "busy";
}

/** Checks a replaced file for late writes of an editor. If there are any, the old file goes back into its place. */
function checkLate(
  { path, bytes, read, kept }: Replacement,
  aside: string | undefined,
  asides: Asides,
): ReplacedFile {
  if (aside === undefined) return { status: "written" };
  if (hash(readRegular(aside, path)) === read) {
    if (kept === undefined) return { status: "written" };
    return { status: "written", keptAs: keepReplaced(aside, kept) };
  }
  const ours = hash(bytes);
  const present = asides.take(path, ours);
  const isNewer = present !== undefined && hash(readRegular(present, path)) !== ours;
  if (isNewer) asides.putBack(present);
  const keptAs = asides.putBack(aside);
  return { status: "busy", ...(keptAs === undefined ? {} : { keptAs }) };
}
