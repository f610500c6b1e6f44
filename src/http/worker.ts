import { type ChildProcess, fork } from "node:child_process";
import { extname, join } from "node:path";
import { Unavailable } from "../refusals.ts";
import { booksToWarm } from "../service/list-books.ts";
import type { Manuscript } from "../service/manuscript.ts";
import type {
  FromWorker,
  NamedFile,
  ProblemAnswer,
  ToWorker,
  WorkerRequest,
  WorkerResponse,
} from "./worker/messages.ts";

/** A refusal or a bug of the worker, to be sent as it is. */
export class WorkerProblem extends Error {
  readonly problem: ProblemAnswer;
  constructor(problem: ProblemAnswer) {
    super("the worker could not answer");
    this.problem = problem;
  }
}

/** A request for the worker, and its id in the log. */
export interface Job {
  request: WorkerRequest;
  requestId: string;
  /** Aborts when nobody waits for the answer any more. */
  cancelled: AbortSignal;
}

/** Memory that the worker may take, in MiB. */
export interface WorkerMemory {
  /** Of V8's heap: a worker that exceeds it ends, and its request is answered 503. */
  heapMib: number;
  /** Of each file's pages. */
  cacheMib: number;
}

/** What a server needs of its worker. */
export type WorkerLike = Pick<RequestWorker, "answer" | "restart" | "close">;

interface Waiting extends Job {
  file: NamedFile;
  isBegun: boolean;
  resolve(response: WorkerResponse): void;
  reject(error: unknown): void;
}

/** Search indexes are kept as values, and a long chapter is written as pages. */
const MEMORY: WorkerMemory = { heapMib: 2048, cacheMib: 32 };

/**
 * glibc keeps freed memory for each thread apart, and that of V8's threads is never given back. No effect elsewhere. Source:
 * https://man7.org/linux/man-pages/man3/mallopt.3.html.
 */
const MALLOC = { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: String(1024 * 1024) };

/** Half of V8's default for new values: each request keeps about 40 MB less, for a tenth more of CPU. */
const YOUNG = "--max-semi-space-size=8";

/** The reason of an abort because the server stops; the client is still there. */
export const STOPPING = "stopping";

/**
 * The process that answers expensive requests one after another, started by the first of them. A process and not a thread:
 * where memory runs out, V8 ends the whole process. Source: docs/decisions/019-worker.md.
 */
export class RequestWorker {
  readonly #memory: WorkerMemory;
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | undefined;
  #jobs = 0;
  #isClosed = false;

  constructor(memory = MEMORY) {
    this.#memory = memory;
  }

  /** The worker's answer. Throws `WorkerProblem`, and `Unavailable` if the worker ended. */
  answer(manuscript: Manuscript, job: Job): Promise<WorkerResponse> {
    const number = ++this.#jobs;
    const answered = new Promise<WorkerResponse>((resolve, reject) => {
      this.#waiting.set(number, { ...job, file: nameOf(manuscript), isBegun: false, resolve, reject });
    });
    const cancel = () => this.#cancel(number);
    job.cancelled.addEventListener("abort", cancel, { once: true });
    this.#send(number);
    return answered.finally(() => job.cancelled.removeEventListener("abort", cancel));
  }

  /** Builds the search indexes of these manuscripts before the first question. */
  warm(manuscripts: readonly Manuscript[]): void {
    if (!hasToWarm(manuscripts)) return;
    this.#start();
    this.#tell({ kind: "warm", files: manuscripts.map(nameOf) });
  }

  /** Closes a file that the server itself has closed. */
  closeFile(path: string): void {
    this.#tell({ kind: "close", path });
  }

  /** Ends the process at once: uncommitted work was not written, and SQLite's locks go with it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.restart();
  }

  /** Ends the process at once; the next request starts another. */
  async restart(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.kill("SIGKILL");
    await ended;
  }

  #start(): void {
    if (this.#child !== undefined || this.#isClosed) return;
    const { heapMib, cacheMib } = this.#memory;
    const child = fork(
      join(import.meta.dirname, `worker-main${extname(import.meta.filename)}`),
      [String(cacheMib)],
      {
        // A loader of TypeScript, if we run by one; no other option of ours is the worker's.
        execArgv: [...loaders(), `--max-old-space-size=${heapMib}`, YOUNG, "--expose-gc"],
        serialization: "advanced",
        env: { ...process.env, ...MALLOC },
        stdio: ["ignore", "ignore", "ignore", "ipc"],
      },
    );
    child.on("message", (message) => this.#hear(message as FromWorker)); // the worker sends nothing else
    child.once("exit", () => this.#bury(child));
    child.once("error", () => this.#bury(child));
    this.#child = child;
  }

  #send(number: number): void {
    const waiting = this.#waiting.get(number)!; // both callers have just looked
    this.#start();
    if (this.#child === undefined) this.#settle(number)?.reject(ended(waiting));
    const { file, request, requestId } = waiting;
    const { authorization: _, ...headers } = request.headers;
    this.#tell({ kind: "request", job: number, file, request: { ...request, headers }, requestId });
  }

  #cancel(number: number): void {
    const waiting = this.#waiting.get(number);
    if (waiting === undefined) return;
    const hasLeft = waiting.cancelled.reason !== STOPPING;
    this.#tell({ kind: "cancel", job: number, hasLeft });
    if (hasLeft && !waiting.isBegun) this.#settle(number)?.reject(ended(waiting));
  }

  #tell(message: ToWorker): void {
    // One that is ending takes no message; its `exit` event comes soon.
    if (this.#child?.connected) this.#child.send(message, () => {});
  }

  #hear(message: FromWorker): void {
    if (message.kind === "begun") {
      const waiting = this.#waiting.get(message.job);
      if (waiting !== undefined) waiting.isBegun = true;
    } else if (message.kind === "answered") this.#settle(message.job)?.resolve(message.response);
    else this.#settle(message.job)?.reject(new WorkerProblem(message.problem));
  }

  #settle(number: number): Waiting | undefined {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    return waiting;
  }

  /** Refuses what the ended process had begun, and sends the rest to its successor. */
  #bury(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    const jobs = [...this.#waiting];
    // One that ends before it begins anything would do so again.
    const isHopeless = this.#isClosed || jobs.every(([, { isBegun }]) => !isBegun);
    for (const [number, waiting] of jobs)
      if (waiting.isBegun || isHopeless) this.#settle(number)?.reject(ended(waiting));
      else this.#send(number);
  }
}

function ended({ request, isBegun }: Waiting): Unavailable {
  if (!isBegun)
    return new Unavailable("The server is stopping, or is short of memory. Nothing was written; try again.");
  return new Unavailable(
    request.body === undefined
      ? "This request takes more memory than one may have, so it was ended."
      : "This request takes more memory than one may have, so it was ended; as a rule nothing was written. Read before you send it again, in parts.",
  );
}

/** False where there is nothing to index: an idle process takes 80 MB. A file that cannot be read is reported to whoever asks. */
function hasToWarm(manuscripts: readonly Manuscript[]): boolean {
  try {
    return booksToWarm(manuscripts).length > 0;
  } catch {
    return false;
  }
}

function nameOf({ store, writer, network }: Manuscript): NamedFile {
  return { path: store.path, writer, networkKey: network.key };
}

function loaders(): string[] {
  return process.execArgv.flatMap((option, index, all) =>
    option === "--import" ? [option, all[index + 1] ?? ""] : option.startsWith("--import=") ? [option] : [],
  );
}
