import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { StoredChapter } from "../../book/book.ts";
import type { ChapterId } from "../../ids.ts";
import { WouldLose } from "../../refusals.ts";
import { foldersOfChapter } from "../../service/interchange/working-copy.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { once } from "../../text/once.ts";
import { writeAlone } from "../atomic-write.ts";
import { hash, readRegular } from "../disk/text-file.ts";
import { findLinked, isPlaceForPicture, linkedPlace, type PictureLink } from "../pictures.ts";
import { assertOwnPlace } from "../write-folder.ts";

/** A picture that chapters refer to, and the result of its export. */
export interface ExportedPicture {
  /** Relative to the folder that was written to. */
  file: string;
  /** The first chapter's file that refers to it. */
  from: string;
  /**
   * `copied` from the folder of its chapter; `same`: already there; `missing`: no known folder has it, or it is no
   * picture, or lies outside; `other`: chapters from two folders use one name for two pictures, and the first is
   * there.
   */
  status: "copied" | "same" | "missing" | "other";
}

/**
 * Copies the pictures that chapters refer to from the chapters' folders into a folder, to the places where their
 * links lead. Existing files are left alone. Returns each picture once. Throws `Unavailable`.
 */
export async function copyPictures(
  manuscript: Manuscript,
  folder: string,
  {
    chapters,
    pictures,
  }: {
    chapters: readonly { chapter: Pick<StoredChapter, "id">; file: string }[];
    pictures: ReadonlyMap<ChapterId, readonly PictureLink[]>;
  },
): Promise<ExportedPicture[]> {
  const done = new Map<string, Copied>();
  for (const { chapter, file: from } of chapters) {
    const folders = once(() => foldersOfChapter(manuscript, chapter.id));
    for (const link of pictures.get(chapter.id) ?? []) {
      const picture = placePicture({ folder, from, folders }, link);
      const { file, source } = picture;
      const known = done.get(file);
      if (known === undefined) done.set(file, await copied(folder, picture));
      else if (isOther(known, source))
        done.set(`${file} of ${from}`, { file, from, status: "other", source });
    }
  }
  return [...done.values()].map(({ source: _, ...picture }) => picture);
}

/** A picture and its source. */
interface Copied extends ExportedPicture {
  source: string | undefined;
}

/** A picture's place in the target folder, whether it is there, and its source. */
interface PlacedPicture extends Pick<ExportedPicture, "file" | "from"> {
  isThere: boolean;
  source: string | undefined;
}

/** A chapter's file in the target folder, and the folders that have had the chapter. */
interface Source {
  folder: string;
  from: string;
  folders: () => ReturnType<typeof foldersOfChapter>;
}

function placePicture({ folder, from, folders }: Source, link: PictureLink): PlacedPicture {
  const present = findLinked(folder, from, link);
  const source = sourceOf({ folder, folders }, link);
  // A picture that may lie anywhere keeps its former place.
  const named = link.isAnywhere && source !== undefined ? source.file : linkedPlace(from, link.path);
  const { isThere } = present;
  return { file: isThere ? present.file : named, from, isThere, source: source?.path };
}

async function copied(folder: string, { file, from, isThere, source }: PlacedPicture): Promise<Copied> {
  if (isThere) return { file, from, status: "same", source: undefined };
  const isCopied = source !== undefined && (await copy(source, folder, file));
  return { file, from, status: isCopied ? "copied" : "missing", source: isCopied ? source : undefined };
}

/** True if a picture that this run copied differs from the one meant here. */
function isOther({ source: first }: Copied, source: string | undefined): boolean {
  return first !== undefined && source !== undefined && first !== source && hashOf(first) !== hashOf(source);
}

/** Returns the picture from the newest folder that the chapter came from or was written to. */
function sourceOf(
  { folder: target, folders }: Omit<Source, "from">,
  link: PictureLink,
): { path: string; file: string } | undefined {
  for (const { folder, file } of folders()) {
    if (folder === target || !existsSync(folder)) continue;
    const found = findLinked(folder, file, link);
    if (found.isThere) return { path: join(folder, found.file), file: found.file };
  }
  return undefined;
}

function hashOf(path: string): string {
  return hash(readFileSync(path));
}

/** Copies a picture; false if it cannot be written there. */
async function copy(source: string, folder: string, file: string): Promise<boolean> {
  if (!isPlaceForPicture(file)) return false;
  try {
    assertOwnPlace(folder, file);
  } catch (error) {
    if (error instanceof WouldLose) return false;
    throw error;
  }
  await writeAlone(join(folder, file), readRegular(source, source));
  return true;
}
