import { copyFileSync, existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { LocalAnswer } from "../../contract/local-answers.ts";
import { identityOf, renameFile } from "../../disk.ts";
import { createMint } from "../../ids.ts";
import { BadRequest, NotFound, Unavailable } from "../../refusals.ts";
import { type CopyGap, gapBetween } from "../../store/copy-history.ts";
import { NOTE } from "../../store/file/log.ts";
import { lockFile, movedFromOf, openToExamine, servedBy } from "../../store/file/open.ts";
import { assertLogThere, assertLogUnbroken, assertOwnLog } from "../../store/file/own-log.ts";
import { copyWhole, partIn, removePart, removeParts } from "../../store/make-copy.ts";
import { assertNobodyElse, followLinks, putBack } from "../../store/put-back-copy.ts";
import { readSetting } from "../../store/rows/account.ts";
import { listOpenHolds } from "../../store/rows/ledger.ts";
import { type Holding, peek, verifyCopy } from "../../store/verify-copy.ts";
import { announceServer, readServer } from "../account/sign-in.ts";
import { type Manuscript, whileClosed } from "../manuscript.ts";
import { copiesOf, gapOf, holdingOf } from "./listed.ts";

/** What a restore did, or would do. */
export interface Restored {
  /** What the manuscript holds now. */
  holding: Holding;
  /** What it held until then; undefined if it could not be read, or was not there. */
  before: Holding | undefined;
  /** Acts that only one of copy and former manuscript has; undefined if one could not be read. */
  gap: CopyGap | undefined;
  /** Where the file is that stood there; null if none did. */
  aside: string | null;
  /**
   * Where the file goes on as it is: without a log of another file beside it, without its own, which is gone, or without what
   * stands in that behind a fault.
   */
  without?: "another's log" | "its log" | "the end of its log" | undefined;
  /** The log that was found where the file had been moved away from, and taken in. */
  found?: string | undefined;
}

/** How a copy is put back. */
export interface RestoreOptions {
  /** Milliseconds since 1970. */
  at: number;
  dryRun: boolean;
  /** The server's lock is the caller's already. */
  isLocked?: boolean;
}

/**
 * Puts a copy in the place of a manuscript, verified before and after. The file that stands there is renamed, never deleted,
 * so a restore is taken back by restoring that. The manuscript itself may be named where the log beside it is not its own. Throws `NotFound` without a copy, `BadRequest` for the manuscript itself,
 * and `Unavailable` if the copy is damaged or another program has the manuscript open.
 */
export function restoreCopy(path: string, from: string, options: RestoreOptions): Restored {
  const place = followLinks(path);
  if (isSame(place, from)) return restoreBare(place, options);
  if (options.dryRun) {
    assertNobodyElse(place);
    return wouldRestore(place, from);
  }
  const unlock = options.isLocked ? () => {} : lockFile(place);
  const folder = dirname(place);
  const part = partIn(folder);
  try {
    assertNobodyElse(place);
    const [before, gap] = [peek(place), gapBetween(place, from)];
    verifyCopy(from);
    removeParts(folder);
    const holding = copyWhole(from, part);
    return { holding, before, gap, aside: putBack(part, place, { at: options.at }) };
  } finally {
    removePart(part);
    unlock();
  }
}

function wouldRestore(place: string, from: string): Restored {
  return { holding: verifyCopy(from), before: peek(place), gap: gapBetween(place, from), aside: null };
}

/**
 * The same for a manuscript that this very process serves, with one of the copies that `copiesOf` lists. `letGo` ends the
 * server's other processes that have the file open. Throws `NotFound` for what is no copy of it, `BadRequest` for another
 * manuscript's, `Unavailable` while an AI call runs, or another program has the file open.
 */
export async function restoreServed(
  manuscript: Manuscript,
  wanted: string,
  { dryRun, folder, letGo }: { dryRun: boolean; folder: string | undefined; letGo: () => Promise<void> },
): Promise<LocalAnswer<"restored">> {
  const { path: file, clock } = manuscript.store;
  const copy = copiesOf(file, folder).copies.find(({ path }) => path === wanted)?.path;
  if (copy === undefined) throw new NotFound("copy");
  assertOwn(manuscript, copy);
  const answer = ({ holding, before, gap, aside }: Restored): LocalAnswer<"restored"> => ({
    ...{ file, copy, written: !dryRun, ...holdingOf(holding), ...gapOf(gap) },
    before: before === undefined ? null : holdingOf(before),
    aside,
  });
  if (dryRun) return answer(wouldRestore(followLinks(file), copy));
  verifyCopy(copy); // before anybody is interrupted
  await letGo();
  if (listOpenHolds(manuscript.store).some(({ pid }) => pid === process.pid))
    throw new Unavailable("An AI call of this manuscript is at work; restore the copy when it is done.");
  const server = readServer(manuscript);
  const options = { at: clock(), dryRun: false, isLocked: true };
  const restored = whileClosed(manuscript, () => restoreCopy(file, copy, options));
  if (server !== undefined) announceServer(manuscript, server.url);
  await letGo(); // what began meanwhile may have opened the file of before
  return answer(restored);
}

/** A key names its file's writer: that of another opens nothing here. */
function assertOwn({ writer }: Manuscript, copy: string): void {
  const store = openToExamine(copy, { clock: Date.now, mint: createMint() });
  try {
    if (readSetting(store, "writer") !== writer)
      throw new BadRequest(`${copy} is a copy of another manuscript, which has other keys.`);
  } finally {
    store.close();
  }
}

/**
 * Goes on with the very file that stands in the manuscript's place, without the log beside it, which was written for another
 * (what somebody gets who has put a copy there by hand), or without its own, which is gone, or the part of that which cannot be read. Throws `BadRequest` if nothing is
 * wrong with the log.
 */
function restoreBare(place: string, options: RestoreOptions): Restored {
  const without = isRefused(assertOwnLog, place)
    ? "another's log"
    : isRefused(assertLogThere, place)
      ? "its log"
      : isRefused(assertLogUnbroken, place)
        ? "the end of its log"
        : undefined;
  if (without === undefined) {
    const before = movedFromOf(place);
    if (before !== undefined) return restoreMoved(place, before, options);
    throw new BadRequest(
      `${place} is the manuscript itself; name a copy of it, "manuscript restore --list" lists them.`,
    );
  }
  const bare = partIn(dirname(place));
  try {
    copyFileSync(place, bare);
    if (without === "the end of its log") copyFileSync(`${place}-wal`, `${bare}-wal`);
    return { ...restoreCopy(place, bare, options), without };
  } finally {
    removePart(bare);
  }
}

/**
 * Takes in the log that was left where the manuscript was moved away from. Both are set aside, unless the file has its old name,
 * too. Throws `Unavailable` while it is served by that.
 */
function restoreMoved(place: string, before: string, options: RestoreOptions): Restored {
  const found = `${before}-wal`;
  const server = servedBy(before);
  if (server !== undefined)
    throw new Unavailable(
      `${place} is still open in the server of ${before} (process ${server}); stop that first, then try again.`,
    );
  const bare = partIn(dirname(place));
  try {
    copyFileSync(place, bare);
    copyFileSync(found, `${bare}-wal`);
    const restored = restoreCopy(place, bare, options);
    if (restored.aside !== null && !existsSync(before)) setLogAside(before, restored.aside);
    return { ...restored, found };
  } finally {
    removePart(bare);
  }
}

function setLogAside(before: string, aside: string): void {
  try {
    for (const ending of ["-wal", NOTE])
      if (existsSync(before + ending)) renameFile(before + ending, aside + ending);
    rmSync(`${before}-shm`, { force: true });
  } catch {
    // It is on another disk, and stays there: what it holds was taken in.
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
  const copy = identityOf(from);
  if (copy === undefined)
    throw new NotFound(`copy at ${from}; "manuscript restore --list" names those that there are`);
  return identityOf(place) === copy;
}
