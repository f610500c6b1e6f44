import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isKnownHash, lockFolder } from "../service/interchange/working-copy.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { type Recovered, recoverAsides } from "./disk/asides.ts";
import { assertNotOfSystem, statLink } from "./disk/text-file.ts";
import { BOOK_YAML } from "./folder/manifest.ts";

/** Work in a folder, for its lock. */
export interface FolderWork {
  /** Name of the command, for another run that waits. */
  who: string;
  /** Folder of this user's locks. */
  locks: string;
  /** Milliseconds to wait for another run. */
  patienceMs: number;
  /** True if nothing may be written. */
  isDry?: boolean | undefined;
}

/**
 * Runs `work` in a folder, or in that of a file, while no other run works there. Files that a stopped run had moved
 * aside are brought back first. Throws `Unavailable` if another run does not finish in time, and `BadRequest` for a
 * folder of the system.
 */
export async function inFolder<Result>(
  manuscript: Manuscript,
  path: string,
  { isDry = false, ...work }: FolderWork,
  run: (recovered: readonly Recovered[]) => Promise<Result>,
): Promise<Result> {
  assertNotOfSystem(path);
  const folder = folderOf(path);
  const release = await lockFolder({ folder, ...work });
  try {
    const isThere = !isDry && (statLink(folder)?.isDirectory() ?? false);
    // An unknown folder of a single file may have anything below it, and nothing of ours.
    const isDeep = isThere && (realpathSync(path) === folder || existsSync(join(folder, BOOK_YAML)));
    const isKnown = (hash: string) => isKnownHash(manuscript, hash);
    return await run(isThere ? recoverAsides(folder, isKnown, { isDeep }) : []);
  } finally {
    release();
  }
}

/**
 * Returns the folder of a path, with links resolved. For a file in a part's folder it is the exported folder above.
 */
function folderOf(path: string): string {
  if (!existsSync(path))
    return join(existsSync(dirname(path)) ? realpathSync(dirname(path)) : dirname(path), basename(path));
  const real = realpathSync(path);
  if (statLink(real)?.isDirectory()) return real;
  const above = dirname(real);
  return [above, dirname(above)].find((folder) => existsSync(join(folder, BOOK_YAML))) ?? above;
}
