import { lstatSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { Asides, linkInto } from "./asides.ts";
import { type WholeFile, type WritingWhole, writeWhole } from "./atomic-write.ts";
import { keepReplaced } from "./kept-folder.ts";
import { hash, readRegular, statLink } from "./text-file.ts";

/** A file as it is to be, and what it may replace. */
export interface Replacement extends WholeFile {
  /** SHA-256 of what was there when it was read; undefined if nothing was. */
  read: string | undefined;
  /** Where what it replaces is kept; undefined where the manuscript has that. */
  kept?: string | undefined;
}

/** What became of a file. `busy`: an editor has saved it since it was read, and that is there. */
export interface ReplacedFile {
  status: "written" | "busy";
  /** Where a text is kept that could not stay in its place. */
  keptAs?: string;
}

/** How files are replaced. */
export interface Replacing extends Pick<WritingWhole, "step"> {
  /** So long after a file was replaced an editor that has it open may still write into it, in milliseconds. */
  settleMs?: number | undefined;
  /** Called when a file is written beside its place, when the old one is aside, and when the new one is in its place. */
  at?: ((moment: "beside" | "aside" | "placed", path: string) => void) | undefined;
}

/**
 * Puts files into the place of those that were read, and never over anything else. Each old file is renamed aside, so that
 * whatever an editor saved up to that moment is held, and the new one is linked into the empty place, which fails where an
 * editor has made one meanwhile. Then what was replaced is looked at once more: what an editor wrote into it late goes back
 * into its place. A stop in between leaves a file aside: `recoverAsides` brings it back.
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

/** Removes a file if it is as it was read, and nobody writes into it while it goes; false for any other. */
export function removeFile(path: string, read: string): boolean {
  const asides = new Asides();
  try {
    const aside = takeAside(path, read, asides);
    return aside !== undefined && aside !== "busy" && asides.drop(aside);
  } finally {
    asides.clear();
  }
}

/** Renames a file aside if it is as it was read; undefined for one that is to be new. */
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

/** What became of a file that was placed: if an editor had its old one open and wrote into that, it is there again. */
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
