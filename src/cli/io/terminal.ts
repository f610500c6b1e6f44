import { statSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import type { ProgressStep } from "../../text/progress.ts";

/** What a command reads and writes: the process's own streams, or a test's. */
export interface Terminal {
  readonly stdout: Writable & { isTTY?: boolean; columns?: number };
  readonly stderr: Writable & { isTTY?: boolean; columns?: number };
  readonly stdin: Readable & { isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative paths start here. */
  readonly cwd: string;
  /** Milliseconds from any moment on; without it the system's. */
  readonly clock?: () => number;
  /** How long an editor that has a file open is waited for when that was replaced, in milliseconds; none without it. */
  readonly settleMs?: number;
  /** The way to a language model; without it the system's. */
  readonly fetch?: typeof fetch;
  /** Stops a server; without it SIGINT and SIGTERM do. */
  readonly stop?: AbortSignal;
}

// An editor that saves in place has opened, written and closed a file within this time.
const SETTLE_MS = 100;

/** The process's own streams. Their errors are told to whoever writes: that a reader has gone is no failure. */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  for (const stream of [stdout, stderr]) stream.on("error", () => {});
  return {
    stdout,
    stderr,
    get stdin() {
      return process.stdin; // a command that reads none need not open it
    },
    env,
    cwd: process.cwd(),
    settleMs: SETTLE_MS,
  };
}

/** Writes to stdout, the result. Whether it was taken: false if the reader has gone. */
export function print({ stdout }: Terminal, result: string | Uint8Array): Promise<boolean> {
  return write(stdout, result);
}

/** Writes a line to stderr, the talk. A control character, as a file's name may hold, is shown and not obeyed. */
export async function talk({ stderr }: Terminal, line: string): Promise<void> {
  const shown = line.replace(
    /(?![\n\t])\p{Cc}/gu,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
  await write(stderr, `${shown}\n`);
}

const GONE = new Set(["EPIPE", "ERR_STREAM_DESTROYED", "ERR_STREAM_WRITE_AFTER_END"]);

function write(stream: Writable, chunk: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve, reject) => {
    stream.write(chunk, (error: (Error & { code?: string }) | null | undefined) => {
      if (error == null) resolve(true);
      else if (GONE.has(error.code ?? "")) resolve(false);
      else reject(error);
    });
  });
}

/** All of stdin. */
export async function readInput({ stdin }: Terminal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** True if stdout is a terminal that shows colours, and the writer wants them. Source: https://no-color.org. */
export function hasColour({ stdout, env }: Terminal): boolean {
  return Boolean(stdout.isTTY) && !env.NO_COLOR && env.TERM !== "dumb";
}

/** The text in a style, if stdout shows styles. */
export function styled(terminal: Terminal, style: "bold" | "dim" | "red" | "green", text: string): string {
  if (!hasColour(terminal)) return text;
  // Imported as a module it would load all of node:util in every command.
  return process.getBuiltinModule("node:util").styleText(style, text, { validateStream: false });
}

const STOPS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** One Ctrl-C may come twice at once: from the terminal and from npm. */
const SAME_MS = 250;

/**
 * Resolves when the user stops the program, its terminal is closed, or a test stops it. From then on another Ctrl-C or
 * SIGTERM ends the process at once; another SIGHUP does not, for shells send on what their terminal has sent already.
 */
export function untilStopped({ stop }: Terminal): Promise<void> {
  return new Promise((resolve) => {
    if (stop?.aborted) resolve();
    else if (stop !== undefined) stop.addEventListener("abort", () => resolve(), { once: true });
    else {
      let since: number | undefined;
      const stopped = (signal: NodeJS.Signals) => {
        since ??= performance.now();
        resolve();
        if (signal === "SIGHUP" || performance.now() - since < SAME_MS) return;
        for (const each of STOPS) process.off(each, stopped);
        process.kill(process.pid, signal);
      };
      for (const signal of STOPS) process.on(signal, stopped);
    }
  });
}

/** Work that takes less time shows no progress. */
const QUIET_MS = 1000;
/** A file of so many bytes takes longer, and SQLite copies and checks it without a word in between. */
const LONG_BYTES = 100e6;
/** Between two looks of the line. */
const EVERY_MS = 100;
const CLEAR = "\r\u001b[K";

/**
 * Runs something long, with a line such as "Importing: 34%" on stderr if that is a terminal, once a second has gone by;
 * it is rewritten in place, and gone before anything else is said. Where a long file is worked on, of so many `bytes`, it is there
 * from the start.
 */
export async function withProgress<Result>(
  { stderr, env, clock = () => performance.now() }: Terminal,
  doing: string,
  run: (step: ProgressStep) => Promise<Result>,
  bytes = 0,
): Promise<Result> {
  if (!stderr.isTTY || env.TERM === "dumb") return await run(() => {});
  const isLong = bytes >= LONG_BYTES;
  let next = clock() + (isLong ? 0 : QUIET_MS);
  let isShown = false;
  const step: ProgressStep = (done, total) => {
    const now = clock();
    if (now < next) return;
    next = now + EVERY_MS;
    isShown = true;
    stderr.write(`${CLEAR}${doing}: ${Math.floor((100 * done) / total)}%`);
  };
  try {
    if (isLong) step(0, 1);
    return await run(step);
  } finally {
    if (isShown) stderr.write(CLEAR);
  }
}

/** How long a file is, for the progress of work on it; 0 where it is not there, which that work says. */
export function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
