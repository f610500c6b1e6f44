import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { embeddedReader } from "../ai/embedded-reader.ts";
import type { Reader } from "../ai/reader.ts";
import type { AnswerOf, BodyOf, EndpointId } from "../contract/index.ts";
import { type ActId, type ChapterId, createMint, type RandomBytes, systemRandom } from "../ids.ts";
import { Busy, NotFound, SubscriptionRequired, WouldLose } from "../refusals.ts";
import { wayBack } from "../store/copies.ts";
import type { ActMeta } from "../store/file/act.ts";
import { openStore } from "../store/file/open.ts";
import type { Act } from "../store/file/sql.ts";
import type { Store, StoreOptions } from "../store/file/store.ts";
import { isBookChangedSince, lastChange } from "../store/journal/acts.ts";
import { type AccountPlan, readPlan, readSetting, saveSetting } from "../store/rows/account.ts";
import type { ChapterVersion } from "../store/rows/chapters.ts";
import { assertNotCrowded } from "../store/rows/crowding.ts";
import { findReplay, type Kept, keepReplay, type Once } from "../store/rows/replays.ts";
import { type Subject, tagAfter } from "./entity-tags.ts";

export type { Act } from "../store/file/sql.ts";
export type { Kept } from "../store/rows/replays.ts";

/** What comes from outside the program, so that a test decides it. */
export interface Surroundings extends Partial<Omit<StoreOptions, "mint">> {
  random?: RandomBytes;
  /** The writer of a new file, else a random one. */
  writer?: string | undefined;
  /** The engine of the AI tier, else the embedded one; with null its calls answer 503. */
  reader?: Reader | null;
  /** How a language model is reached, if the account names one. */
  network?: Partial<Network>;
}

/** The way to a language model's server. */
export interface Network {
  /** The server's key; kept in memory only. */
  key: string | undefined;
  fetch: typeof fetch;
}

/** A writer's open manuscript. Every operation takes one; nobody else sees what is inside. */
export interface Manuscript {
  readonly store: Store;
  /** Names the file in its keys; letters and digits. */
  readonly writer: string;
  readonly random: RandomBytes;
  readonly reader: Reader | null;
  readonly network: Network;
  close(): void;
}

/** A chapter at a version: `revision` counts changes of the prose, `version` those of everything else. */
export interface SeenChapter extends Pick<ChapterVersion, "revision" | "version"> {
  chapterId: ChapterId;
}

/** Who requests a write, and how. */
export interface Caller extends Omit<ActMeta, "kind"> {
  /** True if it may change notes and proposals only where it made them itself. */
  ownOnly?: boolean;
  /** Entity tags that the client has read; a write to a record in another state is refused. */
  seen?: readonly string[] | undefined;
  /** Only what is not there yet is to be written. */
  isNew?: boolean;
  /** The record whose entity tag the answer is to carry, as `ETAG`. */
  about?: Subject | undefined;
  /** Under which key the answer is kept, so that the same request again does nothing. */
  once?: Once | undefined;
}

/** Under this an answer carries the entity tag of the record that was written, which is no key of its JSON. */
export const ETAG = Symbol("the entity tag of what was written");

/** An answer that may carry an entity tag. */
export interface MayBeTagged {
  [ETAG]?: string;
}

const WRITER_BYTES = 5;

/** The manuscript in this file. Throws `NotFound` without `create`, `Unavailable` if it cannot be used. */
export function openManuscript(path: string, surroundings: Surroundings = {}): Manuscript {
  const {
    clock = Date.now,
    random = systemRandom,
    reader = embeddedReader(),
    network,
    writer: wanted,
    ...options
  } = surroundings;
  if (!existsSync(path)) assertNotMissing(path, options.create);
  const store = openStore(path, { clock, mint: createMint(random), ...options });
  let writer = readSetting(store, "writer");
  if (writer === undefined) {
    writer = wanted ?? Buffer.from(random(WRITER_BYTES)).toString("hex");
    if (store.refusal === undefined) saveSetting(store, "writer", writer);
  }
  const opened = {
    store,
    writer,
    random,
    reader,
    network: { key: undefined, fetch, ...network },
    close: () => opened.store.close(),
  };
  reopeners.set(opened, () => {
    opened.store = openStore(path, { clock, mint: createMint(random), ...options, create: false });
  });
  return opened;
}

export { listMissing, wayBack } from "../store/copies.ts";

/** Throws `NotFound`, or `WouldLose` if a new one is to be made, where a manuscript is missing and a copy of it is there. */
export function assertNotMissing(path: string, isNew = false): void {
  const way = wayBack(path);
  if (way === undefined) return;
  throw isNew
    ? new WouldLose(`${path} is missing, ${way}; for a new manuscript choose another name.`)
    : new NotFound(`manuscript at ${path}, ${way}`);
}

const reopeners = new WeakMap<Manuscript, () => void>();

/**
 * Runs what needs the file to be nobody's: closes it, and opens what stands there afterwards, whether that went well or
 * not. Nothing else runs meanwhile.
 */
export function whileClosed<Result>(manuscript: Manuscript, run: () => Result): Result {
  manuscript.store.close();
  try {
    return run();
  } finally {
    reopeners.get(manuscript)!(); // every manuscript was opened above
  }
}

/** A write of the contract that needs its body alone. */
export type Write<Id extends EndpointId, Rest extends unknown[] = [body: BodyOf<Id>]> = (
  manuscript: Manuscript,
  ...rest: [...Rest, caller: Caller]
) => AnswerOf<Id>;
/** A write of the contract to one record. */
export type WriteOn<Id extends EndpointId, Target> = Write<Id, [target: Target, body: BodyOf<Id>]>;
/** A write of the contract to one record, without a body. */
export type Removal<Id extends EndpointId, Target> = Write<Id, [target: Target]>;

/** What a request that is to be done once was answered within the last day, or undefined. */
export function findKept({ store }: Manuscript, once: Once): Kept | undefined {
  return findReplay(store, once);
}

/** Runs a write as one act, after the gate of the write tier. Throws `SubscriptionRequired`, and what `writeFree` throws. */
export function write<Result extends object>(
  manuscript: Manuscript,
  kind: string,
  caller: Caller,
  run: (act: Act, store: Store) => () => Result,
): Result & { act: ActId | null } & MayBeTagged {
  return writeFree(manuscript, kind, caller, (act, store) => {
    assertSubscription(manuscript);
    return run(act, store);
  });
}

/**
 * Runs a write as one act, whatever the plan. What `run` returns makes the answer, once the act's counts
 * and times are final; its tag and what is kept for a repeated request are of the same transaction. Throws
 * `PayloadTooLarge` for a list or a paragraph that is full, and `Busy` if the very request was done meanwhile: whoever tries again finds its answer.
 */
export function writeFree<Result extends object>(
  manuscript: Manuscript,
  kind: string,
  caller: Caller,
  run: (act: Act, store: Store) => () => Result,
): Result & { act: ActId | null } & MayBeTagged {
  const { store } = manuscript;
  const { once, about } = caller;
  const { act, result } = store.act({ ...caller, kind }, (current) => {
    if (once !== undefined && findReplay(store, once) !== undefined) throw new Busy();
    const finish = run(current, store);
    return (entries) => {
      assertNotCrowded(store, current, entries);
      const answer = finish();
      const etag = about && tagAfter(store, about, answer);
      if (once !== undefined) keepReplay(store, once, { answer: { ...answer, act: current.id }, etag });
      return { answer, etag };
    };
  });
  const { answer, etag } = result;
  return { ...answer, act, ...(etag === undefined ? {} : { [ETAG]: etag }) };
}

/** Throws `SubscriptionRequired` unless the plan is active today. */
export function assertSubscription({ store }: Manuscript): void {
  if (!isActive(readPlan(store), localDay(store.clock()))) throw new SubscriptionRequired();
}

/** True while the subscription runs; its last day counts. */
export function isActive(plan: AccountPlan, today: string): boolean {
  return plan.active && (plan.until === null || today <= plan.until);
}

/** The local calendar day of a moment, `YYYY-MM-DD`. */
export function localDay(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** How often a plan is made while others may go on writing; after that it is made inside the transaction. */
const TRIES = 3;

/** Another program has changed the book between a plan and its transaction. */
class Stale extends Error {}

/**
 * Runs a write whose plan is made on a snapshot, before others have to wait. `write` asks for the plan inside its transaction, before
 * it changes anything: if the book has changed since the snapshot, nothing is written and all begins again. The last try plans
 * inside the transaction. What `plan` throws is thrown when the plan is asked for. A book that is not there yet cannot have changed;
 * with `null` a change of any book counts.
 */
export function writeOptimistically<Plan, Result>(
  store: Store,
  bookOf: () => string | null | undefined,
  plan: () => Plan,
  write: (planned: () => Plan) => Result,
): Result {
  for (let tries = TRIES; tries > 0; tries--) {
    const { change, planned } = store.snapshot(() => ({ change: lastChange(store), planned: attempt(plan) }));
    const isStale = () => {
      if (lastChange(store) === change) return false;
      const bookId = bookOf();
      return bookId !== undefined && isBookChangedSince(store, change, bookId);
    };
    try {
      return write(() => {
        if (isStale()) throw new Stale();
        return planned();
      });
    } catch (error) {
      if (!(error instanceof Stale)) throw error;
    }
  }
  return write(plan);
}

/** Runs `make` now; the function that it returns gives the result, or throws what `make` threw. */
export function attempt<Value>(make: () => Value): () => Value {
  try {
    const value = make();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

// SQLite's own wait for another program's write would hold up every other request; this one holds up its own.
const LIMIT_MS = 20_000;
const STEP_MS = 10;

/**
 * What `run` returns: at once if it returns at once, else as soon as no other program writes the file. Throws `Busy`
 * after twenty seconds of that: whoever writes a whole book needs some of them.
 */
export function retryWhileBusy<Result>(run: () => Result | Promise<Result>): Result | Promise<Result> {
  try {
    const result = run();
    return result instanceof Promise ? result.catch((error) => retry(error, run)) : result;
  } catch (error) {
    return retry(error, run);
  }
}

async function retry<Result>(first: unknown, run: () => Result | Promise<Result>): Promise<Result> {
  let error = first;
  for (const end = Date.now() + LIMIT_MS; error instanceof Busy && Date.now() <= end; ) {
    await wait(STEP_MS);
    try {
      return await run();
    } catch (thrown) {
      error = thrown;
    }
  }
  throw error;
}
