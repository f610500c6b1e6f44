import { statSync } from "node:fs";
import { Unavailable } from "../../refusals.ts";
import { largest } from "../../text/extremes.ts";
import { HEADER_BYTES, readHeader } from "./header.ts";
import { type Frame, listFrames, readLog, readNote, saltsOf, WRITTEN_BY } from "./log.ts";
import { pause } from "./pause.ts";
import { peekSetting } from "./peek-setting.ts";
import { openRaw } from "./raw-file.ts";
import { restoring } from "./restoring.ts";
import { findStamp, isLayoutUpTo, type Stamp } from "./stamp.ts";

const TRIES = 20;
const PAUSE_MS = 5;

/**
 * Refuses a file beside a log that is not its own, before SQLite trusts a page of either: it would write the one over
 * the other. The log belongs to the file if the file's newest commit is the one before the log's first, or one of the log's own
 * (which a checkpoint took there, whole or in part), its pages were not laid out anew, and nobody wrote it meanwhile who is not in
 * the log, as after the file was moved away from it and back. A log without a stamp, as an older
 * version left it, says nothing. Throws `Unavailable`.
 */
export function assertOwnLog(path: string): void {
  for (let time = 0; time < TRIES; time++) {
    const before = marksOf(path);
    if (isOwnLog(path, path)) return;
    // Else another program may have been writing while both were read.
    if (before === marksOf(path)) throw new Unavailable(foreignLog(path));
    pause(PAUSE_MS);
  }
}

/** What is said of a file that is not the one that its log was written for. */
export function foreignLog(path: string): string {
  return `${path} is not the file that its log ${path}-wal was written for, as when a copy was put in its place, or it was written elsewhere meanwhile; both were left as they are. To go on with the file, run: ${restoring(path)} (it sets the log aside).`;
}

/** Whether the log beside `place`, if there is one, goes on from the file at `path`. */
export function isOwnLog(path: string, place: string): boolean {
  const log = readLog(place);
  if (log === undefined) return true;
  const frames = listFrames(log, { isChecked: false });
  return isOwn(path, frames) && !isWrittenWithout(path, { place, log, frames });
}

/** True if the file was written without its log since that was begun: neither the note nor a page of the log has who wrote it last. */
function isWrittenWithout(
  path: string,
  { place, log, frames }: { place: string; log: Buffer; frames: readonly Frame[] },
): boolean {
  const writtenBy = peekSetting(path, WRITTEN_BY);
  const noted = readNote(place);
  if (writtenBy === undefined || noted?.writtenBy === undefined || writtenBy === noted.writtenBy)
    return false;
  return (
    noted.salts === saltsOf(log)?.toString("latin1") &&
    !frames.some(({ content }) => content.includes(writtenBy))
  );
}

function marksOf(path: string): string {
  return [path, `${path}-wal`]
    .map((name) => statSync(name, { throwIfNoEntry: false }))
    .map((stat) => `${stat?.ino} ${stat?.size} ${stat?.mtimeMs}`)
    .join();
}

function isOwn(path: string, frames: readonly Frame[]): boolean {
  const stamped = frames.flatMap(({ page, content }) => {
    const stamp = findStamp(content);
    return stamp === undefined ? [] : [{ page, stamp }];
  });
  const first = stamped[0];
  if (frames.length > 0 && statSync(path).size === 0) return false;
  if (first === undefined) return true;
  const cookies = frames
    .filter(({ page }) => page === 1)
    .map(({ content }) => readHeader(content).schemaCookie);
  const newest = largest([...cookies, ...stamped.map(({ stamp }) => stamp.layout)]);
  return follows(readBase(path, first), { stamps: stamped.map(({ stamp }) => stamp), newest });
}

/** What the file itself says, without its log. */
function readBase(
  path: string,
  { page }: { page: number },
): { commits: number; cookie: number; isSqlite: boolean } {
  const file = openRaw(path);
  try {
    const { isSqlite, schemaCookie, pageSize } = readHeader(file.read(0, HEADER_BYTES));
    const stamp = findStamp(file.read((page - 1) * pageSize, pageSize));
    return { isSqlite, cookie: schemaCookie, commits: stamp?.commits ?? 0 };
  } finally {
    file.close();
  }
}

function follows(
  { commits, cookie, isSqlite }: ReturnType<typeof readBase>,
  { stamps, newest }: { stamps: readonly Stamp[]; newest: number },
): boolean {
  if (!isSqlite || !isLayoutUpTo(cookie, newest)) return false;
  return commits === (stamps[0]?.commits ?? 0) - 1 || stamps.some((stamp) => stamp.commits === commits);
}
