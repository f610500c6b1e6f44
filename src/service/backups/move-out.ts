import { existsSync, mkdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Busy } from "../../refusals.ts";
import { backupsFolder, MANUSCRIPT_ENDING } from "../../store/copies.ts";
import { lockFile } from "../../store/file/open.ts";
import { copyWhole, makeCopy, moveInto, partIn, removePart } from "../../store/make-copy.ts";
import { assertNobodyElse, followLinks } from "../../store/put-back-copy.ts";
import { peek } from "../../store/verify-copy.ts";

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
 * Moves a manuscript that nobody has open, as out of a cloud folder: a whole, verified copy comes to the new place and another
 * into its folder of copies, which is returned; only then does the file go. `at` in milliseconds since 1970. Throws
 * `Unavailable` if it is open or damaged, or a disk is full or read-only.
 */
export function moveOut(path: string, to: string, at: number): string {
  const place = followLinks(path);
  const folder = backupsFolder(place);
  const unlock = lockFile(place);
  const part = partIn(dirname(to));
  try {
    assertNobodyElse(place);
    mkdirSync(dirname(to), { recursive: true });
    const { mark } = copyWhole(place, part);
    makeCopy(place, { folder, kind: "by hand", at });
    if (peek(place)?.mark !== mark) throw new Busy(); // a command wrote meanwhile
    moveInto(part, to);
    removePart(place);
    return folder;
  } finally {
    removePart(part);
    unlock();
    if (!existsSync(place)) rmSync(`${place}-serve.lock`, { force: true });
  }
}
