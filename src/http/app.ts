import { randomBytes } from "node:crypto";
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import type { Tier } from "../contract/index.ts";
import { NotFound } from "../refusals.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { fixedShelf, joinShelves, type ServedShelf } from "../service/shelf/shelf.ts";
import type { Windows } from "../service/shelf/windows.ts";
import { withoutKeys } from "../text/without-keys.ts";
import { Codes } from "../web/codes.ts";
import { Sessions } from "../web/sessions.ts";
import {
  type Authenticate,
  authenticated,
  createAuthenticate,
  createGuard,
  type GuardOptions,
} from "./access/access.ts";
import { addDocuments } from "./answers/documents.ts";
import { addPage } from "./answers/page.ts";
import { toProblem } from "./answers/problem.ts";
import { ResponseCache } from "./answers/response-cache.ts";
import { type Answering, answerPreflight, corsHeaders, sendJson } from "./answers/send.ts";
import { createReplays } from "./requests/idempotency.ts";
import { addRoutes } from "./requests/routes.ts";
import type { WorkerLike } from "./worker.ts";

/** How the server tells of its requests. */
export type LogStyle = "line" | "json" | "off";

/** What the HTTP face serves, and to whom. */
export interface AppOptions extends GuardOptions {
  manuscripts: readonly Manuscript[];
  /** Further ones, opened when they are requested. */
  shelf?: ServedShelf;
  /** Tiers that this server does not answer. */
  disable?: readonly Tier[];
  log?: LogStyle;
  /** Takes the place of API keys: for the owner's own command, in process. */
  authenticate?: Authenticate;
  /** The pages that are signed in. */
  sessions?: Sessions;
  /** Aborts when the server stops: what waits for a language model is then answered without it. */
  stopping?: AbortSignal;
  /** Answers what is expensive; without it this process answers everything. */
  worker?: WorkerLike;
  /** Size of the response cache in MiB; 64 without it. */
  cacheMib?: number | undefined;
  /** Where copies of the manuscripts are made, if not in their own folders. */
  copiesIn?: string | undefined;
  /** Opens further manuscripts, for a desktop program: a server that ends with its last window. */
  windows?: Windows;
  /** How long a page stays signed in, in milliseconds. */
  sessionMs?: number;
  /** Milliseconds since 1970. */
  clock?: () => number;
  /** Where log lines go. */
  write?: (line: string) => void;
}

const CACHE_MIB = 64;

/** The HTTP face: every row of the contract, the documents and the page, each refusal as the one error body. */
export function createApp(options: AppOptions): Express {
  const {
    disable = [],
    clock = Date.now,
    write = toStderr,
    stopping,
    worker,
    cacheMib = CACHE_MIB,
  } = options;
  const { sessions = new Sessions({ ...options, shelf: wholeShelf(options) }) } = options;
  const authenticate = authenticated(options.authenticate ?? createAuthenticate(sessions, clock));
  const app = express();
  for (const setting of ["x-powered-by", "etag", "query parser"]) app.disable(setting);
  for (const setting of ["case sensitive routing", "strict routing"]) app.enable(setting);
  app.use(begin(options, write));
  addRoutes(app, {
    ...{ authenticate, clock, disable, stopping, worker },
    shelf: sessions.shelf,
    replays: createReplays(),
    cache: new ResponseCache(cacheMib),
    server: {
      ...{ sessions, codes: new Codes(sessions), copiesIn: options.copiesIn },
      windows: options.windows,
      letGo: async () => await worker?.restart(),
    },
  });
  addDocuments(app, authenticate);
  addPage(app, { isApp: options.windows !== undefined });
  app.use(authenticate, () => {
    throw new NotFound("path; GET /api/v1/llms.txt lists them all");
  });
  app.use(failure(write));
  return app;
}

/** Middleware of every request: its id, its line in the log, its origin. It answers a browser's preflight. */
function begin(options: AppOptions, write: (line: string) => void): RequestHandler {
  const { log = "off", cors = [] } = options;
  const checkOrigin = createGuard(options);
  const server = randomBytes(4).toString("hex");
  let count = 0;
  return (request, response, next) => {
    response.locals = { requestId: `${server}-${(++count).toString(36)}` };
    if (log !== "off") logRequest(response, log, write);
    // Where no origin is allowed, no answer has a header of CORS.
    if (cors.length > 0) response.locals.cors = corsHeaders(undefined);
    const origin = checkOrigin(request);
    if (origin !== undefined) response.locals.cors = corsHeaders(origin);
    const { "access-control-request-method": asked } = request.headers;
    if (origin !== undefined && request.method === "OPTIONS" && asked !== undefined)
      answerPreflight(response, origin);
    else next();
  };
}

/** Middleware that answers whatever was thrown, and logs bugs. */
function failure(write: (line: string) => void): ErrorRequestHandler {
  return (thrown, _request, response, _next) => {
    const { requestId = "" } = response.locals;
    const { status, headers, body, bug } = toProblem(thrown, requestId);
    if (bug !== undefined)
      write(`${requestId} ${withoutKeys(bug instanceof Error ? (bug.stack ?? bug.message) : String(bug))}\n`);
    if (response.headersSent) response.destroy();
    else sendJson(response, status, body, headers);
  };
}

/**
 * Writes one line a request, when its answer is on its way: never a query, a header or a body. `route` is the row's
 * template, or "-" if no row answers.
 */
function logRequest(response: Answering, style: LogStyle, write: (line: string) => void): void {
  if (style === "off") return;
  const started = performance.now();
  const { method } = response.req;
  response.once("close", () => {
    const { route = "-", requestId: id = "" } = response.locals;
    const milliseconds = Math.round((performance.now() - started) * 10) / 10;
    const status = response.statusCode;
    if (style === "json") write(`${JSON.stringify({ method, route, status, milliseconds, id })}\n`);
    else write(`${method} ${route} ${status} ${milliseconds} ms ${id}\n`);
  });
}

function toStderr(line: string): void {
  process.stderr.write(line);
}

/** All that is served, as one shelf. */
export function wholeShelf({ manuscripts, shelf }: Pick<AppOptions, "manuscripts" | "shelf">): ServedShelf {
  const fixed = fixedShelf(manuscripts);
  return shelf === undefined ? fixed : joinShelves([fixed, shelf]);
}
