import express, { type Request, type RequestHandler } from "express";
import { MARKDOWN_TYPE } from "../../contract/enums.ts";
import type { Endpoint, OwnerEndpoint, RowId, Tier } from "../../contract/index.ts";
import type { ServedShelf } from "../../service/shelf/shelf.ts";
import type { Desk } from "../../web/owner-handlers.ts";
import { allowed, type Principal } from "../access/access.ts";
import { responder } from "../answers/answer.ts";
import { sendEvents } from "../answers/event-stream.ts";
import type { ResponseCache } from "../answers/response-cache.ts";
import { type Answering, sendResponse } from "../answers/send.ts";
import type { SentBody, WorkerRequest, WorkerResponse } from "../worker/messages.ts";
import { STOPPING, type WorkerLike } from "../worker.ts";
import type { Replays } from "./idempotency.ts";
import { assertFits, readBody } from "./request.ts";

/** Everything that answering a row needs. */
export interface RowOptions {
  /** Tiers that are switched off. */
  disable: readonly Tier[];
  /** Aborts when the server stops. */
  stopping?: AbortSignal | undefined;
  /** Answers what is expensive; without it this process answers everything. */
  worker?: WorkerLike | undefined;
  replays: Replays;
  /** Keeps open what is being answered. */
  shelf: ServedShelf;
  cache: ResponseCache;
  /** The server, for the owner's rows. */
  server: Omit<Desk, "sessionId" | "browser">;
}

/** A longer body is expensive for a row whose cost is that of a chapter: 64 KiB of ordinary Markdown take some 30 ms. */
const EXPENSIVE_BYTES = 64 * 1024;

/** The middleware of a row, in the contract's order of checks: tier, body, response cache, answer. Source: llms.txt, Errors. */
export function middlewareOf(row: Endpoint | OwnerEndpoint, options: RowOptions): RequestHandler[] {
  const { body } = row;
  // A file would take the room of many answers.
  const isShort = row.cost !== "book" && !row.isStream && row.mediaTypes === undefined;
  const isCached = row.method === "GET" && row.tier === "read" && isShort;
  return [
    allowed(row, options.disable),
    ...(body === undefined ? [] : [holding(options.shelf, bodyReader(body))]),
    ...(isCached ? [options.cache.middleware] : []),
    holding(options.shelf, answerer(row, options)),
  ];
}

/**
 * The middleware of the row that shares this one's route: it answers bodies with its key, and leaves others to the next route.
 * Its own tier and limit are checked once the body is read.
 */
export function siblingMiddlewareOf(row: Endpoint, options: RowOptions): RequestHandler[] {
  const { body, sibling } = row;
  if (sibling === undefined || body === undefined) return [];
  const { key, row: other } = sibling;
  const isIts: RequestHandler = (_request, response, next) =>
    next(hasKey(response.locals.body, key) ? undefined : "route");
  const fits: RequestHandler = (_request, response, next) => {
    assertFits(response.locals.body, other.body ?? body);
    next();
  };
  const answer = holding(options.shelf, answerer(other, options));
  return [
    allowed(row, options.disable),
    holding(options.shelf, bodyReader(body)),
    ...[isIts, allowed(other, options.disable), fits, answer],
  ];
}

/** True for a JSON object with this key. Whoever reads the body says what else is wrong with it. */
function hasKey({ bytes }: SentBody, key: string): boolean {
  try {
    return Object.hasOwn(JSON.parse(Buffer.from(bytes).toString()), key);
  } catch {
    return false;
  }
}

/** Keeps the manuscript open as long as this middleware works. */
function holding(shelf: ServedShelf, middleware: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const done = middleware(request, response, next);
    const { manuscript } = response.locals.principal as Partial<Principal>; // a visitor has none
    if (done instanceof Promise && manuscript !== undefined) shelf.hold(manuscript, done);
    return done;
  };
}

function bodyReader(body: NonNullable<Endpoint["body"]>): RequestHandler {
  return async (request, response, next) => {
    response.locals.body ??= await readBody(request, response, body);
    next();
  };
}

/** Answers from here or by the worker: at once where possible, for a promise costs a read some microseconds. */
function answerer(row: Endpoint | OwnerEndpoint, options: RowOptions): RequestHandler {
  const { stopping, worker, replays, disable } = options;
  const respond = responder(row, replays, options.server);
  return (request, response: Answering) => {
    const principal = response.locals.principal as Principal;
    const { manuscript, admission } = principal;
    const asked = requestOf(
      row,
      request,
      response,
      !principal.allow.includes("write") || disable.includes("write"),
    );
    const isWorkers = worker !== undefined && isExpensive(row, asked);
    const isLong = row.tier === "ai" || row.isStream || isWorkers;
    const cancelled = isLong ? untilCancelled(response, stopping) : undefined;
    const done =
      isWorkers && cancelled !== undefined
        ? worker.answer(manuscript, {
            ...{ request: asked, cancelled, requestId: response.locals.requestId ?? "" },
          })
        : respond(manuscript, asked, cancelled);
    const finish = (finished: WorkerResponse) => {
      const { feed } = finished;
      if (feed !== undefined && cancelled !== undefined)
        return sendEvents(response, feed, { gone: cancelled, admission });
      response.locals.keep?.(finished);
      sendResponse(response, finished);
      return undefined;
    };
    return done instanceof Promise ? done.then(finish) : finish(done);
  };
}

/** True for what would hold up others: a book's worth of work, or a long body for a chapter. */
function isExpensive({ cost }: Endpoint | OwnerEndpoint, { body }: WorkerRequest): boolean {
  return cost === "book" || (cost === "chapter" && (body?.bytes.byteLength ?? 0) > EXPENSIVE_BYTES);
}

function requestOf(
  row: Endpoint | OwnerEndpoint,
  request: Request,
  { locals }: Answering,
  ownOnly: boolean,
): WorkerRequest {
  const { keyId, sessionId } = locals.principal as Principal;
  return {
    id: row.id as RowId,
    params: joined(request.params),
    url: request.originalUrl,
    headers: request.headers,
    wantsMarkdown: wantsMarkdown(request),
    ...{ keyId, ownOnly, sessionId, body: locals.body },
  };
}

/** The parameters of a path; one with slashes comes in pieces. */
function joined(params: Request["params"]): WorkerRequest["params"] {
  const { path } = params;
  const whole = Array.isArray(path) ? { ...params, path: path.join("/") } : params;
  return whole as WorkerRequest["params"]; // no other is a wildcard
}

/** Aborts when the client has left or the server stops; by listeners, for Node 20 collects what `AbortSignal.any` makes. */
function untilCancelled(response: Answering, stopping: AbortSignal | undefined): AbortSignal {
  const cancelling = new AbortController();
  const stop = () => cancelling.abort(STOPPING);
  stopping?.addEventListener("abort", stop, { once: true });
  if (stopping?.aborted) stop();
  response.once("close", () => {
    stopping?.removeEventListener("abort", stop);
    if (!response.writableFinished) cancelling.abort();
  });
  return cancelling.signal;
}

function wantsMarkdown({ headers }: Request): boolean {
  const accepted = headers.accept ?? "";
  if (!/\btext\/(?:markdown|\*)/i.test(accepted)) return false;
  // Of a type's parameters only its weight counts: `charset=utf-8` asks for nothing else.
  const accept = accepted.replace(/;(?!\s*q\s*=)[^;,]*/gi, "");
  // Express reads the header of whatever it is called on.
  return (
    express.request.accepts.call({ headers: { accept } } as Request, "application/json", MARKDOWN_TYPE) ===
    MARKDOWN_TYPE
  );
}
