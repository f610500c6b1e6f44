/**
 * Loaded into a server and its helpers before their program: measures how long one turn of the event loop takes, and how
 * long a write holds the file. In CPU time of the thread, which other programs cannot lengthen. At SIGUSR2, and at its
 * end, it writes both into the folder that MANUSCRIPT_TURNS names, and begins anew.
 */
import { openSync, readSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "../../src/store/file/driver.ts";

const NS_A_MS = 1e6;
const folder = process.env.MANUSCRIPT_TURNS;
const buffer = Buffer.alloc(64);
const clock = folder === undefined ? undefined : clockOf();

/** What a process tells; in milliseconds. */
export interface Turns {
  pid: number;
  turnMs: number;
  heldMs: number;
}

let longest = { turnMs: 0, heldMs: 0 };

if (folder !== undefined && clock !== undefined) {
  let last = clock();
  setInterval(() => {
    const now = clock();
    longest.turnMs = Math.max(longest.turnMs, now - last);
    last = now;
  }, 1).unref();
  watchLock(clock);
  const tell = () => {
    const turns: Turns = { pid: process.pid, ...longest };
    writeFileSync(join(folder, `${process.pid}.turns`), JSON.stringify(turns));
    longest = { turnMs: 0, heldMs: 0 };
  };
  process.on("SIGUSR2", tell);
  process.once("exit", tell);
}

/** CPU time of the main thread in milliseconds, by the scheduler's own account. */
function clockOf(): (() => number) | undefined {
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
    return () =>
      Number(buffer.toString("latin1", 0, readSync(file, buffer, 0, 20, 0)).split(" ")[0]) / NS_A_MS;
  } catch {
    return undefined;
  }
}

/** Notes the time from the statement that takes the lock to the one that lets it go. */
function watchLock(clockMs: () => number): void {
  const memory = connect(":memory:");
  const statement = Object.getPrototypeOf(memory.prepare("SELECT 1")) as {
    run(...values: unknown[]): unknown;
  };
  memory.close();
  const { run } = statement;
  let since: number | undefined;
  statement.run = function (this: { source: string }, ...values) {
    if (this.source === "BEGIN IMMEDIATE") {
      const begun = run.apply(this, values);
      since = clockMs();
      return begun;
    }
    const done = run.apply(this, values);
    if (since !== undefined && (this.source === "COMMIT" || this.source === "ROLLBACK")) {
      longest.heldMs = Math.max(longest.heldMs, clockMs() - since);
      since = undefined;
    }
    return done;
  };
}
