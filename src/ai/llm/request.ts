import { setTimeout as wait } from "node:timers/promises";
import { ModelFailure } from "./answer.ts";

/** The server of a language model. */
export interface ModelServer {
  /** The base of its API, without a slash at the end. */
  base: string;
  model: string;
  /** Sent as a bearer token, and nowhere else. */
  key: string | undefined;
  fetch: typeof fetch;
}

/** The one end of everything that a call does: its signal, and how many milliseconds are left until then. */
export interface Deadline {
  signal: AbortSignal;
  leftMs(): number;
  /** Lets go of the clock and of the client: for a call that is over. */
  release(): void;
}

/**
 * The deadline so many milliseconds from now; sooner if `gone` says that nobody waits for the answer any more. It has a
 * timer and a controller of its own: what `AbortSignal.any` and `AbortSignal.timeout` make is held weakly by Node 20, and
 * once collected never fires. Source: https://github.com/nodejs/node/issues/57736.
 */
export function deadlineIn(timeoutMs: number, gone?: AbortSignal): Deadline {
  const end = performance.now() + timeoutMs;
  const over = new AbortController();
  const stop = () => over.abort();
  const timer = setTimeout(stop, timeoutMs);
  const release = () => {
    clearTimeout(timer);
    gone?.removeEventListener("abort", stop);
  };
  gone?.addEventListener("abort", stop, { once: true });
  if (gone?.aborted) stop();
  over.signal.addEventListener("abort", release, { once: true });
  return { signal: over.signal, leftMs: () => end - performance.now(), release };
}

const RETRIES = 2;
const FIRST_PAUSE_MS = 200;
const ANSWER_BYTES = 1024 * 1024;

/**
 * The body of a 2xx answer of `/chat/completions`, at most 1 MiB. A lost connection, 429 and 5xx are tried again twice,
 * after `Retry-After` or a pause that doubles; no redirect is followed: it would carry the prose to an address that
 * nobody allowed. Throws `ModelFailure`, `timeout` the moment the signal says so.
 */
export async function post(server: ModelServer, body: object, deadline: Deadline): Promise<string> {
  const { signal, leftMs } = deadline;
  for (let attempt = 0; ; attempt++) {
    try {
      return await unlessOver(postOnce(server, body, signal), signal);
    } catch (error) {
      if (signal.aborted) throw new ModelFailure("timeout", { cause: error });
      const failure =
        error instanceof ModelFailure ? error : new ModelFailure("unreachable", { cause: error });
      if (attempt === RETRIES || !isPassing(failure)) throw failure;
      const retryAfterMs = failure instanceof Refused ? failure.pauseMs : undefined;
      const pauseMs = retryAfterMs ?? FIRST_PAUSE_MS * 2 ** attempt;
      if (pauseMs >= leftMs()) throw failure;
      await pause(pauseMs, signal);
    }
  }
}

/** The outcome of the work, or a refusal the moment the signal aborts: whatever the work makes of the signal itself. */
async function unlessOver<Done>(work: Promise<Done>, signal: AbortSignal): Promise<Done> {
  let stop = () => {};
  const over = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** An answer other than 2xx; `pauseMs` is its `Retry-After`. */
class Refused extends ModelFailure {
  readonly status: number;
  readonly pauseMs: number | undefined;

  constructor(status: number, pauseMs: number | undefined) {
    super(`http_${status}`);
    this.status = status;
    this.pauseMs = pauseMs;
  }
}

/** True if the server took issue with the request itself: 400 and 422. */
export function isBadRequest(error: unknown): boolean {
  return error instanceof Refused && (error.status === 400 || error.status === 422);
}

function isPassing(failure: ModelFailure): boolean {
  if (failure instanceof Refused) return failure.status === 429 || failure.status >= 500;
  return failure.reason === "unreachable";
}

async function pause(pauseMs: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(pauseMs, undefined, { signal });
  } catch (error) {
    throw new ModelFailure("timeout", { cause: error });
  }
}

async function postOnce(
  { base, key, fetch }: ModelServer,
  body: object,
  signal: AbortSignal,
): Promise<string> {
  const response = await fetch(`${base}/chat/completions`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json",
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
    redirect: "manual",
    signal,
  });
  if (response.ok) return await readAnswer(response);
  await response.body?.cancel();
  const isRedirect = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);
  if (isRedirect) throw new ModelFailure("redirect");
  throw new Refused(response.status, retryAfter(response.headers.get("retry-after")));
}

async function readAnswer(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the body.
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > ANSWER_BYTES) throw new ModelFailure("too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * The pause that a `Retry-After` asks for, in milliseconds; undefined if it asks for none. Source: RFC 9110, 10.2.3.
 */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const pauseMs = /^\s*\d+(\.\d+)?\s*$/.test(header)
    ? Number(header) * 1000
    : Date.parse(header) - Date.now();
  return Number.isFinite(pauseMs) && pauseMs >= 0 ? pauseMs : undefined;
}
