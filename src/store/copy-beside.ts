import { fork } from "node:child_process";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { Unavailable } from "../refusals.ts";
import { type CopyTarget, type MadeCopy, makeCopy } from "./make-copy.ts";

interface Job {
  from: string;
  target: CopyTarget;
}

type Told = { made: MadeCopy } | { refused: string };

/** A copy that is being made. */
export interface Copying {
  /** Throws as `makeCopy` does. */
  made: Promise<MadeCopy>;
  /** Ends it at once; what it has written goes when the next copy is made in that folder. */
  stop(): void;
}

const FILE = fileURLToPath(import.meta.url);
const LOW = 10;

/**
 * `makeCopy` in a process of its own, so that a server goes on answering. A thread would not do: one within SQLite cannot be
 * ended, and a server has to stop at once.
 */
export function copyBeside(from: string, target: CopyTarget): Copying {
  const job: Job = { from, target };
  const child = fork(FILE, [], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
  const made = new Promise<MadeCopy>((resolve, reject) => {
    child.once("message", (told: Told) => {
      if ("made" in told) resolve(told.made);
      else reject(new Unavailable(told.refused));
    });
    child.once("error", (error) =>
      reject(new Unavailable(`No copy was made: no further program could be started (${error.message}).`)),
    );
    child.once("exit", () => reject(new Unavailable("The copy was stopped before it was whole.")));
    // A child that could not be started has no channel, and says so as an error; where sending fails it has ended.
    if (child.connected) child.send(job, () => {});
  });
  return { made, stop: () => void child.kill("SIGKILL") };
}

if (process.argv[1] === FILE && process.send !== undefined) {
  process.once("message", ({ from, target }: Job) => {
    let told: Told;
    try {
      setPriority(LOW);
      told = { made: makeCopy(from, target) };
    } catch (error) {
      told = { refused: error instanceof Error ? error.message : String(error) };
    }
    process.send?.(told, () => process.disconnect());
  });
}
