import { randomInt } from "node:crypto";
import { type Stats, statSync } from "node:fs";
import { pause } from "../../../disk.ts";
import { rescuing } from "../../../refusals.ts";
import {
  findStamp,
  HEADER_BYTES,
  type Header,
  isLayoutUpTo,
  openRaw,
  type RawFile,
  readHeader,
  readStamp,
  type Stamp,
  schemaCookie,
  writeStamp,
} from "../disk/raw-file.ts";
import { type Connection, type Statement, sqliteCode } from "../driver.ts";
import { explainFailure } from "../explain.ts";
import {
  FRAME_HEADER_BYTES,
  isLog,
  isOfLog,
  LOG_HEADER_BYTES,
  LogNote,
  listFrames,
  readLog,
} from "../log.ts";
import { VERSIONS } from "../migrate.ts";
import { isOwnLog, isWrittenAt, setWrittenAt } from "../own-log.ts";

type Prepare = (sql: string) => Statement;

/** For so long what our own commits did to the log is taken for theirs, in seconds. */
const TRUST_S = 1;
const TRIES = 4;
const PAUSE_MS = 3;

/**
 * Where an open file lies, watched: whether its name still leads to it, whether its pages are those that a checkpoint
 * left, and whether its log is still there. SQLite asks for none of this; it would answer writes into nowhere.
 */
export class Place {
  readonly #path: string;
  readonly #prepare: Prepare;
  readonly #raw: RawFile;
  readonly #file: Stats;
  readonly #logInode: number | undefined;
  readonly #note: LogNote;
  /** The file as it was found last. */
  #stat: Stats;
  /** Size and times of file and log when they were last looked into, and found whole, or were left so by our own commit. */
  #seen = { file: "", log: "" };
  /** When they were looked into, and whether our own commits have changed the log since. */
  #lookedAt = -Infinity;
  #isTrusted = false;
  /** What the file itself, without its log, held then. */
  #base = { commits: 0, cookie: 0, opening: 0 };
  /** The newest commit that was ever made or read here: the file may never be behind it again. */
  #newest = 0;
  #isSettled: boolean | undefined;
  /** Said for ever, once the bytes are another file's: SQLite may hold pages of both. */
  #lost: string | undefined;

  /** Names this opening; no smaller number is stored with its bytes. */
  readonly #opening = randomInt(2, 2 ** 47);
  readonly #pause: typeof pause;

  /** Of a connection that has read the file already, so that it has its log. */
  constructor(path: string, prepare: Prepare, pauses = pause) {
    this.#path = path;
    this.#prepare = prepare;
    this.#pause = pauses;
    this.#raw = openRaw(path);
    this.#note = new LogNote(path, prepare);
    this.#file = statSync(path);
    this.#stat = this.#file;
    this.#logInode = statSync(`${path}-wal`, { throwIfNoEntry: false })?.ino;
  }

  /** What is wrong, and what to do, in words; undefined if all is as it was. About 8 µs. */
  look(): string | undefined {
    if (this.#lost !== undefined) return this.#lost;
    const file = this.#stand();
    if (file === undefined) return this.#goneFromHere();
    const log = statSync(`${this.#path}-wal`, { throwIfNoEntry: false });
    if (log?.ino !== this.#logInode)
      return `${this.#path}-wal, which holds the newest saves, was removed or replaced while the file was open. ${PUT_BACK}`;
    this.#stat = file;
    const seen = { file: markOfFile(file), log: markOfLog(log) };
    const isSeen = seen.file === this.#seen.file && seen.log === this.#seen.log;
    return isSeen && !(this.#isTrusted && this.#isLongAgo()) ? undefined : this.#lookInto(seen);
  }

  /** The same of the file's name alone, as it is at once before a commit: a long act may have begun elsewhere. */
  lookAtName(): string | undefined {
    return this.#stand() === undefined ? this.#goneFromHere() : undefined;
  }

  /** The file, if its name still leads to it. */
  #stand(): Stats | undefined {
    const file = statSync(this.#path, { throwIfNoEntry: false });
    return file?.ino === this.#file.ino && file.dev === this.#file.dev ? file : undefined;
  }

  #goneFromHere(): string {
    return `${this.#path} was moved, deleted or replaced while it was open. ${PUT_BACK}`;
  }

  /**
   * Takes note of a commit of ours, once the place was looked at: how many there were by then, and that the log has
   * changed by it. Looking into both after every save would cost as much as a small one.
   */
  expect(commits: number): void {
    this.#atLeast(commits);
    this.#note.write(commits);
    if (commits === 0 || this.#isLongAgo()) return;
    const log = statSync(`${this.#path}-wal`, { throwIfNoEntry: false });
    if (log?.ino !== this.#logInode) return;
    this.#seen.log = markOfLog(log);
    this.#isTrusted = true;
  }

  #atLeast(commits: number): void {
    this.#newest = Math.max(this.#newest, commits);
  }

  #isLongAgo(): boolean {
    return Math.abs(process.uptime() - this.#lookedAt) > TRUST_S;
  }

  /** Whether the file had a second name when it was looked at last: each name would get a log of its own. */
  isLinked(): boolean {
    return this.#stat.nlink > 1;
  }

  /** The file itself as it was looked at last: another file, or one that was written since, has another mark. */
  mark(): string {
    return fileMark(this.#stat);
  }

  /**
   * Whether a checkpoint still takes the log's saves where they belong, although something is wrong with the place. Never
   * into a file that was moved: another program may have it open by its new name, with a log of its own.
   */
  takesCheckpoint(): boolean {
    if (this.#lost !== undefined || this.#stand() === undefined) return false;
    const log = statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.ino;
    return (log === undefined || log === this.#logInode) && this.#isFileOwn();
  }

  /**
   * Has the transaction that runs put into the file that it is written here, unless a commit has done so already. Returns whether the
   * file itself says so. If not, its log has to be taken in before the commit is told of, so that the file is known by that wherever it is moved.
   */
  settle(): boolean {
    this.#isSettled ??= isWrittenAt(this.#path, this.#prepare);
    if (!this.#isSettled) setWrittenAt(this.#path, this.#prepare);
    return this.#isSettled;
  }

  /** Counts the transaction that runs as a commit of this opening, as its last statement; returns how many there were. */
  stamp(cookie: number | undefined): number {
    return writeStamp(this.#prepare, { opening: this.#opening, cookie });
  }

  /** Takes note that the log was taken in since. */
  expectSettled(): void {
    this.#isSettled = true;
  }

  /** Of a file that is no longer here: that its log with the newest saves still is, and what to do; undefined if nothing is left. */
  leftBehind(): string | undefined {
    if (this.#stand() !== undefined || readLog(this.#path) === undefined) return undefined;
    return `${this.#path} was moved, deleted or replaced while it was open. Its newest saves are in ${this.#path}-wal, which was left there. Move the file back beside it, or run "manuscript restore" with the file's new name: it takes them in.`;
  }

  /** Lets go of the log, before SQLite does: the last to close takes it away. */
  release(): void {
    this.#note.release();
  }

  /** Lets go of the file; only after SQLite has. */
  close(): void {
    this.#raw.close();
    this.#note.drop();
  }

  // Another program may be writing while it is read: what seems wrong is looked at again.
  #lookInto(seen: Marks): string | undefined {
    try {
      for (let time = 0; !this.#isLogOwn() || this.#isCut() || !this.#isFileOwn(); time++) {
        if (time === TRIES) {
          this.#lost = this.#explainLoss();
          return this.#lost;
        }
        this.#pause(PAUSE_MS);
      }
      if (this.#prepare("PRAGMA user_version").pluck().get() !== VERSIONS.length)
        return `${this.#path} was brought up to date by a newer version of manuscript. Nothing was written; update this one.`;
      this.#seen = seen;
      this.#lookedAt = process.uptime(); // `performance` is ten modules of Node, which nothing else of a short command needs
      this.#isTrusted = false;
    } catch (error) {
      // That it is busy, or its disk failing, is for the statement that comes to say.
      if (sqliteCode(error) === undefined) throw error;
      this.#lookedAt = -Infinity;
    }
    return undefined;
  }

  #explainLoss(): string {
    if (!this.#isLogOwn())
      return `${this.#path}-wal, which holds the newest saves, was overwritten while it was open. ${START_AGAIN}`;
    if (this.#isCut()) return cutShort(this.#path, this.#raw.stat().size, this.#readHeader());
    return `${this.#path} was overwritten while it was open. ${START_AGAIN}`;
  }

  #readHeader(): Header {
    return readHeader(this.#raw.read(0, HEADER_BYTES));
  }

  /**
   * Whether pages are missing at the end of the file that its log does not have for it. A checkpoint that was stopped leaves a
   * file too short as well, but all that is missing is in the log then. Source: https://sqlite.org/walformat.html.
   */
  #isCut(): boolean {
    const { isOurs, pageCount, pageSize } = this.#readHeader();
    const whole = Math.floor(this.#raw.stat().size / pageSize);
    if (!isOurs || whole >= pageCount) return false;
    const checkpointed = this.#orNothing(() => this.#countLog())?.checkpointed ?? 0;
    const frames = listFrames(readLog(this.#path) ?? Buffer.alloc(0), { isChecked: false });
    const waiting = new Set(frames.slice(Math.max(0, checkpointed)).map(({ page }) => page));
    const last = Math.min(pageCount, frames.at(-1)?.pagesAfter ?? pageCount);
    for (let page = whole + 1; page <= last; page++) if (!waiting.has(page)) return true;
    return false;
  }

  /** Whether the file holds a state between that of the last look and that which SQLite reads. */
  #isFileOwn(): boolean {
    const now = this.#orNothing(() => this.#readNow());
    const header = this.#readHeader();
    if (now === undefined || !(header.isOurs || header.isBlank)) return false;
    const cookie = header.schemaCookie;
    if (cookie < now.least.cookie || !isLayoutUpTo(cookie, now.cookie)) return false;
    if (now.commits < this.#newest) return false;
    const stamp = now.page === undefined ? undefined : this.#readStamp(now.page, header.pageSize);
    let { commits } = this.#base;
    // The stamp's page is known once a change of the schema has come from the log into the file.
    if (now.page !== undefined && cookie === now.cookie) {
      commits = stamp?.commits ?? 0;
      if (commits < now.least.commits || commits > now.commits) return false;
    }
    const opening = stamp?.opening ?? this.#base.opening;
    if (now.hasLog && !this.#isOpeningOwn(opening)) return false;
    this.#base = { commits, cookie, opening };
    this.#atLeast(now.commits);
    return true;
  }

  /** The stamp on this page of the file itself. */
  #readStamp(page: number, pageSize: number): Stamp | undefined {
    return findStamp(this.#raw.read((page - 1) * pageSize, pageSize));
  }

  /** True if who wrote the file last is who did at the last look, as a rule, or is in the log, which takes longer to say. */
  #isOpeningOwn(opening: number): boolean {
    return opening === this.#base.opening || isOwnLog(this.#path, this.#path);
  }

  /** What SQLite reads, from its own memory too, and the least that the file must hold: all of it, once the log was taken in. */
  #readNow() {
    const stamp = readStamp(this.#prepare);
    const read = { commits: stamp?.commits ?? 0, cookie: schemaCookie(this.#prepare) };
    const { log, checkpointed } = this.#countLog(); // last: what is taken in by then is no older than what was read
    return { ...read, page: stamp?.page, hasLog: log > 0, least: checkpointed >= log ? read : this.#base };
  }

  /** Whether the log holds every frame that SQLite counts on. */
  #isLogOwn(): boolean {
    const counted = this.#orNothing(() => this.#countLog());
    if (counted === undefined) return false;
    if (counted.log <= 0) return true;
    const log = openRaw(`${this.#path}-wal`);
    try {
      const header = log.read(0, LOG_HEADER_BYTES);
      if (!isLog(header)) return false;
      const frameBytes = FRAME_HEADER_BYTES + header.readUInt32BE(8);
      const last = log.read(LOG_HEADER_BYTES + (counted.log - 1) * frameBytes, frameBytes);
      return last.length === frameBytes && isOfLog(header, last);
    } finally {
      log.close();
    }
  }

  /** Frames of the log, and how many of them are in the file; both alike where there is no log. */
  #countLog(): { log: number; checkpointed: number } {
    return this.#prepare("PRAGMA wal_checkpoint(NOOP)").get() as { log: number; checkpointed: number };
  }

  /** What SQLite answers; undefined if the pages are not its own. */
  #orNothing<Answer>(read: () => Answer): Answer | undefined {
    try {
      return read();
    } catch (error) {
      if (/^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(sqliteCode(error) ?? "")) return undefined;
      throw error;
    }
  }
}

const PUT_BACK = "Nothing was written. Put it back, or stop and open it again.";
const START_AGAIN =
  "Nothing was written, and nothing will be: stop, put the file in its place that you mean, and open it again.";

/** Message for a file that has lost its end. */
function cutShort(path: string, bytes: number, { pageCount, pageSize }: Header): string {
  return `${path} was cut short: it has ${bytes} of its ${pageCount * pageSize} bytes. Nothing was written, and nothing will be: stop, keep the file and ${path}-wal as they are, and put a copy in its place: "manuscript restore --list" shows which there are. To get out all that is left, run: ${rescuing(path)}.`;
}

/** Size and times of the file and of its log. */
interface Marks {
  file: string;
  log: string;
}

const markOfFile = ({ size, ctimeMs }: Stats): string => `${size} ${ctimeMs}`;
const markOfLog = (log: Stats | undefined): string => `${log?.size} ${log?.mtimeMs}`;

/** A file that was neither replaced nor written: its device, inode, size and time. */
export function fileMark({ dev, ino, size, mtimeMs }: Stats): string {
  return `${dev}:${ino}:${size}:${mtimeMs}`;
}

/** Checks of an open file. Each throws `Unavailable` if nothing may be answered. */
interface Looks {
  /** In each turn. */
  look(): void;
  /** If another program has committed. */
  lookAtOthers(): void;
}

/**
 * Notices commits of other programs to an open file. Checks once in a turn of the event loop, for all requests that have
 * arrived: a check takes about 10 µs, as much as the rest of a small answer.
 */
export class Turn {
  readonly #path: string;
  readonly #looks: Looks;
  readonly #version: Statement;
  #isLookedAt = false;
  /** SQLite's number for what other connections have committed, and how often it was another one. */
  #last: unknown;
  #count = 0;

  constructor(connection: Connection, path: string, looks: Looks) {
    this.#path = path;
    this.#looks = looks;
    this.#version = connection.prepare("PRAGMA data_version").pluck();
  }

  /** A number that has grown if another program has committed to the file. Throws `Unavailable` if the file is not in its place, or not ours any more. */
  others(): number {
    if (this.#isLookedAt) return this.#count;
    this.#looks.look();
    const version = this.#ask();
    if (version !== this.#last) this.#count++;
    this.#last = version;
    this.#isLookedAt = true;
    setImmediate(() => {
      this.#isLookedAt = false;
    });
    return this.#count;
  }

  #ask(): unknown {
    try {
      const version = this.#version.get();
      if (version !== this.#last) this.#looks.lookAtOthers();
      return version;
    } catch (error) {
      throw explainFailure(error, this.#path);
    }
  }
}
