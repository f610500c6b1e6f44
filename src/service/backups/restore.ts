import { copyFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { BadRequest, NotFound, Unavailable } from "../../refusals.ts";
import { copyWhole, partIn, removePart, removeParts } from "../../store/backups/make.ts";
import { assertNobodyElse, followLinks, putBack } from "../../store/backups/put-back.ts";
import { type Holding, peek, verifyCopy } from "../../store/backups/verify.ts";
import { assertLogThere } from "../../store/file/log-note.ts";
import { lockFile } from "../../store/file/open.ts";
import { assertOwnLog } from "../../store/file/own-log.ts";

/** What a restore did, or would do. */
export interface Restored {
  /** What the manuscript holds now. */
  holding: Holding;
  /** What it held until then; undefined if it could not be read, or was not there. */
  before: Holding | undefined;
  /** Where the file is that stood there; null if none did. */
  aside: string | null;
  /** Where the file goes on as it is: without a log of another file beside it, or without its own, which is gone. */
  without?: "another's log" | "its log" | undefined;
}

/**
 * Puts a copy in the place of a manuscript, verified before and after. The file that stands there is renamed, never deleted,
 * so a restore is taken back by restoring that. The manuscript itself may be named where the log beside it is not its own. Throws `NotFound` without a copy, `BadRequest` for the manuscript itself,
 * and `Unavailable` if the copy is damaged or another program has the manuscript open.
 */
export function restoreCopy(path: string, from: string, options: { at: number; dryRun: boolean }): Restored {
  const place = followLinks(path);
  if (isSame(place, from)) return restoreBare(place, options);
  if (options.dryRun) {
    assertNobodyElse(place);
    return { holding: verifyCopy(from), before: peek(place), aside: null };
  }
  const unlock = lockFile(place);
  const folder = dirname(place);
  const part = partIn(folder);
  try {
    assertNobodyElse(place);
    const before = peek(place);
    verifyCopy(from);
    removeParts(folder);
    const holding = copyWhole(from, part);
    return { holding, before, aside: putBack(part, place, options.at) };
  } finally {
    removePart(part);
    unlock();
  }
}

/**
 * Goes on with the very file that stands in the manuscript's place, without the log beside it, which was written for another
 * (what somebody gets who has put a copy there by hand), or without its own, which is gone. Throws `BadRequest` if nothing is
 * wrong with the log.
 */
function restoreBare(place: string, options: { at: number; dryRun: boolean }): Restored {
  const without = isRefused(assertOwnLog, place)
    ? "another's log"
    : isRefused(assertLogThere, place)
      ? "its log"
      : undefined;
  if (without === undefined)
    throw new BadRequest(
      `${place} is the manuscript itself; name a copy of it, "manuscript restore --list" lists them.`,
    );
  const bare = partIn(dirname(place));
  try {
    copyFileSync(place, bare);
    return { ...restoreCopy(place, bare, options), without };
  } finally {
    removePart(bare);
  }
}

function isRefused(check: (path: string) => void, path: string): boolean {
  try {
    check(path);
    return false;
  } catch (error) {
    if (error instanceof Unavailable) return true;
    throw error;
  }
}

function isSame(place: string, from: string): boolean {
  const copy = statSync(from, { throwIfNoEntry: false });
  if (copy === undefined)
    throw new NotFound(`copy at ${from}; "manuscript restore --list" names those that there are`);
  const there = statSync(place, { throwIfNoEntry: false });
  return there?.ino === copy.ino && there.dev === copy.dev;
}
