import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import express, { type ErrorRequestHandler, type Express } from "express";
import type { Tier } from "../contract/index.ts";
import { NotFound } from "../refusals.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { fixedShelf, joinShelves, type ServedShelf } from "../service/shelf/shelf.ts";
import { withoutKeys } from "../text/without-keys.ts";
import { Codes } from "../web/session/codes.ts";
import { Sessions } from "../web/session/sessions.ts";
import { answerPreflight, corsHeaders } from "./cors.ts";
import { addDocuments } from "./documents.ts";
import { type Authenticate, createAuthenticate, whoAsks } from "./door/auth.ts";
import { Failures } from "./door/failures.ts";
import { createGuard, type GuardOptions } from "./door/guard.ts";
import type { Helpers } from "./helpers/helpers.ts";
import { KeptReads } from "./kept-reads.ts";
import { type LogStyle, logRequest } from "./log.ts";
import { addPage } from "./page.ts";
import { toProblem } from "./problem.ts";
import { createReplays } from "./replays.ts";
import { type AnswerRow, rowsAnswerer } from "./rows.ts";
import { type Answering, sendJson } from "./send.ts";

/** What the HTTP face serves, and to whom. */
export interface AppOptions extends GuardOptions {
  manuscripts: readonly Manuscript[];
  /** Those that are opened when they are asked for, besides. */
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
  /** Processes that answer what may take long; without them everything is answered in this one. */
  helpers?: Helpers;
  /** Megabytes of finished answers that are kept, to be given again while nothing is written; 64 without it. */
  keptMib?: number | undefined;
  /** Where copies of the manuscripts are made, if not in their own folders. */
  copiesIn?: string | undefined;
  /** Milliseconds since 1970. */
  clock?: () => number;
  /** Where log lines go. */
  write?: (line: string) => void;
}

/** Megabytes of finished answers that are kept by default. */
const KEPT_MIB = 64;

/** The HTTP face: every row of the contract, the documents and the page, each refusal as the one error body. */
export function createApp(options: AppOptions): Express {
  return createFace(options).app;
}

/** The HTTP face, and what of it answers the contract's rows: asked first, it saves them the way through Express. */
export interface Face {
  app: Express;
  answerRow: AnswerRow;
}

/** The same as `createApp`, for a server of ours. */
export function createFace(options: AppOptions): Face {
  const {
    disable = [],
    clock = Date.now,
    sessions = new Sessions({ ...options, shelf: wholeShelf(options) }),
  } = options;
  const { shelf } = sessions;
  const { stopping, helpers, keptMib = KEPT_MIB } = options;
  const begin = beginner(options, createGuard(options));
  const fail = failer(options.write ?? toStderr);
  const authenticate = options.authenticate ?? createAuthenticate(sessions, clock);
  const letGo = async () => await helpers?.renew();
  const server = { sessions, codes: new Codes(sessions), copiesIn: options.copiesIn, letGo };
  const answerRow = rowsAnswerer({
    ...{ disable, stopping, helpers, replays: createReplays(), reads: new KeptReads(keptMib), server, shelf },
    ...{ begin, authenticate, fail, failures: new Failures(clock, "attempts to sign in", "open a new link") },
  });
  const app = express();
  for (const setting of ["x-powered-by", "etag", "query parser"]) app.disable(setting);
  app.enable("case sensitive routing");
  app.enable("strict routing");
  app.use((request, response, next) => (answerRow(request, response) ? undefined : next()));
  app.use((request, response, next) => (begin(request, response) ? next() : undefined));
  addDocuments(app);
  addPage(app);
  app.use((request, response) =>
    whoAsks(authenticate, request, (principal) => {
      response.locals.principal = principal;
      throw new NotFound("path");
    }),
  );
  const failed: ErrorRequestHandler = (thrown, _request, response, _next) => fail(thrown, response);
  app.use(failed);
  return { app, answerRow };
}

/** What every request meets first; false if that was its answer. */
function beginner(
  { log = "off", write = toStderr, cors = [] }: AppOptions,
  guard: ReturnType<typeof createGuard>,
): (request: IncomingMessage, response: Answering) => boolean {
  const server = randomBytes(4).toString("hex");
  let count = 0;
  return (request, response) => {
    response.locals = { requestId: `${server}-${(++count).toString(36)}` };
    logRequest(response, log, write);
    // Where no origin is allowed, no answer has a header of CORS.
    if (cors.length > 0) response.locals.cors = corsHeaders(undefined);
    const origin = guard(request);
    if (origin !== undefined) response.locals.cors = corsHeaders(origin);
    if (origin === undefined || !isPreflight(request)) return true;
    answerPreflight(response, origin);
    return false;
  };
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

function toStderr(line: string): void {
  process.stderr.write(line);
}

/** All that is served, as one shelf. */
export function wholeShelf({ manuscripts, shelf }: Pick<AppOptions, "manuscripts" | "shelf">): ServedShelf {
  const fixed = fixedShelf(manuscripts);
  return shelf === undefined ? fixed : joinShelves([fixed, shelf]);
}

function failer(write: (line: string) => void): (thrown: unknown, response: Answering) => void {
  return (thrown, response) => {
    const { requestId = "" } = response.locals;
    const { status, headers, body, bug } = toProblem(thrown, requestId);
    if (bug !== undefined)
      write(`${requestId} ${withoutKeys(bug instanceof Error ? (bug.stack ?? bug.message) : String(bug))}\n`);
    if (response.headersSent) response.destroy();
    else sendJson(response, status, body, headers);
  };
}
