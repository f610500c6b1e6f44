import { setImmediate as breathe } from "node:timers/promises";
import { Busy, NotFound, Unavailable } from "../../refusals.ts";
import type { Store } from "../../store/file/store.ts";
import { watchLog } from "../../store/file/watch-log.ts";
import { findNewestAct } from "../../store/journal/acts.ts";
import { findAct } from "../../store/journal/undo.ts";
import { LruCache } from "../../text/lru-cache.ts";
import { type ActPage, lastActSeq, readActsAfter } from "../history/acts.ts";
import type { Manuscript } from "../manuscript.ts";

/** The place before the first act of a file, where an act's id is asked for. */
const BEGINNING = "0";

/** Acts that are read at once: whoever catches up with a long history holds nobody else up. */
const PAGE_ACTS = 50;
/** How often each listener is told that it is listened to. */
const BEAT_MS = 30_000;
/** Whoever is up to date reads the same page, and so do those who catch up from the same act. */
const PAGES_KEPT = 16;

/** A place in a file's history: the act that was told last, or `BEGINNING`. */
interface FeedPlace {
  act: string;
  seq: number;
}

/** Who may be told; those of one `name` are asked about once, however many listen. */
export interface Admission {
  name: string;
  /** Throws what refuses whoever was let in before. */
  assert(): void;
}

/** How long a feed goes on, and what is told besides acts. */
export interface Following {
  /** Ends it when it aborts. */
  gone: AbortSignal;
  /** Asked whenever anything was written, before it is told; what it throws ends the feed. */
  admission?: Admission | undefined;
  /** Called from time to time while there is nothing to tell, so that the listener is known to live. */
  beat?: (() => void) | undefined;
}

/** Acts in their order; `isBehind` if there are more of them already. */
export interface FeedPage extends ActPage {
  isBehind: boolean;
}

/** Acts that are told as they are written. */
export interface LiveFeed {
  /** The act that they come after, or `BEGINNING`. */
  from: string;
  follow(following: Following): AsyncIterable<FeedPage>;
}

/** The acts after one of them, else those that are written from now on. Throws `NotFound`. */
export function streamActs(manuscript: Manuscript, after: string | undefined): LiveFeed {
  const place = placeInFeed(manuscript, after);
  return { from: place.act, follow: (following) => followActs(manuscript, place, following) };
}

/** The place behind an act, else behind the newest. Throws `NotFound`, saying how to go on. */
function placeInFeed(manuscript: Manuscript, after: string | undefined): FeedPlace {
  const { store } = manuscript;
  if (after === BEGINNING) return { act: after, seq: 0 };
  if (after === undefined) {
    const newest = findNewestAct(store);
    return newest === undefined ? { act: BEGINNING, seq: 0 } : { act: newest.id, seq: newest.seq };
  }
  try {
    return { act: after, seq: findAct(store, after).seq };
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    throw new NotFound(
      'act in this file, which may have been put back to an older copy. Read anew what you keep of it, and go on from its newest act, or from "0" for all of them',
    ).helpedBy({ call: "listActs" });
  }
}

/**
 * The acts after a place, in pages, in their order, each exactly once: what stands in the journal, then each act as it is
 * written, by whatever program. Ends when `gone` aborts. Throws `Unavailable` once the file is not where it was, or another
 * one was put into its place.
 */
async function* followActs(
  manuscript: Manuscript,
  { seq: after }: FeedPlace,
  { gone, admission, beat }: Following,
): AsyncGenerator<FeedPage, void, undefined> {
  const feed = feedOf(manuscript);
  const listener = feed.join({ admission, beat });
  const leave = () => listener.wake();
  gone.addEventListener("abort", leave);
  try {
    let seq = after;
    while (!gone.aborted) {
      if (admission !== undefined) feed.assertAdmitted(admission);
      const page = feed.read(seq);
      if (page !== undefined) {
        seq = page.last;
        yield page;
        if (page.isBehind) await breathe();
      } else await listener.changed();
    }
  } finally {
    gone.removeEventListener("abort", leave);
    feed.leave(listener);
  }
}

const feeds = new WeakMap<Store, Feed>();

/** One feed an open file, however many listen. */
function feedOf(manuscript: Manuscript): Feed {
  const { store } = manuscript;
  const feed = feeds.get(store) ?? new Feed(manuscript);
  feeds.set(store, feed);
  return feed;
}

/** Waits until it is woken. */
class Listener {
  readonly following: Omit<Following, "gone">;
  isWaiting = false;
  #resolve = () => {};

  constructor(following: Omit<Following, "gone">) {
    this.following = following;
  }

  wake(): void {
    this.isWaiting = false;
    this.#resolve();
  }

  changed(): Promise<void> {
    this.isWaiting = true;
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }
}

/** Watches a file while anybody listens, and wakes those who do. */
class Feed {
  readonly #manuscript: Manuscript;
  readonly #store: Store;
  readonly #listeners = new Set<Listener>();
  readonly #pages = new LruCache<number, FeedPage>(PAGES_KEPT);
  /** What was found of each admission since anything was written last; undefined for those who may be told. */
  readonly #admitted = new Map<string, unknown>();
  #stop = () => {};
  /** The newest act, and what tells of any other write: a revoked key's, say. */
  #head = 0;
  #version = "";
  /** Something could not be read, because the file was busy: it is asked for again at the next look. */
  #isOwed = false;
  /** Why nothing more is told. */
  #wrong: unknown;

  constructor(manuscript: Manuscript) {
    this.#manuscript = manuscript;
    this.#store = manuscript.store;
  }

  /** Adds one who listens; with the first the file is watched. */
  join(following: Omit<Following, "gone">): Listener {
    const listener = new Listener(following);
    if (this.#listeners.size === 0) this.#start();
    this.#listeners.add(listener);
    this.#look();
    return listener;
  }

  leave(listener: Listener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size === 0) this.#stop();
  }

  /** Throws what refuses them. */
  assertAdmitted(admission: Admission): void {
    const refusal = this.#refusalOf(admission);
    if (refusal !== undefined) throw refusal;
  }

  #refusalOf({ name, assert }: Admission): unknown {
    if (!this.#admitted.has(name)) this.#admitted.set(name, thrownBy(assert));
    return this.#admitted.get(name);
  }

  /** The next acts; undefined if there are none, or the file is busy. */
  read(seq: number): FeedPage | undefined {
    if (this.#wrong !== undefined) throw this.#wrong;
    this.#assertSame();
    if (seq >= this.#head) return undefined;
    const known = this.#pages.get(seq);
    if (known !== undefined) return known;
    const read = unlessBusy(() => readActsAfter(this.#manuscript, seq, PAGE_ACTS));
    this.#isOwed ||= read === undefined;
    if (read === undefined || read.acts.length === 0) return undefined;
    const page = { ...read, isBehind: read.last < this.#head };
    this.#pages.set(seq, page);
    return page;
  }

  #start(): void {
    this.#wrong = undefined;
    const unwatch = watchLog(this.#store.path, () => this.#look());
    const heart = setInterval(() => this.#beat(), BEAT_MS);
    this.#stop = () => {
      unwatch();
      clearInterval(heart);
      this.#pages.clear();
    };
  }

  #look(): void {
    try {
      this.#assertSame();
      this.#store.assertInPlace();
      const seen = unlessBusy(() => this.#readHead());
      if (seen === undefined) return;
      this.#isOwed = false;
      this.#head = seen.head;
      this.#version = seen.version;
    } catch (error) {
      this.#wrong = error;
    }
    this.#wakeAll();
  }

  /** Past those who wait: waking hundreds of them, only to have them wait again, costs ten times what they are sent. */
  #beat(): void {
    this.#admitted.clear();
    for (const listener of this.#listeners) {
      if (!listener.isWaiting) continue;
      const { admission, beat } = listener.following;
      if (admission !== undefined && this.#refusalOf(admission) !== undefined) listener.wake();
      else beat?.();
    }
  }

  #wakeAll(): void {
    this.#admitted.clear();
    for (const listener of this.#listeners) listener.wake();
  }

  /** Undefined if nothing was written since; what no act was made of, a revoked key, is a write as well. */
  #readHead(): { head: number; version: string } | undefined {
    const version = `${this.#store.dataVersion()} ${this.#store.writes}`;
    if (version === this.#version && !this.#isOwed) return undefined;
    return { version, head: lastActSeq(this.#manuscript) };
  }

  /** Throws `Unavailable` once another file stands in this one's place, whose acts have numbers of their own. */
  #assertSame(): void {
    if (this.#manuscript.store === this.#store) return;
    throw new Unavailable(
      "The manuscript was put back to a copy. Ask again from the last act that you were told of.",
    );
  }
}

function thrownBy(assert: () => void): unknown {
  try {
    assert();
    return undefined;
  } catch (error) {
    return error;
  }
}

function unlessBusy<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Busy) return undefined;
    throw error;
  }
}
