import type { Connection, Statement } from "../driver.ts";
import { explainFailure } from "./explain.ts";

/** What is looked at, each of which throws where nothing may be answered. */
interface Looks {
  /** In each turn. */
  look(): void;
  /** If another program has committed. */
  lookAtOthers(): void;
}

/**
 * What other programs have done to an open file, asked for once in a turn of the event loop, for all requests that had come by
 * then: asking takes about 10 µs, as much as the rest of a small answer.
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
