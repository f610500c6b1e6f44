import type { IncomingMessage, ServerResponse } from "node:http";
import type { Asker } from "../access/access.ts";
import type { SentBody, WorkerResponse } from "../worker/messages.ts";

/** Headers of one answer, by their canonical names. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** An answer under way, Node's own or Express's, with what middleware has found out about its request. */
export interface Answering extends ServerResponse<IncomingMessage> {
  locals: {
    requestId?: string;
    /** The path of the row that answers. */
    route?: string;
    principal?: Asker;
    /** Sent with every answer where some origins may ask. */
    cors?: AnswerHeaders;
    /** Read, where the row takes one. */
    body?: SentBody;
    /** Puts the answer into the response cache. */
    keep?: (response: WorkerResponse) => void;
  };
}

/** Sends a finished answer; 304 without its body if `If-None-Match` names its entity tag. */
export function sendResponse(response: Answering, { status, headers, body }: WorkerResponse): void {
  const { ETag: tag } = headers;
  const { "if-none-match": known } = response.req.headers;
  if (tag === undefined || known === undefined || !isKnown(response.req.method, known, tag)) {
    sendBody(response, status, body, headers);
    return;
  }
  const { "Content-Type": _, ...others } = headers;
  sendBody(response, 304, undefined, others);
}

/** Compares weakly: a proxy may have made the tag a weak one. */
function isKnown(method: string | undefined, known: string, tag: string): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return known.split(",").some((one) => ["*", tag].includes(one.trim().replace(/^W\//, "")));
}

/**
 * Sends finished bytes under the request's id; `body` undefined sends none. One `writeHead` with static headers: helmet
 * costs 13 µs for the same, an entity tag over the body 20 to 50.
 */
export function sendBody(
  response: Answering,
  status: number,
  body: Buffer | undefined,
  headers: AnswerHeaders = {},
): void {
  const all = headersOf(response, headers);
  if (body !== undefined) all["Content-Length"] = body.length;
  // Whoever waits for leave may never send that body: what came next would be taken for it.
  if (awaitsLeave(response.req) && isStillSent(response.req)) response.shouldKeepAlive = false;
  response.writeHead(status, all);
  endWhenRead(response, body);
}

/** Sends the head of an answer whose end is not known yet. */
export function sendHead(response: Answering, status: number, headers: AnswerHeaders): void {
  response.writeHead(status, headersOf(response, headers));
  response.flushHeaders();
}

function headersOf(response: Answering, headers: AnswerHeaders): Record<string, string | number> {
  const all: Record<string, string | number> = {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "private, no-cache",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": response.locals.requestId ?? "",
  };
  for (const name in headers) all[name] = headers[name]!; // its own name
  const { cors } = response.locals;
  if (cors !== undefined)
    Object.assign(all, cors, all.Vary === undefined ? {} : { Vary: `${all.Vary}, Origin` });
  return all;
}

/** Sends an object as JSON, in the same single `writeHead`. */
export function sendJson(
  response: Answering,
  status: number,
  value: unknown,
  headers: AnswerHeaders = {},
): void {
  sendBody(response, status, Buffer.from(JSON.stringify(value)), headers);
}

/** A client that waits for leave to send its body may not send it any more. */
const UNSENT_MS = 250;

/**
 * Ends an answer at once, but reads on until the client has sent its body: a connection that is closed before breaks the
 * pipe of a client that writes first and reads then. How long that may take is the server's `requestTimeout`.
 */
function endWhenRead(response: ServerResponse, body: Buffer | undefined): void {
  const { req: request } = response;
  if (!isStillSent(request)) {
    response.end(body);
    return;
  }
  if (body === undefined) response.flushHeaders();
  else response.write(body);
  const end = () => response.end();
  request.once("end", end).once("close", end).resume();
  if (awaitsLeave(request)) {
    const timer = setTimeout(end, UNSENT_MS);
    response.once("close", () => clearTimeout(timer));
  }
}

/** True if the client sends its body only when it is told to, or after a while. Source: RFC 9110, 10.1.1. */
export function awaitsLeave({ headers }: IncomingMessage): boolean {
  return headers.expect?.toLowerCase() === "100-continue";
}

/** True while the client is sending a body that nobody waits for. Of a request without one `complete` is said too late. */
function isStillSent({ complete, headers }: IncomingMessage): boolean {
  return (
    !complete && (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0)
  );
}

// Headers that a page of an allowed origin may send and see. No credentials: the key is in a header that the page sets itself.
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const SENT = "Authorization, Content-Type, Accept, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID";
const SEEN =
  "ETag, Location, Allow, Retry-After, WWW-Authenticate, X-Request-Id, X-AI-Engine, X-Credits-Cost, X-Credits-Remaining, Idempotent-Replayed";
const MAX_AGE_SECONDS = 600;

/** Headers of every answer where some origins may ask; `origin` is the page's, if it is allowed. */
export function corsHeaders(origin: string | undefined): AnswerHeaders {
  if (origin === undefined) return { Vary: "Origin" };
  return { Vary: "Origin", "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": SEEN };
}

/** Answers a browser's question whether the page may ask. Source: https://fetch.spec.whatwg.org/#cors-preflight-fetch. */
export function answerPreflight(response: Answering, origin: string): void {
  response.writeHead(204, {
    ...corsHeaders(origin),
    "Access-Control-Allow-Methods": METHODS,
    "Access-Control-Allow-Headers": SENT,
    "Access-Control-Max-Age": MAX_AGE_SECONDS,
    "X-Request-Id": response.locals.requestId ?? "",
  });
  response.end();
}
