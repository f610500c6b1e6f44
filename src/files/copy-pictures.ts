import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { StoredChapter } from "../book/book.ts";
import type { ChapterId } from "../ids.ts";
import { WouldLose } from "../refusals.ts";
import { foldersOfChapter } from "../service/interchange/working-copy.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { writeAlone } from "./disk/atomic-write.ts";
import { hash, readRegular } from "./disk/text-file.ts";
import { assertOwnPlace } from "./disk/write-folder.ts";
import { findLinked, isPlaceForPicture, type PictureLink, placeOf } from "./pictures.ts";

/** A picture that chapters refer to, and what an export did about it. */
export interface ExportedPicture {
  /** Relative to the folder that was written to. */
  file: string;
  /** The first chapter's file that refers to it. */
  from: string;
  /**
   * `copied` from the folder that its chapter came from; `same`: it is there; `missing`: no folder that is known has it,
   * or it is no picture, or outside; `other`: two chapters from two folders call two pictures so, and the first is there.
   */
  status: "copied" | "same" | "missing" | "other";
}

/**
 * Puts the pictures that chapters refer to into a folder where their links lead to, from the folders that the chapters
 * came from. What is there already is left as it is. Returns each picture once. Throws `Unavailable`.
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
  const done = new Map<string, ExportedPicture & { hash: string | undefined }>();
  for (const { chapter, file: from } of chapters) {
    for (const link of pictures.get(chapter.id) ?? []) {
      const present = findLinked(folder, from, link);
      const source = sourceOf(manuscript, folder, chapter.id, link);
      const file = present.isThere
        ? present.file
        : link.isAnywhere && source
          ? source.file
          : placeOf(from, link.path);
      const known = done.get(file);
      if (known !== undefined) {
        const isOther =
          source !== undefined && known.hash !== undefined && known.hash !== hashOf(source.path);
        if (isOther) done.set(`${file} of ${from}`, { file, from, status: "other", hash: undefined });
        continue;
      }
      const isCopied = !present.isThere && source !== undefined && (await copy(source.path, folder, file));
      const status = present.isThere ? "same" : isCopied ? "copied" : "missing";
      done.set(file, { file, from, status, hash: isCopied && source ? hashOf(source.path) : undefined });
    }
  }
  return [...done.values()].map(({ hash: _, ...picture }) => picture);
}

/** The picture in a folder that the chapter came from or was written to, the newest first. */
function sourceOf(
  manuscript: Manuscript,
  target: string,
  chapterId: ChapterId,
  link: PictureLink,
): { path: string; file: string } | undefined {
  for (const { folder, file } of foldersOfChapter(manuscript, chapterId)) {
    if (folder === target || !existsSync(folder)) continue;
    const found = findLinked(folder, file, link);
    if (found.isThere) return { path: join(folder, found.file), file: found.file };
  }
  return undefined;
}

function hashOf(path: string): string {
  return hash(readFileSync(path));
}

/** Copies a picture; false where it cannot stand. */
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
