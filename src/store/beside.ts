import { fork } from "node:child_process";
import { setPriority } from "node:os";
import { Unavailable } from "../refusals.ts";

/** A copy that another process makes. */
export interface Beside<Made> {
  /** Throws `Unavailable` with what refused it, or if it was stopped. */
  made: Promise<Made>;
  /** Ends it at once; what it has written goes when the next copy is made in that folder. */
  stop(): void;
}

type Told<Made> = { made: Made } | { refused: string };

const LOW = 10;

/**
 * Hands a job to a process of its own, which runs a module that calls `answerBeside` with the same name: so a server goes on
 * answering. A thread would not do: one within SQLite cannot be ended, and a server has to stop at once.
 */
export function runBeside<Job, Made>(file: string, name: string, job: Job): Beside<Made> {
  const child = fork(file, [name], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
  const made = new Promise<Made>((resolve, reject) => {
    child.once("message", (told: Told<Made>) => {
      if ("made" in told) resolve(told.made);
      else reject(new Unavailable(told.refused));
    });
    child.once("error", (error) =>
      reject(new Unavailable(`No copy was made: no further program could be started (${error.message}).`)),
    );
    child.once("exit", () => reject(new Unavailable("The copy was stopped before it was whole.")));
    // A child that could not be started has no channel, and says so as an error; where sending fails it has ended.
    if (child.connected) child.send({ job }, () => {});
  });
  return { made, stop: () => void child.kill("SIGKILL") };
}

/** Does the job of this name, if this process was started for it. Several modules may be one file once they are built. */
export function answerBeside<Job, Made>(file: string, name: string, run: (job: Job) => Made): void {
  if (process.argv[1] !== file || process.argv[2] !== name || process.send === undefined) return;
  process.once("message", ({ job }: { job: Job }) => {
    let told: Told<Made>;
    try {
      setPriority(LOW);
      told = { made: run(job) };
    } catch (error) {
      told = { refused: error instanceof Error ? error.message : String(error) };
    }
    process.send?.(told, () => process.disconnect());
  });
}
