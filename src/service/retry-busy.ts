import { setTimeout as wait } from "node:timers/promises";
import { Busy } from "../refusals.ts";

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
