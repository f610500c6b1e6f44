import { statSync } from "node:fs";
import { setImmediate as breathe } from "node:timers/promises";
import { peek } from "../../store/verify-copy.ts";
import { copiesOf, isMadeToKeep } from "./listed.ts";
import { BackupSchedule, FIRST_LOOK_MS, LOOK_MS, type ScheduleOptions } from "./schedule.ts";

/** Whose copies they are, and where they go. */
export interface FolderScheduleOptions extends Omit<ScheduleOptions, "folder"> {
  /** The files that there are now. */
  files: () => Iterable<string>;
  /** One folder for all copies; else each file has its own beside it. */
  folder?: string | undefined;
  /** Milliseconds since 1970. */
  clock?: () => number;
}

/** Files that are looked at before anybody else has a turn. */
const SLICE_FILES = 100;

/**
 * The copies of a served folder's manuscripts, each as `BackupSchedule` makes them, one after the other. A file that nobody
 * wrote to since its last copy is not opened: its times tell.
 */
export class FolderSchedule {
  readonly #options: FolderScheduleOptions;
  readonly #schedules = new Map<string, BackupSchedule>();
  /** When each was written last, as far as its newest copy holds it. */
  readonly #held = new Map<string, number>();
  #timers: NodeJS.Timeout[] = [];
  #isLooking = false;
  #isStopped = false;

  constructor(options: FolderScheduleOptions) {
    this.#options = options;
  }

  /** Looks by itself from now on, until `stop`. */
  start(): void {
    this.#timers = [
      setTimeout(() => this.look(), FIRST_LOOK_MS).unref(),
      setInterval(() => this.look(), LOOK_MS).unref(),
    ];
  }

  /** Makes the copies that are due. Never throws. */
  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    let count = 0;
    for (const path of this.#options.files()) {
      if (this.#isStopped) break;
      await this.#lookAt(path);
      if (++count % SLICE_FILES === 0) await breathe();
    }
    this.#isLooking = false;
  }

  /** Ends the schedule, and a copy that is being made. */
  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const schedule of this.#schedules.values()) schedule.stop();
  }

  async #lookAt(path: string): Promise<void> {
    const written = writtenAt(path);
    if (written === undefined || this.#held.get(path) === written) return;
    const { tell, copy, clock = Date.now } = this.#options;
    const { folder, copies } = copiesOf(path, this.#options.folder);
    // One whose time is yet to come was made by a clock that was wrong, and proves nothing.
    const isHeld = copies.some((one) => isMadeToKeep(one) && one.at > written && one.at <= clock());
    if (!this.#schedules.has(path) && isHeld) {
      this.#held.set(path, written);
      return;
    }
    const mark = () => peek(path)?.mark;
    const options = { folder, tell, ...(copy === undefined ? {} : { copy }) };
    const schedule = this.#schedules.get(path) ?? new BackupSchedule({ path, clock, mark }, options);
    this.#schedules.set(path, schedule);
    if (await schedule.look()) this.#held.set(path, written);
  }
}

/** When a file was written last, its log too, in milliseconds since 1970; undefined if it is gone. */
function writtenAt(path: string): number | undefined {
  const [file, log] = [path, `${path}-wal`].map((name) => statSync(name, { throwIfNoEntry: false }));
  return file && Math.max(file.mtimeMs, log?.mtimeMs ?? 0);
}
