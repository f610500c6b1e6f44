import { Unavailable } from "../../../refusals.ts";
import { schemaCookie } from "../disk/stamp.ts";
import type { Statement } from "../driver.ts";
import { assertOurTables, schemaFaults, VERSIONS, whyReadOnly } from "../migrate.ts";

interface WatchedFile {
  path: string;
  prepare(sql: string): Statement;
}

/** The schema of an open file, which another program may change: it is judged as opening judges it. */
export class WatchedSchema {
  readonly #file: WatchedFile;
  #judged: number | undefined;
  #refusal: string | undefined;

  /** Of a file that was judged at opening: when that number was read, and why nothing is written to it, if so. */
  constructor(
    file: WatchedFile,
    { schema, refusal }: { schema?: number | undefined; refusal?: string | undefined },
  ) {
    this.#file = file;
    this.#judged = schema;
    this.#refusal = refusal;
  }

  /** SQLite's number for the schema that was judged last; undefined where nothing is ever written. */
  get judged(): number | undefined {
    return this.#judged;
  }

  /** Why nothing is written to the file, if so, as it was looked at last. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  /** Judges the schema anew if it has changed, 2 µs if not. Throws `Unavailable` if a table of ours is missing or another. */
  look(): void {
    if (this.#judged === undefined) return;
    const now = schemaCookie((sql) => this.#file.prepare(sql));
    if (now === this.#judged) return;
    this.assertFormat();
    const faults = schemaFaults(this.#file);
    assertOurTables(faults);
    this.#refusal = whyReadOnly(faults);
    this.#judged = now;
  }

  /** Throws `Unavailable` if nothing may be written to the file. */
  assertWritable(): void {
    this.look();
    if (this.#refusal !== undefined) throw new Unavailable(this.#refusal);
  }

  /** Throws `Unavailable` for another format: its triggers would journal columns unknown to this program, or leave out some of its own. */
  assertFormat(): void {
    const version = this.#file.prepare("PRAGMA user_version").pluck().get();
    if (version === VERSIONS.length) return;
    throw new Unavailable(
      `${this.#file.path} was brought up to date by a newer version of manuscript. Nothing was written; update this one.`,
    );
  }
}
