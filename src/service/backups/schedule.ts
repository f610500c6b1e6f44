import { listCopies } from "../../store/copies.ts";
import { type Copying, copyBeside } from "../../store/copy-beside.ts";
import type { CopyTarget } from "../../store/make-copy.ts";
import { peek, readMark } from "../../store/verify-copy.ts";
import type { Manuscript } from "../manuscript.ts";
import { copiesOf, isMadeToKeep } from "./listed.ts";

const HOUR_MS = 3_600_000;
/** How long after a copy that failed the next is tried. */
const RETRY_MS = 600_000;
/** The first look comes when the start is over. */
const FIRST_LOOK_MS = 2000;
/** Those after it are cheap, and a laptop that slept misses none. */
const LOOK_MS = 60_000;

/** Where the copies of a served manuscript go, and who hears of it. */
export interface ScheduleOptions {
  folder: string;
  /** A copy could not be made: a sentence, once for the same reason. */
  tell: (line: string) => void;
  /** Makes the copy; else another process does. */
  copy?: (from: string, target: CopyTarget) => Copying;
}

/** What is copied. */
export interface Copied {
  path: string;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** What it holds now, as `readMark` tells it; undefined if it cannot be read. */
  mark: () => string | undefined;
}

/** The copies of one manuscript while it is served: at the start, then hourly, each only if something has changed. */
export class BackupSchedule {
  readonly #copied: Copied;
  readonly #options: ScheduleOptions;
  /** What the newest copy holds, as `readMark` tells it. */
  #mark: string | undefined;
  /** No copy before this time. */
  #notBefore = -Infinity;
  #told: string | undefined;
  #copying: Copying | undefined;
  #isStopped = false;
  #stopTimers = () => {};

  constructor(copied: Copied, options: ScheduleOptions) {
    this.#copied = copied;
    this.#options = options;
  }

  /** Looks by itself from now on, until `stop`. */
  start(): void {
    this.#stopTimers = repeat(() => this.look());
  }

  /** Makes a copy if one is due. Never throws: a server goes on without. */
  async look(): Promise<void> {
    const { path, clock } = this.#copied;
    const now = clock();
    // A clock that was set back would put the next copy off for as long.
    const isEarly = now < this.#notBefore && this.#notBefore - now <= HOUR_MS;
    if (this.#copying !== undefined || isEarly) return;
    try {
      await this.#copyChanged(now);
    } catch (error) {
      this.#notBefore = now + RETRY_MS;
      const why = error instanceof Error ? error.message : String(error);
      if (why !== this.#told && !this.#isStopped) this.#options.tell(`No copy of ${path} was made: ${why}`);
      this.#told = why;
    } finally {
      this.#copying = undefined;
    }
  }

  /** Ends the schedule, and a copy that is being made. */
  stop(): void {
    this.#stopTimers();
    this.#isStopped = true;
    this.#copying?.stop();
  }

  async #copyChanged(now: number): Promise<void> {
    const { path, mark } = this.#copied;
    const { folder, copy = copyBeside } = this.#options;
    this.#mark ??= this.#newestMark();
    const held = mark();
    if (held !== undefined && held === this.#mark) return;
    this.#copying = copy(path, { folder, kind: "scheduled", at: now });
    const { holding } = await this.#copying.made;
    this.#mark = holding.mark;
    this.#notBefore = now + HOUR_MS;
    this.#told = undefined;
  }

  // By the clock of its making, which opens no other: where that went wrong, one copy more is made.
  #newestMark(): string | undefined {
    const newest = listCopies(this.#copied.path, this.#options.folder).find(isMadeToKeep);
    return newest === undefined ? undefined : peek(newest.path)?.mark;
  }
}

/** The copies of a served folder's manuscripts, one after the other, each as `BackupSchedule` makes them. */
export class FolderSchedule {
  readonly #files: () => Iterable<string>;
  readonly #folder: string | undefined;
  readonly #options: Omit<ScheduleOptions, "folder">;
  readonly #schedules = new Map<string, BackupSchedule>();
  #isStopped = false;
  #stopTimers = () => {};

  /** `files` lists those that there are now. Copies go into `folder`, else into one beside each file. */
  constructor(
    files: () => Iterable<string>,
    folder: string | undefined,
    options: Omit<ScheduleOptions, "folder">,
  ) {
    this.#files = files;
    this.#folder = folder;
    this.#options = options;
  }

  /** Looks by itself from now on, until `stop`. */
  start(): void {
    this.#stopTimers = repeat(() => this.look());
  }

  /** Makes the copies that are due. Never throws. */
  async look(clock: () => number = Date.now): Promise<void> {
    for (const path of this.#files()) {
      if (this.#isStopped) return;
      const options = { ...this.#options, folder: copiesOf(path, this.#folder).folder };
      const mark = () => peek(path)?.mark;
      const schedule = this.#schedules.get(path) ?? new BackupSchedule({ path, clock, mark }, options);
      this.#schedules.set(path, schedule);
      await schedule.look();
    }
  }

  /** Ends the schedule, and a copy that is being made. */
  stop(): void {
    this.#stopTimers();
    this.#isStopped = true;
    for (const schedule of this.#schedules.values()) schedule.stop();
  }
}

function repeat(look: () => void): () => void {
  const timers = [setTimeout(look, FIRST_LOOK_MS).unref(), setInterval(look, LOOK_MS).unref()];
  return () => timers.forEach(clearTimeout);
}

/** An open manuscript, as it is copied. */
export function copiedWhileOpen(manuscript: Manuscript): Copied {
  const { path, clock } = manuscript.store;
  return { path, clock, mark: () => readMark(manuscript.store) };
}
