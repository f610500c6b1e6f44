import { setTimeout as wait } from "node:timers/promises";
import { failureOf } from "./complaint.ts";
import { type ModelAnswer, readCompletion } from "./completion.ts";
import { ModelFailure, Refused } from "./failure.ts";
import { type Fields, fieldsOf } from "./fields.ts";
import { parseJson } from "./parse-json.ts";

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
const WORDS_BYTES = 64 * 1024;

/**
 * Returns the server's answer to a chat, from at most 1 MiB; undefined if that is no completion. A lost connection, 429 and 5xx are tried again twice,
 * after `Retry-After` or a pause that doubles; no redirect is followed: it would carry the prose to an address that
 * nobody allowed. Throws `ModelFailure`, `timeout` the moment the signal says so.
 */
export async function post(
  server: ModelServer,
  body: object,
  deadline: Deadline,
): Promise<ModelAnswer | undefined> {
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
  server: ModelServer,
  body: object,
  signal: AbortSignal,
): Promise<ModelAnswer | undefined> {
  const init = { method: "POST", body: JSON.stringify(body), signal };
  return readCompletion(await fetchText(server, `${server.base}/chat/completions`, init));
}

/** The object at an address of the server, without a second try. Throws `ModelFailure`. */
export async function get(server: ModelServer, url: string, { signal }: Deadline): Promise<Fields> {
  return fieldsOf(parseJson(await unlessOver(fetchText(server, url, { method: "GET", signal }), signal)));
}

async function fetchText(
  { key, fetch }: ModelServer,
  url: string,
  init: { method: string; body?: string; signal: AbortSignal },
): Promise<string> {
  const headers = {
    Accept: "application/json",
    ...(init.body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
  };
  const response = await fetch(url, { ...init, headers, redirect: "manual" });
  const { status } = response;
  if (response.ok) {
    const answer = await readAnswer(response);
    // A server that repeats the key must not bring it into what we answer, or into the file.
    return key ? answer.replaceAll(key, "…") : answer;
  }
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    throw new ModelFailure("redirect");
  }
  throw failureOf(status, await readWords(response), retryAfter(response.headers.get("retry-after")));
}

async function readAnswer(response: Response): Promise<string> {
  const { text, isWhole } = await readUpTo(ANSWER_BYTES, response);
  if (!isWhole) throw new ModelFailure("too_large");
  return text;
}

/** Returns an error's text; "" if its body breaks off. */
async function readWords(response: Response): Promise<string> {
  try {
    return (await readUpTo(WORDS_BYTES, response)).text;
  } catch {
    return "";
  }
}

async function readUpTo(bytes: number, response: Response): Promise<{ text: string; isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const read = (isWhole: boolean) => ({ text: Buffer.concat(chunks).toString("utf8"), isWhole });
  // Leaving the loop early cancels the body.
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > bytes) return read(false);
    chunks.push(chunk);
    if (isLastEvent(chunk)) break;
  }
  return read(true);
}

// Some servers keep a stream open behind its end.
function isLastEvent(chunk: Uint8Array): boolean {
  return /(?:^|\n)data: ?\[DONE\]\s*$/.test(Buffer.from(chunk.subarray(-40)).toString("latin1"));
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
