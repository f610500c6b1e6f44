import type { ActId, Mint } from "../../ids.ts";
import { Unavailable } from "../../refusals.ts";
import {
  type ActEntries,
  type ActMeta,
  deriveColumns,
  forgetAct,
  insertAct,
  readJournal,
  valuesOf,
} from "./act.ts";
import { beginOnceFree, type Connection, isBusy, type Statement } from "./driver.ts";
import { explainFailure } from "./explain.ts";
import { WatchedSchema } from "./migrate.ts";
import { Place, Turn } from "./open/place.ts";
import type { Act, Sql } from "./sql.ts";

/** What a write returned, and the act to undo it by; `act` is null after a dry run. */
export interface Acted<Result> {
  act: ActId | null;
  result: Result;
}

/** What `openStore` needs from outside, so that a test decides time and ids. */
export interface StoreOptions {
  /** Milliseconds since 1970. */
  clock: () => number;
  mint: Mint;
  /** Make the file if there is none. */
  create?: boolean;
  /**
   * How long a write waits for another program's, in milliseconds; for as long again it looks more often. SQLite waits by
   * blocking the whole thread, so a server passes 0 and tries again by itself.
   */
  busyTimeoutMs?: number;
  /** How many of the file's pages are kept in memory at most, in MiB. */
  cacheMib?: number;
  /** Checkpoint this long after the last write, in milliseconds; 0 never. */
  idleCheckpointMs?: number;
  /** Is told once of what a writer should know and no answer says, such as a disk that takes no checkpoint. */
  warn?: (message: string) => void;
}

/** What is known of a file that was opened. */
export interface Opened {
  /** False for a file that is only looked at: nobody minds where it lies. */
  isWatched?: boolean;
  /** Why nothing may be written, if so. */
  refusal?: string | undefined;
  /** SQLite's number for the schema that was found to be ours. */
  schema?: number | undefined;
}

/** How long a write waits by default, in milliseconds. */
export const BUSY_TIMEOUT_MS = 5000;

/** How long a checkpoint that failed waits at most before it is tried again, in milliseconds. */
const MOST_PAUSE_MS = 60_000;

/** Connections that must not be closed: SQLite would write their log over another file's pages. */
const abandoned: Connection[] = [];

/**
 * One writer's open file. Reads are plain statements; every write runs inside `act`. Nothing outside `store/` sees a
 * statement or a connection.
 */
export class Store implements Sql {
  readonly path: string;
  readonly clock: () => number;
  readonly mint: Mint;
  readonly #connection: Connection;
  readonly #statements = new Map<string, Statement>();
  readonly #idleCheckpointMs: number;
  readonly #busyTimeoutMs: number;
  readonly #warn: (message: string) => void;
  readonly #place: Place | undefined;
  readonly #schema: WatchedSchema;
  #turn: Turn | undefined;
  /** While acts run as one transaction. */
  #isTogether = false;
  /** The act that runs. */
  #openAct: number | undefined;
  #writes = 0;
  #checkpoint: NodeJS.Timeout | undefined;
  /** How long the next try of a checkpoint waits; 0 while they succeed. */
  #pauseMs = 0;
  /** Why the last checkpoint was not done, if it was not. */
  #hindrance = "";

  constructor(connection: Connection, path: string, options: StoreOptions, opened: Opened = {}) {
    this.#connection = connection;
    this.path = path;
    if (opened.isWatched) this.#place = new Place(path, (sql) => this.prepare(sql));
    this.#schema = new WatchedSchema(this, opened);
    this.#warn = options.warn ?? (() => {});
    this.clock = options.clock;
    this.mint = options.mint;
    this.#idleCheckpointMs = options.idleCheckpointMs ?? 0;
    this.#busyTimeoutMs = options.busyTimeoutMs ?? BUSY_TIMEOUT_MS;
  }

  /** Why nothing is written, if so: the file's disk is read-only, or strangers have put triggers into it. */
  get refusal(): string | undefined {
    return this.#schema.refusal;
  }

  prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  get<Row>(sql: string, ...values: unknown[]): Row | undefined {
    try {
      return this.prepare(sql).get(...values) as Row | undefined;
    } catch (error) {
      throw explainFailure(error, this.path);
    }
  }

  row(sql: string, ...values: unknown[]): unknown[] | undefined {
    try {
      return this.prepare(sql)
        .raw()
        .get(...values) as unknown[] | undefined;
    } catch (error) {
      throw explainFailure(error, this.path);
    }
  }

  all<Row>(sql: string, ...values: unknown[]): Row[] {
    try {
      return this.prepare(sql).all(...values) as Row[];
    } catch (error) {
      throw explainFailure(error, this.path);
    }
  }

  list<Value>(sql: string, ...values: unknown[]): Value[] {
    try {
      return this.prepare(sql)
        .pluck()
        .all(...values) as Value[];
    } catch (error) {
      throw explainFailure(error, this.path);
    }
  }

  run(sql: string, ...values: unknown[]): number {
    return this.prepare(sql).run(...values).changes;
  }

  /** A number that moves when another program has committed to the file. About 2 µs. */
  dataVersion(): number {
    return this.#connection.pragma("data_version", { simple: true }) as number;
  }

  /**
   * Monotonic; changes with every commit to the file. Whatever was read at one value is current while it is unchanged. What others
   * did is told as of this turn of the event loop. Throws as `assertInPlace`.
   */
  state(): number {
    this.#turn ??= new Turn(this.#connection, this.path, {
      look: () => this.assertInPlace(),
      lookAtOthers: () => this.#schema.look(),
    });
    return this.#turn.others() + this.#writes;
  }

  /** Gives the pages of the file that are kept in memory back to the system. */
  shrink(): void {
    this.#connection.pragma("shrink_memory");
  }

  /** `seq` of the act that runs, if one does: what it has written may yet be taken back. */
  get openAct(): number | undefined {
    return this.#openAct;
  }

  /** A number that moves with each write of this store, taken back or not. */
  get writes(): number {
    return this.#writes;
  }

  /** Runs several reads of one moment: no write of another program comes between them. */
  snapshot<Result>(read: () => Result): Result {
    if (this.#connection.inTransaction) return atOnce(read());
    try {
      this.prepare("BEGIN").run();
      return atOnce(read());
    } catch (error) {
      throw explainFailure(error, this.path);
    } finally {
      if (this.#connection.inTransaction) this.prepare("ROLLBACK").run();
    }
  }

  /** Runs a write to a table outside the journal: keys, account, settings. `dryRun` rolls it back. */
  setAside<Result>(write: () => Result, { dryRun = false }: Pick<ActMeta, "dryRun"> = {}): Result {
    const run = () => atOnce(write());
    if (this.#connection.inTransaction) return run();
    this.#assertWritable();
    return this.#transaction(run, dryRun);
  }

  /**
   * Runs a write as one act: one transaction, one row in `acts`, every changed row in the journal. Throws `Busy` if
   * another program is writing at this moment; if `write` throws, everything is rolled back. The function that `write`
   * returns makes the answer: it is called once counts, revisions and times are final, still inside the transaction, with what
   * the act did, unless that is much.
   */
  act<Result>(meta: ActMeta, write: (act: Act) => (entries: ActEntries) => Result): Acted<Result> {
    if (!this.#isTogether) this.#assertWritable();
    const run = () => {
      const act = this.#begin(meta);
      const answer = atOnce(write(act));
      const entries = readJournal(this, act.seq);
      deriveColumns(this, act, entries);
      this.run("UPDATE current_act SET seq = NULL");
      this.#openAct = undefined;
      const isEmpty = meta.skipsEmpty === true && entries?.length === 0;
      const result = atOnce(answer(entries));
      if (isEmpty) forgetAct(this, act.seq);
      return { act: meta.dryRun || isEmpty ? null : act.id, result };
    };
    if (this.#isTogether) return run();
    const acted = this.#transaction(run, meta.dryRun ?? false);
    this.#scheduleCheckpoint();
    return acted;
  }

  /** Runs several acts as one transaction: all of them are written, or none. `dryRun` rolls them back. */
  together<Result>(write: () => Result, { dryRun = false }: Pick<ActMeta, "dryRun"> = {}): Result {
    this.#assertWritable();
    this.#isTogether = true;
    try {
      return this.#transaction(() => atOnce(write()), dryRun);
    } finally {
      this.#isTogether = false;
      this.#scheduleCheckpoint();
    }
  }

  /**
   * Throws `Unavailable` if the file is not where it was opened, was overwritten, or has lost its log: neither reads nor writes would
   * be the writer's. Asked before every answer; about 8 µs.
   */
  assertInPlace(): void {
    const wrong = this.#place?.look();
    if (wrong === undefined) return;
    // A file that lost its log alone still takes the saves that are waiting there.
    if (this.#place?.takesCheckpoint()) this.#tidy();
    throw new Unavailable(wrong);
  }

  /**
   * Writes the log back into the file, so that the file alone is whole, as far as other programs' reads allow, waiting for
   * nobody. Whatever hinders it, the saves are safe in the log: never throws. Returns whether all of it was done.
   */
  checkpoint(): boolean {
    return this.#place?.look() === undefined && this.#tidy();
  }

  close(): void {
    clearTimeout(this.#checkpoint);
    if (!this.#connection.open) return;
    const isInPlace = this.#place?.look() === undefined || this.#place.takesCheckpoint();
    const isMoved = this.#place?.lookAtName() !== undefined;
    if (!isInPlace && !isMoved) {
      abandon(this.#connection);
      return;
    }
    const left = this.#place?.leftBehind();
    if (left !== undefined) this.#warn(left);
    if (this.#place !== undefined && isInPlace) this.#tidy();
    // Of a file that was moved SQLite itself leaves the log as it is. Source: https://github.com/sqlite/sqlite/blob/master/src/pager.c.
    this.#place?.release();
    this.#connection.close();
    this.#place?.close();
  }

  #tidy(): boolean {
    this.#hindrance = "another program reads it";
    try {
      this.#connection.pragma("busy_timeout = 0");
      const [passive] = this.#connection.pragma("wal_checkpoint(PASSIVE)") as {
        log: number;
        checkpointed: number;
      }[];
      if (passive === undefined || passive.checkpointed < passive.log) return false;
      return this.#connection.pragma("wal_checkpoint(TRUNCATE)", { simple: true }) === 0;
    } catch (error) {
      // Another program that reads or writes is no fault of the disk.
      if (!isBusy(error)) this.#hindrance = String(error);
      return false;
    } finally {
      this.#connection.pragma(`busy_timeout = ${this.#busyTimeoutMs}`);
    }
  }

  #begin(meta: ActMeta): Act {
    this.#schema.assertFormat();
    const id = this.mint("act");
    const at = this.clock();
    const seq = insertAct(this, { ...valuesOf(meta), id, at });
    this.run("UPDATE current_act SET seq = ?", seq);
    this.#openAct = seq;
    this.#writes++;
    return { seq, id, at, source: meta.source, words: new Map(), revised: new Set() };
  }

  #transaction<Result>(run: () => Result, rollsBack: boolean): Result {
    try {
      beginOnceFree(this.#connection, this.prepare("BEGIN IMMEDIATE"), this.#busyTimeoutMs);
      try {
        this.#schema.assertWritable();
        const changes = this.#changes();
        const result = run();
        const isWrite = !rollsBack && this.#changes() !== changes;
        const isSettled = !isWrite || this.#place?.settle() !== false;
        const commits = isWrite ? (this.#place?.stamp(this.#schema.judged) ?? 0) : 0;
        const wrong = isWrite ? this.#place?.lookAtName() : undefined;
        if (wrong !== undefined) throw new Unavailable(wrong);
        this.prepare(rollsBack ? "ROLLBACK" : "COMMIT").run();
        if (commits > 0) this.#place?.expect(commits);
        if (!isSettled && this.#tidy()) this.#place?.expectSettled();
        return result;
      } finally {
        if (this.#connection.inTransaction) this.prepare("ROLLBACK").run();
        this.#openAct = undefined;
        this.#writes++;
      }
    } catch (error) {
      throw explainFailure(error, this.path);
    }
  }

  #assertWritable(): void {
    this.assertInPlace();
    if (this.refusal !== undefined) this.#schema.assertWritable(); // what it was, unless that was mended meanwhile
    if (this.#place?.isLinked())
      throw new Unavailable(
        `${this.path} has a second name (a hard link), and writing by both would destroy it. Nothing was written; find it with find -samefile, and remove it or make it a copy.`,
      );
  }

  #changes(): number {
    return this.prepare("SELECT total_changes()").pluck().get() as number;
  }

  #scheduleCheckpoint(): void {
    if (this.#idleCheckpointMs === 0) return;
    clearTimeout(this.#checkpoint);
    this.#checkpoint = setTimeout(
      () => this.#checkpointIdle(),
      Math.max(this.#idleCheckpointMs, this.#pauseMs),
    ).unref();
  }

  #checkpointIdle(): void {
    if (this.checkpoint()) this.#pauseMs = 0;
    else {
      if (this.#pauseMs === 0)
        this.#warn(
          this.#place?.look() ??
            `${this.path}-wal could not be taken into the file yet (${this.#hindrance}). The saves are safe there; it is tried again.`,
        );
      this.#pauseMs = Math.min(MOST_PAUSE_MS, 2 * Math.max(this.#pauseMs, this.#idleCheckpointMs));
      this.#scheduleCheckpoint();
    }
  }
}

/** Lets go of a connection without closing it, until the process has ended. */
function abandon(connection: Connection): void {
  // What still is open at the end is closed by the binding, unless the process ends at once.
  if (abandoned.length === 0) process.once("exit", (code) => process.exit(code));
  abandoned.push(connection);
}

/**
 * Returns what a transaction's function returned. Throws `TypeError` for a promise: the transaction would end before
 * its work.
 */
function atOnce<Result>(result: Result): Result {
  if (
    typeof result === "object" &&
    result !== null &&
    "then" in result &&
    typeof result.then === "function"
  ) {
    throw new TypeError("A transaction's function returned a promise. Await first, then write at once.");
  }
  return result;
}
