import { type ChildProcess, fork } from "node:child_process";
import { extname, join } from "node:path";
import { Unavailable } from "../../refusals.ts";
import type { Asked, Finished, FromHelper, NamedFile, ProblemAnswer, ToHelper } from "./asked.ts";

/** A problem that a helper has told of: it is sent as it is. */
export class ToldProblem extends Error {
  readonly problem: ProblemAnswer;
  constructor(problem: ProblemAnswer) {
    super("a helper could not answer");
    this.problem = problem;
  }
}

/** A request for a helper: its file and its id in the log. */
export interface Job {
  file: NamedFile;
  asked: Asked;
  requestId: string;
  /** Aborts when nobody waits for the answer any more. */
  gone: AbortSignal;
}

/** What a helper may take, in MiB. */
export interface LaneRoom {
  /** Of values: beyond that it ends, and what it was doing is answered 503. */
  heapMib: number;
  /** Of each file's pages. */
  cacheMib: number;
}

interface Waiting extends Job {
  isBegun: boolean;
  resolve(answer: Finished): void;
  reject(error: unknown): void;
}

/**
 * glibc keeps what is freed for each thread apart, and from threads of V8 that is never given back. Elsewhere this says
 * nothing. Source:
 * https://man7.org/linux/man-pages/man3/mallopt.3.html.
 */
const OF_MEMORY = { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: String(1024 * 1024) };

/** Half of what V8 would take for values that are new: each request keeps about 40 MB less, for a tenth more of CPU. */
const YOUNG = "--max-semi-space-size=8";

/** Why a request is no longer waited for: the server stops, and its client is still there. */
export const STOPPING = "stopping";

/**
 * A process of its own for one kind of work, started by its first request. A process and not a thread: where memory runs
 * out, V8 ends a whole process, at times that of a thread, too. Source: docs/decisions/019-helpers.md.
 */
export class Lane {
  readonly #room: LaneRoom;
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | undefined;
  #jobs = 0;
  #isClosed = false;

  constructor(room: LaneRoom) {
    this.#room = room;
  }

  /** The helper's answer. Throws what it told, and `Unavailable` if it ended. */
  ask(job: Job): Promise<Finished> {
    const number = ++this.#jobs;
    const answered = new Promise<Finished>((resolve, reject) => {
      this.#waiting.set(number, { ...job, isBegun: false, resolve, reject });
    });
    const leave = () => this.#leave(number);
    job.gone.addEventListener("abort", leave, { once: true });
    this.#send(number);
    return answered.finally(() => job.gone.removeEventListener("abort", leave));
  }

  /** Has search indexes built ahead of the first question. */
  warm(files: readonly NamedFile[]): void {
    this.#start();
    this.#tell({ kind: "warm", files });
  }

  /** Has a file closed, if there is a helper that may have it open. */
  closeFile(path: string): void {
    this.#tell({ kind: "close", path });
  }

  /** Ends the helper at once: what it has not committed was not written, and SQLite's locks go with the process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.renew();
  }

  /** The same, but what comes next starts another. */
  async renew(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.kill("SIGKILL");
    await ended;
  }

  #start(): void {
    if (this.#child !== undefined || this.#isClosed) return;
    const { heapMib, cacheMib } = this.#room;
    const child = fork(
      join(import.meta.dirname, `main${extname(import.meta.filename)}`),
      [String(cacheMib)],
      {
        // A loader of TypeScript, if we run by one; no other option of ours is the helper's.
        execArgv: [...loaders(), `--max-old-space-size=${heapMib}`, YOUNG, "--expose-gc"],
        serialization: "advanced",
        env: { ...process.env, ...OF_MEMORY },
        stdio: ["ignore", "ignore", "ignore", "ipc"],
      },
    );
    child.on("message", (told) => this.#hear(told as FromHelper)); // a helper says nothing else
    child.once("exit", () => this.#bury(child));
    child.once("error", () => this.#bury(child));
    this.#child = child;
  }

  #send(number: number): void {
    const job = this.#waiting.get(number)!; // both callers have just looked
    this.#start();
    if (this.#child === undefined) this.#settle(number)?.reject(ended(job));
    const { file, asked, requestId } = job;
    const { authorization: _, ...headers } = asked.headers;
    this.#tell({ kind: "ask", job: number, file, asked: { ...asked, headers }, requestId });
  }

  #leave(number: number): void {
    const job = this.#waiting.get(number);
    if (job === undefined) return;
    const hasLeft = job.gone.reason !== STOPPING;
    this.#tell({ kind: "gone", job: number, hasLeft });
    if (hasLeft && !job.isBegun) this.#settle(number)?.reject(ended(job));
  }

  #tell(told: ToHelper): void {
    // One that is ending takes nothing more; its end is heard of soon.
    if (this.#child?.connected) this.#child.send(told, () => {});
  }

  #hear(told: FromHelper): void {
    if (told.kind === "begun") {
      const job = this.#waiting.get(told.job);
      if (job !== undefined) job.isBegun = true;
    } else if (told.kind === "finished") this.#settle(told.job)?.resolve(told.answer);
    else this.#settle(told.job)?.reject(new ToldProblem(told.problem));
  }

  #settle(number: number): Waiting | undefined {
    const job = this.#waiting.get(number);
    this.#waiting.delete(number);
    return job;
  }

  /** A helper has ended: what it had begun is lost, what was behind that goes to the next one. */
  #bury(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    const jobs = [...this.#waiting];
    // One that ends before it begins anything would do so again.
    const isHopeless = this.#isClosed || jobs.every(([, { isBegun }]) => !isBegun);
    for (const [number, job] of jobs)
      if (job.isBegun || isHopeless) this.#settle(number)?.reject(ended(job));
      else this.#send(number);
  }
}

function ended({ asked, isBegun }: Waiting): Unavailable {
  if (!isBegun)
    return new Unavailable("The server is stopping, or is short of memory. Nothing was written; try again.");
  return new Unavailable(
    asked.body === undefined
      ? "This request takes more memory than one may have, so it was ended."
      : "This request takes more memory than one may have, so it was ended; as a rule nothing was written. Read before you send it again, in parts.",
  );
}

function loaders(): string[] {
  return process.execArgv.flatMap((option, index, all) =>
    option === "--import" ? [option, all[index + 1] ?? ""] : option.startsWith("--import=") ? [option] : [],
  );
}
