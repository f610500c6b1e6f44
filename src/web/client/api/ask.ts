import { ROUTES } from "manuscript:routes";
import { signal } from "@preact/signals";
import type { Answer, Operation, Sent } from "./operations.ts";
import { Problem } from "./problem.ts";
import { keepSession, session } from "./session.ts";

/** False while the server cannot be reached. */
export const isOnline = signal(true);

/** An answer with its entity tag; `answer` undefined where the copy that the tag was of is still good. */
export interface Tagged<Id extends Operation> {
  answer: Answer<Id> | undefined;
  etag: string | undefined;
}

/** Asks for an operation of the contract. Throws `Problem`. */
export async function ask<Id extends Operation>(id: Id, sent: Sent<Id>): Promise<Answer<Id>> {
  return (await askTagged(id, sent)).answer as Answer<Id>; // without a tag to compare, there is always an answer
}

/** Asks for an operation; returns the entity tag too. `known` is the tag of a copy that is there. Throws `Problem`. */
export async function askTagged<Id extends Operation>(
  id: Id,
  sent: Sent<Id>,
  known?: string | undefined,
): Promise<Tagged<Id>> {
  const response = await reply(id, sent, known);
  const answer = response.status === 304 ? undefined : await response.json().catch(noAnswer);
  return { answer, etag: response.headers.get("ETag") ?? undefined };
}

/** Asks for an operation; returns the answer as it came, for one that is no JSON. Throws `Problem`. */
export async function reply<Id extends Operation>(
  id: Id,
  sent: Sent<Id>,
  known?: string | undefined,
): Promise<Response> {
  const [path = "", method = "GET"] = ROUTES[id]?.split(" ") ?? [];
  const bearer = session.value;
  const response = await reach(`/api/v1${addressOf(path, sent)}`, {
    method,
    headers: headersOf(method, sent, known),
    body: sent.body === undefined ? null : JSON.stringify(sent.body),
    signal: sent.signal ?? null,
    cache: "no-store",
  });
  if (response.ok || response.status === 304) return response;
  if (response.status === 401 && bearer === session.value) keepSession(""); // else there is another by now
  const {
    error = "unreadable",
    message = `The server answered ${response.status}.`,
    ...more
  } = await response.json().catch(() => ({}));
  throw new Problem(response.status, error, message, more);
}

/** An answer that may have been to something else on its connection, or that another one may follow. */
const PASSING = /^(?:40[08]|5)/;

/** Sends a request; one that only reads once more if it was not answered, or in passing. */
async function reach(url: string, init: RequestInit, isRead = init.method === "GET"): Promise<Response> {
  const response = await fetch(url, init).catch((thrown) => {
    if (init.signal?.aborted) throw thrown;
  });
  if (isRead && PASSING.test(`${response?.status ?? 500}`)) return reach(url, init, false);
  if (response === undefined) return noAnswer();
  isOnline.value = true;
  return response;
}

function noAnswer(): never {
  isOnline.value = false;
  throw new Problem(0, "offline", "The server does not answer.");
}

/** The address of an operation below the base path, its query with it. */
export function addressOf(path: string, sent: { params?: object; query?: object }): string {
  const params = (sent.params ?? {}) as Record<string, string>;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(sent.query ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  return query.size === 0 ? filled : `${filled}?${query}`;
}

function headersOf(
  method: string,
  { body, ifMatch }: { body?: unknown; ifMatch?: string | undefined },
  known: string | undefined,
): Record<string, string> {
  return {
    ...(session.value ? { Authorization: `Bearer ${session.value}` } : {}),
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(ifMatch === undefined ? {} : { "If-Match": ifMatch }),
    ...(known === undefined ? {} : { "If-None-Match": known }),
    ...(method === "POST" ? { "Idempotency-Key": randomKey() } : {}),
  };
}

/** Returns a name that nothing else has. `crypto.randomUUID` is missing where the page came over plain HTTP from another machine. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
