import { statSync } from "node:fs";
import { dirname } from "node:path";
import { LIMITS } from "../../contract/limits.ts";
import { createMint } from "../../ids.ts";
import { Unavailable } from "../../refusals.ts";
import { lockFile, openStore, openToExamine } from "../../store/file/open.ts";
import { type FileSize, readFileSize } from "../../store/file-size.ts";
import { findFirstSince } from "../../store/journal/acts.ts";
import { foldHistory, listFoldedWrongly } from "../../store/journal/fold.ts";
import { type FoldUnit, listBounds, planFolds } from "../../store/journal/folds.ts";
import { copyWhole, partIn, removePart, removeParts } from "../../store/make-copy.ts";
import { assertNobodyElse, followLinks, putBack } from "../../store/put-back-copy.ts";
import { diagnose } from "../health/doctor.ts";

/** The result of compacting a file; of a dry run, the result that it would have. */
export interface Compacted {
  before: FileSize;
  after: FileSize;
  /** Path of the former file; null if it was not replaced. */
  aside: string | null;
}

/** How a file is compacted. */
export interface CompactOptions {
  /** Milliseconds since 1970. */
  at: number;
  dryRun: boolean;
  /** Which old saves become one; without it none. */
  fold?: { olderThan: number; unit: FoldUnit } | undefined;
}

/** A copy that is not smaller by one part in so many does not take the file's place. */
const WORTH = 100;

/**
 * Gives back what a manuscript's file does not need: a verified copy without free pages, and with old saves folded if that is asked for,
 * takes its place, as that of a restore does. Throws `Unavailable` if another program has the file open, or writes to it meanwhile. A dry
 * run makes the copy too, for its size, and leaves the file.
 */
export function compact(path: string, { at, dryRun, fold }: CompactOptions): Compacted {
  const place = followLinks(path);
  const folder = dirname(place);
  const unlock = dryRun ? () => {} : lockFile(place);
  const [part, work, folded] = [partIn(folder), partIn(folder), partIn(folder)];
  try {
    if (!dryRun) assertNobodyElse(place);
    removeParts(folder);
    const { before, mark } = copyCompact(place, part);
    const isFolded = fold !== undefined && foldCopy(part, work, fold);
    if (isFolded) copyWhole(work, folded);
    const made = isFolded ? folded : part;
    const after = sizeOf(made);
    const isWorth = isFolded || before.bytes - after.bytes >= before.bytes / WORTH;
    if (dryRun || !isWorth) return { before, after: isWorth ? after : before, aside: null };
    const check = (aside: string) => {
      if (writtenMark(aside) !== mark)
        throw new Unavailable(`${place} was written while it was copied. Nothing was changed; try again.`);
    };
    return { before, after, aside: putBack(made, place, { at, check }) };
  } finally {
    for (const each of [part, work, folded]) removePart(each);
    unlock();
  }
}

function copyCompact(place: string, part: string): { before: FileSize; mark: string } {
  // Open for writing: an older format is brought up to date, and who only reads would leave a log behind.
  const store = openStore(place, { clock: Date.now, mint: createMint() });
  try {
    store.checkpoint();
    const mark = writtenMark(place);
    copyWhole(place, part);
    return { before: readFileSize(store), mark };
  } finally {
    store.close();
  }
}

/** Makes a further copy in which old saves are folded, and verifies it; false if there are none to fold. */
function foldCopy(part: string, work: string, fold: NonNullable<CompactOptions["fold"]>): boolean {
  copyWhole(part, work);
  const options = { clock: Date.now, mint: createMint() };
  const [whole, store] = [openToExamine(part, options), openStore(work, options)];
  try {
    const pauseMs = LIMITS.sittingPauseMinutes * 60_000;
    const before = findFirstSince(whole, fold.olderThan) ?? Number.MAX_SAFE_INTEGER;
    const folds = planFolds(whole, { before, unit: fold.unit, pauseMs });
    if (folds.size === 0) return false;
    store.setAside(() => foldHistory(store, folds));
    const [wrong] = listFoldedWrongly({ whole, folded: store }, listBounds(whole));
    if (wrong !== undefined) throw unsound(wrong);
  } finally {
    whole.close();
    store.close();
  }
  const failed = diagnose(work).checks.find(({ name, status }) => status === "fail" && name !== "disk");
  if (failed !== undefined) throw unsound(failed.found);
  return true;
}

/** The refusal of a folded copy that does not hold what the file holds. */
function unsound(what: string): Unavailable {
  return new Unavailable(`The copy with fewer saves is not sound (${what}). Nothing was changed.`);
}

function sizeOf(path: string): FileSize {
  const store = openToExamine(path, { clock: Date.now, mint: createMint() });
  try {
    return store.snapshot(() => readFileSize(store));
  } finally {
    store.close();
  }
}

/** Another one once somebody has written: a save goes to the log, or by way of it to the file. */
function writtenMark(path: string): string {
  const [file, log] = [path, `${path}-wal`].map((name) => statSync(name, { throwIfNoEntry: false }));
  return JSON.stringify([file?.ino, file?.size, file?.mtimeMs, log?.size ?? 0]);
}
