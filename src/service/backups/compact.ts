import { statSync } from "node:fs";
import { dirname } from "node:path";
import { LIMITS } from "../../contract/limits.ts";
import { createMint } from "../../ids.ts";
import { Unavailable, WouldLose } from "../../refusals.ts";
import { commitsIn, lockFile, openStore, openToExamine } from "../../store/file/open.ts";
import { type FileSize, readFileSize } from "../../store/file-size.ts";
import { findFirstSince } from "../../store/journal/acts.ts";
import { foldHistory, listFoldedWrongly } from "../../store/journal/fold.ts";
import { type FoldUnit, listBounds, planFolds } from "../../store/journal/folds.ts";
import { copyWhole, partIn, removePart, removeParts } from "../../store/make-copy.ts";
import { assertNobodyElse, followLinks, putBack } from "../../store/put-back-copy.ts";
import { dropUnnamed, unnamedBytes } from "../../store/rows/pictures.ts";
import { type ProgressStep, share } from "../../text/progress.ts";
import { diagnose } from "../health/doctor.ts";

/** The result of compacting a file; of a dry run, the result that it would have. */
export interface Compacted {
  before: FileSize;
  after: FileSize;
  /** Bytes of the pictures that are dropped, for neither a book nor the history names them. */
  pictureBytes: number;
  /** Path of the former file; null if it was not replaced. */
  aside: string | null;
}

/** Which old saves become one. */
export interface Fold {
  /** Milliseconds since 1970. */
  olderThan: number;
  unit: FoldUnit;
}

/** How a file is compacted. */
export interface CompactOptions {
  /** Milliseconds since 1970. */
  at: number;
  dryRun: boolean;
  /** Without it no saves become one. */
  fold?: Fold | undefined;
  step?: ProgressStep;
}

/** What a copy is made of, and where: the names of the files that it takes. */
export interface CompactJob {
  place: string;
  parts: CompactParts;
  fold: Fold | undefined;
}

/** Files that are there for a while, in the manuscript's folder. */
export interface CompactParts {
  whole: string;
  work: string;
  folded: string;
}

/** A copy that is ready to take a file's place. */
export interface CompactCopy {
  before: FileSize;
  after: FileSize;
  pictureBytes: number;
  /** Its path; null if it is not worth it. */
  made: string | null;
  /** What the file was when it was copied: another one once somebody has written to it. */
  mark: string;
}

/** A copy that is not smaller by one part in so many does not take the file's place. */
const WORTH = 100;

/**
 * Gives back what a manuscript's file does not need: a verified copy without free pages, and with old saves folded if that is asked for,
 * takes its place, as that of a restore does. Throws `Unavailable` if another program has the file open, or writes to it meanwhile. A dry
 * run makes the copy too, for its size, and leaves the file.
 */
export function compact(path: string, { at, dryRun, fold, step }: CompactOptions): Compacted {
  const place = followLinks(path);
  const unlock = dryRun ? () => {} : lockFile(place);
  const parts = partsBeside(place);
  try {
    if (!dryRun) assertNobodyElse(place);
    const copy = copyCompact({ place, parts, fold }, share(step, 0, 90));
    const aside = dryRun ? null : takePlace(copy, place, at);
    return { before: copy.before, after: copy.after, pictureBytes: copy.pictureBytes, aside };
  } finally {
    removeCompactParts(parts);
    unlock();
  }
}

const LEAST_DAYS = 30;
const DAY_MS = 86_400_000;

/** Throws `WouldLose` for saves that an undo is still needed for; `remedy` says what to ask for instead. */
export function assertOld(olderThan: number, at: number, remedy: string): void {
  if (olderThan <= at - LEAST_DAYS * DAY_MS) return;
  throw new WouldLose(
    `What is folded can no longer be undone save by save, and the saves of the last ${LEAST_DAYS} days are those that an undo is needed for. ${remedy}`,
  );
}

/** Names for the files of a compaction. What killed processes left of theirs is removed. */
export function partsBeside(place: string): CompactParts {
  const folder = dirname(place);
  removeParts(folder);
  return { whole: partIn(folder), work: partIn(folder), folded: partIn(folder) };
}

/** Removes the files of a compaction. */
export function removeCompactParts(parts: CompactParts): void {
  for (const part of Object.values(parts)) removePart(part);
}

/** Makes a verified copy that can take a file's place, while others read and write the file. */
export function copyCompact({ place, parts, fold }: CompactJob, step?: ProgressStep): CompactCopy {
  const {
    before,
    mark,
    pictureBytes: unnamed,
  } = copyFile(place, parts.whole, share(step, 0, fold === undefined ? 100 : 20));
  const changes = fold !== undefined || unnamed > 0;
  const pictureBytes = changes ? changeCopy(parts, fold, share(step, 20, 90)) : undefined;
  const isFolded = pictureBytes !== undefined;
  if (isFolded) copyWhole(parts.work, parts.folded, { step: share(step, 90, 100) });
  const made = isFolded ? parts.folded : parts.whole;
  const after = sizeOf(made);
  const isWorth = isFolded || before.bytes - after.bytes >= before.bytes / WORTH;
  const done = isWorth ? { after, made } : { after: before, made: null };
  return { before, ...done, pictureBytes: pictureBytes ?? 0, mark };
}

/**
 * Puts a copy in the place of its file; null if it is not worth it. Nothing of this process may have the file open. Throws
 * `Unavailable` if another program has it open, or anybody has written to it since it was copied.
 */
export function takePlace({ made, mark }: CompactCopy, place: string, at: number): string | null {
  if (made === null) return null;
  assertNobodyElse(place);
  const { ino } = statSync(place);
  const check = (commits?: number) => {
    if (markOf(ino, commits) !== mark)
      throw new Unavailable(
        `${place} was written while it was copied. Nothing was changed; try again while nobody writes.`,
      );
  };
  return putBack(made, place, { at, check });
}

function copyFile(place: string, to: string, step: ProgressStep): Omit<CompactCopy, "after" | "made"> {
  // Open for writing: an older format is brought up to date, and who only reads would leave a log behind.
  const store = openStore(place, { clock: Date.now, mint: createMint() });
  try {
    store.checkpoint();
    const { ino } = statSync(place);
    copyWhole(place, to, { step });
    return {
      before: readFileSize(store),
      pictureBytes: unnamedBytes(store),
      mark: markOf(ino, commitsIn(to)),
    };
  } finally {
    store.close();
  }
}

/** Identifies a file and its state; the copy that was made of it has the same number of commits. */
function markOf(inode: number, commits: number | undefined): string {
  return `${inode} ${commits}`;
}

/**
 * Makes a further copy, in which old saves are folded and pictures that nothing names are dropped, and verifies it. Returns the bytes of
 * those pictures; undefined if there is neither.
 */
function changeCopy(
  { whole: copy, work }: CompactParts,
  fold: Fold | undefined,
  step: ProgressStep,
): number | undefined {
  copyWhole(copy, work, { step: share(step, 0, 10) });
  const options = { clock: Date.now, mint: createMint() };
  const [whole, store] = [openToExamine(copy, options), openStore(work, options)];
  let dropped: number;
  try {
    const pauseMs = LIMITS.sittingPauseMinutes * 60_000;
    const folds =
      fold &&
      planFolds(whole, {
        before: findFirstSince(whole, fold.olderThan) ?? Number.MAX_SAFE_INTEGER,
        unit: fold.unit,
        pauseMs,
      });
    const pictureBytes = store.setAside(() => {
      if (folds !== undefined && folds.size > 0) foldHistory(store, folds, share(step, 20, 45));
      return dropUnnamed(store);
    });
    if (pictureBytes === 0 && (folds?.size ?? 0) === 0) return undefined;
    const [wrong] = listFoldedWrongly({ whole, folded: store }, listBounds(whole), share(step, 45, 70));
    if (wrong !== undefined) throw unsound(wrong);
    dropped = pictureBytes;
  } finally {
    whole.close();
    store.close();
  }
  const failed = diagnose(work, Date.now, share(step, 70, 100)).checks.find(
    ({ name, status }) => status === "fail" && name !== "disk",
  );
  if (failed !== undefined) throw unsound(failed.found);
  return dropped;
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
