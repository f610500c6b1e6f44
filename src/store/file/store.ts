import { statSync } from "node:fs";
import type { ActId, Mint } from "../../ids.ts";
import { Busy, Damaged, Unavailable } from "../../refusals.ts";
import { type Connection, type Statement, sqliteCode } from "../driver.ts";
import { VERSIONS } from "../schema/migrate.ts";
import { deriveColumns, forgetAct, isEmptyAct } from "./derive-columns.ts";
import { sealAct } from "./seal-rows.ts";
import type { Act, ActSource, Sql } from "./sql.ts";

/** Who writes, and what: `kind` is the operation's name, `source` the face that requested it. */
export interface ActMeta {
  kind: string;
  source: ActSource;
  keyId?: string | null;
  /** `seq` of the act that this one undoes. */
  undoes?: number;
  /** Run the whole write and roll it back: nothing is written. */
  dryRun?: boolean;
  /** A write that changes nothing leaves no act: `act` is null then, as after a dry run. */
  skipsEmpty?: boolean;
}

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
   * How long a write waits for another program's, in milliseconds. SQLite waits by blocking the whole thread, so a
   * server passes 0 and tries again by itself.
   */
  busyTimeoutMs?: number;
  /** Checkpoint this long after the last write, in milliseconds; 0 never. */
  idleCheckpointMs?: number;
}

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
  readonly #inode: string;
  /** While acts run as one transaction. */
  #isTogether = false;
  #checkpoint: NodeJS.Timeout | undefined;

  constructor(connection: Connection, path: string, options: StoreOptions) {
    this.#connection = connection;
    this.path = path;
    this.clock = options.clock;
    this.mint = options.mint;
    this.#idleCheckpointMs = options.idleCheckpointMs ?? 0;
    this.#inode = inodeOf(path);
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
    return readable(() => this.prepare(sql).get(...values) as Row | undefined);
  }

  all<Row>(sql: string, ...values: unknown[]): Row[] {
    return readable(() => this.prepare(sql).all(...values) as Row[]);
  }

  list<Value>(sql: string, ...values: unknown[]): Value[] {
    return readable(
      () =>
        this.prepare(sql)
          .pluck()
          .all(...values) as Value[],
    );
  }

  run(sql: string, ...values: unknown[]): number {
    return this.prepare(sql).run(...values).changes;
  }

  /** A number that moves when another program has committed to the file. About 2 µs. */
  dataVersion(): number {
    return this.#connection.pragma("data_version", { simple: true }) as number;
  }

  /** Runs several reads of one moment: no write of another program comes between them. */
  snapshot<Result>(read: () => Result): Result {
    const run = () => atOnce(read());
    return this.#connection.inTransaction ? run() : this.#transaction("BEGIN", run, false);
  }

  /** Runs a write to a table outside the journal: keys, account, settings. `dryRun` rolls it back. */
  setAside<Result>(write: () => Result, { dryRun = false }: Pick<ActMeta, "dryRun"> = {}): Result {
    const run = () => atOnce(write());
    if (this.#connection.inTransaction) return run();
    this.#assertInPlace();
    return this.#transaction("BEGIN IMMEDIATE", run, dryRun);
  }

  /**
   * Runs a write as one act: one transaction, one row in `acts`, every changed row in the journal. Throws `Busy` if
   * another program is writing at this moment; if `write` throws, everything is rolled back. The function that `write`
   * returns makes the answer: it is called once counts, revisions and times are final, still inside the transaction.
   */
  act<Result>(meta: ActMeta, write: (act: Act) => () => Result): Acted<Result> {
    this.#assertInPlace();
    const run = () => {
      const act = this.#begin(meta);
      const answer = atOnce(write(act));
      deriveColumns(this, act);
      this.run("UPDATE current_act SET seq = NULL");
      const isEmpty = meta.skipsEmpty === true && isEmptyAct(this, act.seq);
      const result = atOnce(answer());
      if (isEmpty) forgetAct(this, act.seq);
      else sealAct(this, act.seq);
      return { act: meta.dryRun || isEmpty ? null : act.id, result };
    };
    if (this.#isTogether) return run();
    const acted = this.#transaction("BEGIN IMMEDIATE", run, meta.dryRun ?? false);
    this.#scheduleCheckpoint();
    return acted;
  }

  /** Runs several acts as one transaction: all of them are written, or none. `dryRun` rolls them back. */
  together<Result>(write: () => Result, { dryRun = false }: Pick<ActMeta, "dryRun"> = {}): Result {
    this.#assertInPlace();
    this.#isTogether = true;
    try {
      return this.#transaction("BEGIN IMMEDIATE", () => atOnce(write()), dryRun);
    } finally {
      this.#isTogether = false;
      this.#scheduleCheckpoint();
    }
  }

  /** Writes the WAL back into the file, so that the file alone is whole. Skipped while another program reads. */
  checkpoint(): void {
    this.#connection.pragma("wal_checkpoint(TRUNCATE)");
  }

  close(): void {
    clearTimeout(this.#checkpoint);
    if (!this.#connection.open) return;
    if (!this.#connection.readonly) this.checkpoint();
    this.#connection.close();
  }

  #begin(meta: ActMeta): Act {
    this.#assertFormat();
    const id = this.mint("act");
    const at = this.clock();
    const { lastInsertRowid } = this.prepare(
      "INSERT INTO acts(id, at, kind, source, key_id, undoes, schema) VALUES(?, ?, ?, ?, ?, ?, ?)",
    ).run(id, at, meta.kind, meta.source, meta.keyId ?? null, meta.undoes ?? null, VERSIONS.length);
    const seq = Number(lastInsertRowid);
    this.run("UPDATE current_act SET seq = ?", seq);
    return { seq, id, at, source: meta.source, words: new Map(), revised: new Set() };
  }

  #transaction<Result>(begin: string, run: () => Result, rollsBack: boolean): Result {
    try {
      this.prepare(begin).run();
      try {
        const result = run();
        this.prepare(rollsBack ? "ROLLBACK" : "COMMIT").run();
        return result;
      } finally {
        if (this.#connection.inTransaction) this.prepare("ROLLBACK").run();
      }
    } catch (error) {
      throw translate(error);
    }
  }

  // Triggers of another format would journal columns unknown to this program, or leave out some of its own.
  #assertFormat(): void {
    const version = this.prepare("PRAGMA user_version").pluck().get();
    if (version !== VERSIONS.length) {
      throw new Unavailable(
        `${this.path} was brought up to date by a newer version of manuscript. Nothing was written; update this one.`,
      );
    }
  }

  // A file deleted or replaced under an open connection takes every write into nowhere, without an error.
  #assertInPlace(): void {
    if (inodeOf(this.path) !== this.#inode) {
      throw new Unavailable(
        `${this.path} was moved, deleted or replaced while it was open. Nothing was written; open it again.`,
      );
    }
  }

  #scheduleCheckpoint(): void {
    if (this.#idleCheckpointMs === 0) return;
    clearTimeout(this.#checkpoint);
    this.#checkpoint = setTimeout(() => this.checkpoint(), this.#idleCheckpointMs).unref();
  }
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

function inodeOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.dev}:${stat.ino}`;
}

/** Throws `Damaged` for pages that SQLite cannot read, and for JSON of ours that is none any more. */
function readable<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw isDamage(error) ? new Damaged("the file") : error;
  }
}

function isDamage(error: unknown): boolean {
  const code = sqliteCode(error) ?? "";
  return /^SQLITE_(CORRUPT|NOTADB)/.test(code) || (error as Error).message === "malformed JSON";
}

function translate(error: unknown): unknown {
  if (isDamage(error)) return new Damaged("the file");
  const code = sqliteCode(error) ?? "";
  if (code.startsWith("SQLITE_BUSY") || code === "SQLITE_LOCKED") return new Busy();
  if (code === "SQLITE_FULL")
    return new Unavailable("The disk is full. Nothing was written; free some space and try again.");
  if (code.startsWith("SQLITE_READONLY"))
    return new Unavailable("The file or its folder is read-only. Nothing was written.");
  if (code.startsWith("SQLITE_IOERR"))
    return new Unavailable("The disk failed. Nothing was written; check it and try again.");
  return error;
}
