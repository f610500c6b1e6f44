import type { Connection } from "../driver.ts";
import { explainFailure } from "./explain.ts";

/** How many pages of it are kept in memory at most, in KiB; the rest is in an unnamed temporary file. */
const CACHE_KIB = 8192;

/**
 * A database beside the writer's file, under the name `scratch`, for rows that wait to be written there: filling it keeps nobody
 * waiting, and taking them from there is one statement. Nothing of it is left when it is closed, or the process is killed.
 */
export class Scratch {
  readonly #connection: Connection;
  readonly #path: string;
  #isOpen = false;

  constructor(connection: Connection, path: string) {
    this.#connection = connection;
    this.#path = path;
  }

  /** Whether it can be opened now: never within a transaction, nor within another one. */
  get isOpenable(): boolean {
    return !this.#isOpen && !this.#connection.inTransaction;
  }

  /**
   * Opens an empty one for as long as this runs, with these tables, where `isOpenable`. Throws `Unavailable` if its disk
   * is full.
   */
  open<Result>(tables: readonly string[], run: () => Result): Result {
    // In memory it would be as large as the book.
    this.#connection.exec("PRAGMA temp_store = FILE; ATTACH '' AS scratch; PRAGMA temp_store = MEMORY");
    this.#isOpen = true;
    try {
      this.#connection.exec([`PRAGMA scratch.cache_size = -${CACHE_KIB}`, ...tables].join(";"));
      return run();
    } catch (error) {
      throw explainFailure(error, this.#path);
    } finally {
      this.#isOpen = false;
      this.#connection.exec("DETACH scratch");
    }
  }

  /** Runs many writes to it at once, and none to the writer's file. */
  fill<Result>(write: () => Result): Result {
    if (this.#connection.inTransaction) return write();
    this.#connection.exec("BEGIN");
    try {
      const result = write();
      this.#connection.exec("COMMIT");
      return result;
    } finally {
      if (this.#connection.inTransaction) this.#connection.exec("ROLLBACK");
    }
  }
}
