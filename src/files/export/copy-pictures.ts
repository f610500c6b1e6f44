import { existsSync } from "node:fs";
import { join } from "node:path";
import type { StoredChapter } from "../../book/book.ts";
import type { ChapterId } from "../../ids.ts";
import { WouldLose } from "../../refusals.ts";
import { keptPicture, linkedPlace } from "../../service/interchange/pictures.ts";
import { foldersOfChapter } from "../../service/interchange/working-copy.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { once } from "../../text/once.ts";
import { writeAlone } from "../atomic-write.ts";
import { readRegular } from "../disk/text-file.ts";
import { type FindLinked, isPlaceForPicture, linkFinder, type PictureLink } from "../pictures.ts";
import { assertOwnPlace } from "../write-folder.ts";

/** A picture that chapters refer to, and the result of its export. */
export interface ExportedPicture {
  /** Relative to the folder that was written to. */
  file: string;
  /** The first chapter's file that refers to it. */
  from: string;
  /**
   * `copied` from the folder of its chapter, or from the manuscript; `same`: already there; `missing`: neither has it,
   * or it is no picture, or lies outside; `other`: chapters from two folders use one name for two pictures, and the first is
   * there.
   */
  status: "copied" | "same" | "missing" | "other";
}

/**
 * Copies the pictures that chapters refer to from the chapters' folders, else from the manuscript, into a folder, to the
 * places where their links lead. Existing files are left alone. Returns each picture once. Throws `Unavailable`.
 */
export async function copyPictures(
  manuscript: Manuscript,
  folder: string,
  {
    chapters,
    pictures,
  }: {
    chapters: readonly { chapter: Pick<StoredChapter, "id" | "file">; file: string }[];
    pictures: ReadonlyMap<ChapterId, readonly PictureLink[]>;
  },
): Promise<ExportedPicture[]> {
  const done = new Map<string, Copied>();
  const find = linkFinder();
  for (const { chapter, file: from } of chapters) {
    const folders = once(() => foldersOfChapter(manuscript, chapter.id));
    const files = once(() => [chapter.file ?? from, from, ...folders().map(({ file }) => file)]);
    const kept = (link: PictureLink) => keptPicture(manuscript, chapter.id, link, files());
    for (const link of pictures.get(chapter.id) ?? []) {
      const picture = placePicture({ folder, from, folders, kept, find }, link);
      const { file, source } = picture;
      const known = done.get(file);
      if (known === undefined) done.set(file, await copied(folder, picture));
      else if (isOther(known, source))
        done.set(`${file} of ${from}`, { file, from, status: "other", source });
    }
  }
  return [...done.values()].map(({ source: _, ...picture }) => picture);
}

/** A picture's bytes, by what tells them from another's. */
interface Origin {
  /** A path, or "" for the manuscript. */
  path: string;
  file: string;
  read: () => Buffer;
}

/** A picture and its source. */
interface Copied extends ExportedPicture {
  source: Origin | undefined;
}

/** A picture's place in the target folder, whether it is there, and its source. */
interface PlacedPicture extends Pick<ExportedPicture, "file" | "from"> {
  isThere: boolean;
  source: Origin | undefined;
}

/** A chapter's file in the target folder, and the folders that have had the chapter. */
interface Source {
  folder: string;
  from: string;
  folders: () => ReturnType<typeof foldersOfChapter>;
  kept: (link: PictureLink) => { file: string; bytes: Buffer } | undefined;
  find: FindLinked;
}

function placePicture({ folder, from, ...whence }: Source, link: PictureLink): PlacedPicture {
  const present = whence.find(folder, from, link);
  const source = sourceOf({ folder, ...whence }, link);
  // A picture that may lie anywhere keeps its former place.
  const named = link.isAnywhere && source !== undefined ? source.file : linkedPlace(from, link.path);
  const { isThere } = present;
  return { file: isThere ? present.file : named, from, isThere, source };
}

async function copied(folder: string, { file, from, isThere, source }: PlacedPicture): Promise<Copied> {
  if (isThere) return { file, from, status: "same", source: undefined };
  const isCopied = source !== undefined && (await copy(source.read, folder, file));
  return { file, from, status: isCopied ? "copied" : "missing", source: isCopied ? source : undefined };
}

/** True if a picture that this run copied differs from the one meant here. */
function isOther({ source: first }: Copied, source: Origin | undefined): boolean {
  if (first === undefined || source === undefined || (first.path !== "" && first.path === source.path))
    return false;
  return !first.read().equals(source.read());
}

/** Returns the picture from the newest folder that the chapter came from or was written to, else as the manuscript keeps it. */
function sourceOf(
  { folder: target, folders, kept, find }: Omit<Source, "from">,
  link: PictureLink,
): Origin | undefined {
  for (const { folder, file } of folders()) {
    if (folder === target || !existsSync(folder)) continue;
    const found = find(folder, file, link);
    const path = join(folder, found.file);
    if (found.isThere) return { path, file: found.file, read: () => readRegular(path, path) };
  }
  const own = kept(link);
  return own && { path: "", file: own.file, read: () => own.bytes };
}

/** Copies a picture; false if it cannot be written there. */
async function copy(read: () => Buffer, folder: string, file: string): Promise<boolean> {
  if (!isPlaceForPicture(file)) return false;
  try {
    assertOwnPlace(folder, file);
  } catch (error) {
    if (error instanceof WouldLose) return false;
    throw error;
  }
  await writeAlone(join(folder, file), read());
  return true;
}
