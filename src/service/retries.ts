import { setTimeout as wait } from "node:timers/promises";
import { Busy } from "../refusals.ts";
import type { Store } from "../store/file/store.ts";
import { isBookChangedSince, lastChange } from "../store/journal/acts.ts";

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
