import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isKnownHash, lockFolder } from "../service/interchange/working-copy.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { type Recovered, recoverAsides } from "./disk/asides.ts";
import { statLink } from "./disk/text-file.ts";
import { BOOK_YAML } from "./folder/manifest.ts";

/** Who works in a folder. */
export interface FolderWork {
  /** The command, for whoever waits. */
  who: string;
  /** Where this user's locks are. */
  locks: string;
  /** How long another run is waited for, in milliseconds. */
  patienceMs: number;
  /** Nothing may be written. */
  isDry?: boolean | undefined;
}

/**
 * Works in a folder, or in that of a file, while no other run does, after what a stopped run had aside was brought back. Throws
 * `Unavailable` if another goes on working there.
 */
export async function inFolder<Result>(
  manuscript: Manuscript,
  path: string,
  { isDry = false, ...work }: FolderWork,
  run: (recovered: readonly Recovered[]) => Promise<Result>,
): Promise<Result> {
  const folder = folderOf(path);
  const release = await lockFolder({ folder, ...work });
  try {
    const isThere = !isDry && (statLink(folder)?.isDirectory() ?? false);
    // Below the folder of one file that no export made there may be anything, and nothing of ours.
    const isDeep = isThere && (realpathSync(path) === folder || existsSync(join(folder, BOOK_YAML)));
    const isKnown = (hash: string) => isKnownHash(manuscript, hash);
    return await run(isThere ? recoverAsides(folder, isKnown, { isDeep }) : []);
  } finally {
    release();
  }
}

/** The folder that a path is, or a file is in, links resolved; the one that an export made, where the file is in a part's. */
function folderOf(path: string): string {
  if (!existsSync(path))
    return join(existsSync(dirname(path)) ? realpathSync(dirname(path)) : dirname(path), basename(path));
  const real = realpathSync(path);
  if (statLink(real)?.isDirectory()) return real;
  const above = dirname(real);
  return [above, dirname(above)].find((folder) => existsSync(join(folder, BOOK_YAML))) ?? above;
}
