import { statSync } from "node:fs";
import { dirname } from "node:path";
import { createMint } from "../../ids.ts";
import { Unavailable } from "../../refusals.ts";
import { lockFile, openStore, openToExamine } from "../../store/file/open.ts";
import { type FileSize, readFileSize } from "../../store/file-size.ts";
import { copyWhole, partIn, removePart, removeParts } from "../../store/make-copy.ts";
import { assertNobodyElse, followLinks, putBack } from "../../store/put-back-copy.ts";

/** What compacting did to a file, or would do. */
export interface Compacted {
  before: FileSize;
  after: FileSize;
  /** Where the file of until now is; null if nothing took its place. */
  aside: string | null;
}

/** How a file is compacted. */
export interface CompactOptions {
  /** Milliseconds since 1970. */
  at: number;
  dryRun: boolean;
}

/** A copy that is not smaller by one part in so many does not take the file's place. */
const WORTH = 100;

/**
 * Gives back what a manuscript's file does not need: a verified copy without free pages takes its place, as that of a restore
 * does. Throws `Unavailable` if another program has the file open, or writes to it meanwhile. A dry run makes the copy too, for
 * its size, and leaves the file.
 */
export function compact(path: string, { at, dryRun }: CompactOptions): Compacted {
  const place = followLinks(path);
  const unlock = dryRun ? () => {} : lockFile(place);
  const part = partIn(dirname(place));
  try {
    if (!dryRun) assertNobodyElse(place);
    removeParts(dirname(place));
    const { before, mark } = copyCompact(place, part);
    const after = sizeOf(part);
    const isWorth = before.bytes - after.bytes >= before.bytes / WORTH;
    if (dryRun || !isWorth) return { before, after: isWorth ? after : before, aside: null };
    const check = (aside: string) => {
      if (writtenMark(aside) !== mark)
        throw new Unavailable(`${place} was written while it was copied. Nothing was changed; try again.`);
    };
    return { before, after, aside: putBack(part, place, { at, check }) };
  } finally {
    removePart(part);
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
