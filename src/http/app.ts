import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import {
  type Endpoint,
  endpoints,
  type OwnerEndpoint,
  ownerEndpoints,
  type Tier,
} from "../contract/index.ts";
import { Gone, MethodNotAllowed, NotFound } from "../refusals.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { withoutKeys } from "../text/without-keys.ts";
import { Codes } from "../web/session/codes.ts";
import { Sessions } from "../web/session/sessions.ts";
import { type BindOptions, bind } from "./bind.ts";
import { answerPreflight, corsHeaders } from "./cors.ts";
import { addDocuments, DOCUMENT_PATHS } from "./documents.ts";
import { type Authenticate, createAuthenticate } from "./door/auth.ts";
import { Failures } from "./door/failures.ts";
import { assertOwnPage, createGuard, type GuardOptions } from "./door/guard.ts";
import type { Helpers } from "./helpers/helpers.ts";
import { type LogStyle, logRequest } from "./log.ts";
import { addPage } from "./page.ts";
import { routeOf } from "./paths.ts";
import { toProblem } from "./problem.ts";
import { createReplays } from "./replays.ts";
import { sendJson } from "./send.ts";

/** What the HTTP face serves, and to whom. */
export interface AppOptions extends GuardOptions {
  manuscripts: readonly Manuscript[];
  /** Tiers that this server does not answer. */
  disable?: readonly Tier[];
  log?: LogStyle;
  /** Takes the place of API keys: for the owner's own command, in process. */
  authenticate?: Authenticate;
  /** The pages that are signed in. */
  sessions?: Sessions;
  /** Aborts when the server stops: what waits for a language model is then answered without it. */
  stopping?: AbortSignal;
  /** Processes that answer what may take long; without them everything is answered in this one. */
  helpers?: Helpers;
  /** Where copies of the manuscripts are made, if not in their own folders. */
  copiesIn?: string | undefined;
  /** Milliseconds since 1970. */
  clock?: () => number;
  /** Where log lines go. */
  write?: (line: string) => void;
}

/** The HTTP face: every row of the contract as a route, each refusal as the one error body. */
export function createApp(options: AppOptions): Express {
  const { manuscripts, disable = [], clock = Date.now, sessions = new Sessions(options) } = options;
  const app = express();
  for (const setting of ["x-powered-by", "etag", "query parser"]) app.disable(setting);
  app.enable("case sensitive routing");
  app.enable("strict routing");
  // One flat list of routes: each router within another costs every request some microseconds.
  app.use(begin(options, createGuard(options)));
  addDocuments(app);
  addPage(app);
  const { stopping, helpers } = options;
  const letGo = async () => await helpers?.renew();
  const server = { sessions, codes: new Codes(sessions), copiesIn: options.copiesIn, letGo };
  const binding = { disable, stopping, helpers, replays: createReplays(), server };
  addSignIn(app, binding, new Failures(clock, "attempts to sign in", "open a new link"));
  app.use(authenticated(options.authenticate ?? createAuthenticate(manuscripts, sessions, clock)));
  addRoutes(app, binding);
  app.use(() => {
    throw new NotFound("path");
  });
  app.use(failed(options.write ?? toStderr));
  return app;
}

function begin(
  { log = "off", write = toStderr, cors = [] }: AppOptions,
  guard: ReturnType<typeof createGuard>,
): RequestHandler {
  const server = randomBytes(4).toString("hex");
  let count = 0;
  return (request, response, next) => {
    response.locals.requestId = `${server}-${(++count).toString(36)}`;
    logRequest(response, log, write);
    // Where no origin is allowed, no answer has a header of CORS.
    if (cors.length > 0) response.locals.cors = corsHeaders(undefined);
    const origin = guard(request);
    if (origin !== undefined) response.locals.cors = corsHeaders(origin);
    if (origin !== undefined && isPreflight(request)) answerPreflight(response, origin);
    else next();
  };
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

function toStderr(line: string): void {
  process.stderr.write(line);
}

function authenticated(authenticate: Authenticate): RequestHandler {
  return (request, response, next) => {
    response.locals.principal = authenticate(request);
    next();
  };
}

/** The rows that anyone may ask, to become somebody: from a page of this very server alone. */
function addSignIn(app: Express, options: BindOptions, failures: Failures): void {
  const [manuscript] = options.server.sessions.manuscripts;
  const visitor = { manuscript, keyId: null, allow: [], isOwner: false };
  for (const row of ownerEndpoints.filter(({ tier }) => tier === "anyone")) {
    const answer = bind(row, options);
    app.post(routeOf(row.path), async (request, response) => {
      assertOwnPage(request.headers);
      response.locals.principal = visitor; // whose manuscript it is, the sessions find out
      const address = request.socket.remoteAddress;
      if (row.id === "createCode") failures.add(address);
      try {
        await answer(request, response, () => {});
      } catch (error) {
        if (error instanceof Gone) failures.add(address);
        throw error;
      }
    });
  }
}

/** Every path with its rows and then its refusal of other methods; a fixed path before one with a parameter there. */
function addRoutes(app: Express, options: BindOptions): void {
  const byPath = new Map<string, (Endpoint | OwnerEndpoint)[]>(DOCUMENT_PATHS.map((path) => [path, []]));
  for (const row of [...endpoints, ...ownerEndpoints])
    byPath.set(row.path, [...(byPath.get(row.path) ?? []), row]);
  const paths = [...byPath].sort(([a], [b]) => Number(a.includes("{")) - Number(b.includes("{")));
  for (const [path, rows] of paths) {
    const route = app.route(routeOf(path));
    for (const row of rows) route[row.method.toLowerCase() as "get"](bind(row, options));
    const methods = rows.length === 0 ? ["GET"] : rows.map(({ method }) => method);
    route.all((request) => {
      throw new MethodNotAllowed(request.method, methods.includes("GET") ? [...methods, "HEAD"] : methods);
    });
  }
}

function failed(write: (line: string) => void): ErrorRequestHandler {
  return (thrown, _request, response, _next) => {
    const { requestId } = response.locals as { requestId: string };
    const { status, headers, body, bug } = toProblem(thrown, requestId);
    if (bug !== undefined)
      write(`${requestId} ${withoutKeys(bug instanceof Error ? (bug.stack ?? bug.message) : String(bug))}\n`);
    if (response.headersSent) response.destroy();
    else sendJson(response, status, body, headers);
  };
}
