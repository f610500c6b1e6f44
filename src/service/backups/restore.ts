import { statSync } from "node:fs";
import { dirname } from "node:path";
import { BadRequest, NotFound } from "../../refusals.ts";
import { copyWhole, partIn, removePart, removeParts } from "../../store/backups/make.ts";
import { assertNobodyElse, followLinks, putBack } from "../../store/backups/put-back.ts";
import { type Holding, peek, verifyCopy } from "../../store/backups/verify.ts";
import { lockFile } from "../../store/file/open.ts";

/** What a restore did, or would do. */
export interface Restored {
  /** What the manuscript holds now. */
  holding: Holding;
  /** What it held until then; undefined if it could not be read, or was not there. */
  before: Holding | undefined;
  /** Where the file is that stood there; null if none did. */
  aside: string | null;
}

/**
 * Puts a copy in the place of a manuscript, verified before and after. The file that stands there is renamed, never deleted,
 * so a restore is taken back by restoring that. Throws `NotFound` without a copy, `BadRequest` for the manuscript itself,
 * and `Unavailable` if the copy is damaged or another program has the manuscript open.
 */
export function restoreCopy(path: string, from: string, options: { at: number; dryRun: boolean }): Restored {
  const place = followLinks(path);
  assertOther(place, from);
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

function assertOther(place: string, from: string): void {
  const copy = statSync(from, { throwIfNoEntry: false });
  if (copy === undefined)
    throw new NotFound(`copy at ${from}; "manuscript restore --list" names those that there are`);
  const there = statSync(place, { throwIfNoEntry: false });
  if (there?.ino === copy.ino && there.dev === copy.dev)
    throw new BadRequest(
      `${from} is the manuscript itself; name a copy of it, "manuscript restore --list" lists them.`,
    );
}
