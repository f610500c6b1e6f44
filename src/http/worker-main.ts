import { Unavailable } from "../refusals.ts";
import { hasBook } from "../service/guards.ts";
import { type Manuscript, openManuscript } from "../service/manuscript.ts";
import type { FromWorker, NamedFile, ToWorker } from "./worker/messages.ts";

// The worker's program: it answers what the server hands over, by the same rows and operations.
type Job = Extract<ToWorker, { kind: "request" }>;

const open = new Map<string, Manuscript>();
const queue = new Map<number, Job>();
const running = new Map<number, AbortController>();
/** After a request that took longer there is memory to give back, in milliseconds. */
const LONG_MS = 300;
const REST_MS = 1000;
let hasGarbage = false;
let collecting: NodeJS.Timeout | undefined;
const { respond } = await import("./answers/answer.ts");
const { toProblem } = await import("./answers/problem.ts");

process.on("message", (message) => hear(message as ToWorker)); // the server sends nothing else
// The server decides when to end; Ctrl-C in a terminal reaches both. Without a server there is nothing left to do.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit());

function hear(message: ToWorker): void {
  if (message.kind === "request") {
    queue.set(message.job, message);
    setImmediate(next);
  } else if (message.kind === "cancel") {
    if (message.hasLeft) queue.delete(message.job);
    running.get(message.job)?.abort();
  } else if (message.kind === "close") closeFile(message.path);
  else void warm(message.files);
}

/** Begins the oldest request that waits. Messages that arrive meanwhile are heard before the next. */
function next(): void {
  const [job] = queue.values();
  if (job === undefined) return;
  queue.delete(job.job);
  const start = performance.now();
  clearTimeout(collecting);
  void run(job).finally(() => {
    hasGarbage ||= performance.now() - start > LONG_MS;
    if (hasGarbage) collecting = setTimeout(collect, REST_MS);
  });
}

/** Gives memory back while there is nothing to do: V8 by itself is in no hurry. */
function collect(): void {
  hasGarbage = false;
  for (const { store } of open.values()) store.shrink();
  globalThis.gc?.();
}

async function run({ job, file, request, requestId }: Job): Promise<void> {
  tell({ kind: "begun", job });
  const cancelling = new AbortController();
  running.set(job, cancelling);
  try {
    const manuscript = manuscriptOf(file);
    if (request.id === "searchBook") await ready(manuscript, request.params.bookId);
    const response = await respond(manuscript, request, cancelling.signal);
    tell({ kind: "answered", job, response });
  } catch (error) {
    const { bug, ...problem } = toProblem(error, requestId);
    tell({ kind: "failed", job, problem: bug === undefined ? problem : { ...problem, bug: traceOf(bug) } });
  } finally {
    running.delete(job);
  }
}

/** Builds the index of a book in slices, so that questions about other books are answered meanwhile. */
async function ready(manuscript: Manuscript, bookId = ""): Promise<void> {
  const { readyToSearch } = await import("../service/search/warm-up.ts");
  if (hasBook(manuscript, bookId)) await readyToSearch(manuscript, bookId);
}

function tell(message: FromWorker): void {
  process.send?.(message);
}

function traceOf(bug: unknown): string {
  return bug instanceof Error ? (bug.stack ?? bug.message) : String(bug);
}

/** The file, opened once. */
function manuscriptOf({ path, writer, networkKey: key }: NamedFile): Manuscript {
  let manuscript = open.get(path);
  if (manuscript === undefined) {
    // Waiting blocks nobody else here, and trying again would be doing it all again.
    manuscript = openManuscript(path, {
      busyTimeoutMs: 20_000,
      idleCheckpointMs: 1000,
      cacheMib: Number(process.argv[2]),
      network: { key },
    });
    open.set(path, manuscript);
  }
  if (manuscript.writer !== writer)
    throw new Unavailable(
      `${path} was replaced while it was served. Nothing was written; start the server again.`,
    );
  manuscript.store.assertInPlace();
  return manuscript;
}

/** Closes a file that the server has closed; nothing runs on it, for a running request keeps it open there. */
function closeFile(path: string): void {
  open.get(path)?.close();
  open.delete(path);
}

/** Builds indexes before the first question. A file that cannot be read is reported to whoever asks. */
async function warm(files: readonly NamedFile[]): Promise<void> {
  const { warmSearch } = await import("../service/search/warm-up.ts");
  try {
    warmSearch(files.map(manuscriptOf));
  } catch {
    // reported to whoever asks
  }
}
