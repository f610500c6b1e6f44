import { Unavailable } from "../../refusals.ts";
import { hasBook } from "../../service/guards.ts";
import { type Manuscript, openManuscript } from "../../service/manuscript.ts";
import type { FromHelper, NamedFile, ToHelper } from "./asked.ts";

// The program of a helper: it answers what the server hands to it, by the very rows and operations of the server.
type Work = Extract<ToHelper, { kind: "ask" }>;

const open = new Map<string, Manuscript>();
const queue = new Map<number, Work>();
const running = new Map<number, AbortController>();
/** A request that took longer left something to collect, in milliseconds. */
const LONG_MS = 300;
const REST_MS = 1000;
let isUntidy = false;
let tidying: NodeJS.Timeout | undefined;
const { respond } = await import("../respond.ts");
const { toProblem } = await import("../problem.ts");

process.on("message", (told) => hear(told as ToHelper)); // the server says nothing else
// The server decides when to end; Ctrl-C in a terminal reaches both. Without a server there is nothing left to do.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit());

function hear(told: ToHelper): void {
  if (told.kind === "ask") {
    queue.set(told.job, told);
    setImmediate(next);
  } else if (told.kind === "gone") {
    if (told.hasLeft) queue.delete(told.job);
    running.get(told.job)?.abort();
  } else if (told.kind === "close") closeFile(told.path);
  else void warm(told.files);
}

/** Does the oldest of what waits. What arrives meanwhile is heard before the next. */
function next(): void {
  const [work] = queue.values();
  if (work === undefined) return;
  queue.delete(work.job);
  const start = performance.now();
  clearTimeout(tidying);
  void run(work).finally(() => {
    isUntidy ||= performance.now() - start > LONG_MS;
    if (isUntidy) tidying = setTimeout(tidy, REST_MS);
  });
}

/** Gives memory back at rest: a long request leaves much behind, and V8 is in no hurry to collect it. */
function tidy(): void {
  isUntidy = false;
  for (const { store } of open.values()) store.shrink();
  globalThis.gc?.();
}

async function run({ job, file, asked, requestId }: Work): Promise<void> {
  tell({ kind: "begun", job });
  const leaving = new AbortController();
  running.set(job, leaving);
  try {
    const manuscript = manuscriptOf(file);
    if (asked.id === "searchBook") await ready(manuscript, asked.params.bookId);
    const answer = await respond(manuscript, asked, leaving.signal);
    tell({ kind: "finished", job, answer });
  } catch (error) {
    const { bug, ...problem } = toProblem(error, requestId);
    tell({ kind: "failed", job, problem: bug === undefined ? problem : { ...problem, bug: traceOf(bug) } });
  } finally {
    running.delete(job);
  }
}

/** A first question does not hold up those of other books. */
async function ready(manuscript: Manuscript, bookId = ""): Promise<void> {
  const { readyToSearch } = await import("../../service/search/warm-up.ts");
  if (hasBook(manuscript, bookId)) await readyToSearch(manuscript, bookId);
}

function tell(told: FromHelper): void {
  process.send?.(told);
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

/** Nothing runs on a file that the server has closed: it holds what a request is about. */
function closeFile(path: string): void {
  open.get(path)?.close();
  open.delete(path);
}

/** Builds indexes ahead of the first question. A file that cannot be read will tell so to whoever asks. */
async function warm(files: readonly NamedFile[]): Promise<void> {
  const { warmSearch } = await import("../../service/search/warm-up.ts");
  try {
    warmSearch(files.map(manuscriptOf));
  } catch {
    // told to whoever asks
  }
}
