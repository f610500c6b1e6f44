import { existsSync, mkdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { backupsFolder, freeName, MANUSCRIPT_ENDING } from "../../store/copies.ts";
import { lockFile } from "../../store/file/open.ts";
import { copyWhole, moveInto, partIn, removePart } from "../../store/make-copy.ts";
import { assertNobodyElse, followLinks, renameWhole, tidyParts } from "../../store/put-back-copy.ts";

export { cloudOf } from "../../store/cloud-folder.ts";

/** A place that is free for a manuscript in another folder: "Salt.manuscript", else "Salt 2.manuscript". */
export function freePlace(path: string, folder: string): string {
  const stem = basename(path, MANUSCRIPT_ENDING);
  for (let count = 1; ; count++) {
    const place = join(folder, `${stem}${count === 1 ? "" : ` ${count}`}${MANUSCRIPT_ENDING}`);
    if (!existsSync(place)) return place;
  }
}

/**
 * Moves a manuscript that nobody has open, as out of a cloud folder: a whole, verified copy comes to the new place, and then
 * the file itself becomes a copy in its folder of copies, which is returned. A stop at any moment leaves the file in one
 * place at least. `at` in milliseconds since 1970. Throws `Unavailable` if it is open, or a disk is full or read-only.
 */
export function moveOut(path: string, to: string, at: number): string {
  const place = followLinks(path);
  const folder = backupsFolder(place);
  const unlock = lockFile(place);
  const part = partIn(dirname(to));
  try {
    assertNobodyElse(place);
    for (const needed of [dirname(to), folder]) mkdirSync(needed, { recursive: true, mode: 0o700 });
    copyWhole(place, part);
    moveInto(part, to);
    const copy = freeName(place, "by hand", { folder, at });
    renameWhole(place, copy);
    tidyParts(copy);
    return folder;
  } finally {
    removePart(part);
    unlock();
    if (!existsSync(place)) rmSync(`${place}-serve.lock`, { force: true });
  }
}
