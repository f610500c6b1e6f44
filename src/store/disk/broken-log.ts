import { existsSync } from "node:fs";
import { endianness } from "node:os";
import { Unavailable } from "../../refusals.ts";
import { listFrames, readLog, saltsOf } from "./log.ts";
import { pause } from "./pause.ts";
import { isOpenRaw, openRaw } from "./raw-file.ts";
import { restoring } from "./restoring.ts";

/** How SQLite's index of a log begins: what is known of the log, twice. Source: https://sqlite.org/walformat.html. */
const KNOWN_BYTES = 48;
const IS_MADE = 12;
const FRAMES = 16;
const SALTS = 32;

const TRIES = 10;
const PAUSE_MS = 5;

/** What those who had a file open knew of its log. */
interface KnownLog {
  /** Frames that were committed, and synced before that was told here. */
  frames: number;
  /** Of the log that it is about. */
  salts: Buffer;
}

/**
 * Refuses a file whose log is cut off or damaged before its last commit. SQLite would go on with what stands before the first
 * fault, say nothing, and write over the rest. Told from its index of the log, which stays behind a killed process, and is never
 * ahead of what is on the disk; where that is gone nothing is known. Throws `Unavailable`.
 */
export function assertLogUnbroken(path: string): void {
  // Who has it open has looked already; and closing the index would drop SQLite's locks on it.
  if (isOpenRaw(path) || !existsSync(`${path}-shm`)) return;
  for (let time = 1; ; time++) {
    const known = readKnown(path); // before the log, which only grows until it is begun anew, with other salts
    const log = readLog(path);
    if (known === undefined || log === undefined || saltsOf(log)?.equals(known.salts) !== true) return;
    const read = listFrames(log, { isChecked: true }).length;
    if (read >= known.frames) return;
    if (time === TRIES) throw new Unavailable(brokenLog(path, { read, frames: known.frames }));
    pause(PAUSE_MS); // another program may have begun it anew while it was read
  }
}

/** What is said of a file whose log is broken. */
function brokenLog(path: string, { read, frames }: { read: number; frames: number }): string {
  return `${path}-wal, the log that holds the newest saves, is damaged or cut off: ${read} of its ${frames} pages can be read. It was left as it is, and so was ${path}. Put the log back if you have it; "manuscript restore --list" shows copies. To go on with what can be read, run: ${restoring(path)}`;
}

function readKnown(path: string): KnownLog | undefined {
  const index = openRaw(`${path}-shm`);
  try {
    const both = index.read(0, 2 * KNOWN_BYTES);
    const [known, again] = [both.subarray(0, KNOWN_BYTES), both.subarray(KNOWN_BYTES)];
    if (both.length < 2 * KNOWN_BYTES || !known.equals(again) || known[IS_MADE] === 0) return undefined;
    const frames = endianness() === "BE" ? known.readUInt32BE(FRAMES) : known.readUInt32LE(FRAMES);
    return { frames, salts: known.subarray(SALTS, SALTS + 8) };
  } finally {
    index.close();
  }
}
