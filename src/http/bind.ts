import type { Request, RequestHandler, Response } from "express";
import type { Endpoint, OwnerEndpoint, RowId, Tier } from "../contract/index.ts";
import { MARKDOWN_TYPE } from "../contract/media-types.ts";
import { CategoryDisabled } from "../refusals.ts";
import { isDear } from "../service/dear.ts";
import { assertSubscription, type Manuscript } from "../service/manuscript.ts";
import type { Desk } from "../web/owner/handlers.ts";
import { assertFits, readBody } from "./body.ts";
import type { Principal } from "./door/auth.ts";
import { sendEvents } from "./event-stream.ts";
import type { Asked, Finished, SentBody } from "./helpers/asked.ts";
import type { Helpers, Work } from "./helpers/helpers.ts";
import { STOPPING } from "./helpers/lane.ts";
import type { Replays } from "./replays.ts";
import { responder } from "./respond.ts";
import { sendBody } from "./send.ts";

/** What the server as a whole allows. */
export interface BindOptions {
  /** Tiers that are switched off. */
  disable: readonly Tier[];
  /** Aborts when the server stops. */
  stopping?: AbortSignal | undefined;
  /** Processes that answer what may take long; without them everything is answered in this one. */
  helpers?: Helpers | undefined;
  replays: Replays;
  /** What the owner's rows know of the server. */
  server: Omit<Desk, "sessionId" | "browser">;
}

/**
 * The request handler of a row: its gates, and its answer from here or a helper, in the contract's order of checks. By
 * then the Host is checked and the principal known. Source: llms.txt, Errors.
 */
export function bind(row: Endpoint | OwnerEndpoint, options: BindOptions): RequestHandler {
  const answer = answererOf(row, options);
  const answerOther = row.sibling && answererOf(row.sibling.row, options);
  return (request, response) => {
    response.locals.route = row.path;
    assertOpen(row, response.locals.principal as Principal, options.disable);
    if (row.body === undefined) return answer(request, response);
    return readBody(request, response, row.body).then((body) => {
      if (answerOther === undefined || row.sibling === undefined || !hasKey(body, row.sibling.key))
        return answer(request, response, body);
      assertOpen(row.sibling.row, response.locals.principal as Principal, options.disable);
      if (row.sibling.row.body !== undefined) assertFits(body, row.sibling.row.body);
      return answerOther(request, response, body);
    });
  };
}

/** Throws `CategoryDisabled` and `SubscriptionRequired` unless this caller may ask for this row. */
function assertOpen(
  row: Endpoint | OwnerEndpoint,
  { manuscript, allow, isOwner }: Principal,
  disable: readonly Tier[],
): void {
  if (row.tier === "owner") assertOwner(isOwner);
  else if (row.tier !== "anyone") assertTier(row.tier, allow, disable);
  if (row.tier === "write") assertSubscription(manuscript);
}

// A key stands in the bytes as it is, and only a body that holds it is parsed for it here.
function hasKey({ bytes }: SentBody, key: string): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!text.includes(`"${key}"`)) return false;
  try {
    return Object.hasOwn(Object(JSON.parse(text.toString())), key);
  } catch {
    return false; // whoever reads the body says what is wrong with it
  }
}

type Answerer = (request: Request, response: Response, body?: SentBody) => Promise<void> | undefined;

function answererOf(
  row: Endpoint | OwnerEndpoint,
  { stopping, helpers, replays, server }: BindOptions,
): Answerer {
  const respond = responder(row, replays, server);
  // Whatever can be answered at once is: a promise in between costs a read some microseconds.
  return (request, response, body) => {
    const { manuscript, keyId, sessionId, admission } = response.locals.principal as Principal;
    const asked = askedOf(row, request, { keyId, sessionId, body });
    const work = helpers && workOf(manuscript, asked);
    const isLong = row.tier === "ai" || row.isStream || work !== undefined;
    const gone = isLong ? untilGone(response, stopping) : undefined;
    const done =
      helpers === undefined || work === undefined || gone === undefined
        ? respond(manuscript, asked, gone)
        : helpers.ask(work, manuscript, { asked, requestId: response.locals.requestId, gone });
    return done instanceof Promise
      ? done.then((finished) => send(response, finished, gone, admission))
      : send(response, done, gone, admission);
  };
}

function send(
  response: Response,
  { status, headers, body, feed }: Finished,
  gone: AbortSignal | undefined,
  admission: Principal["admission"],
): Promise<void> | undefined {
  if (feed !== undefined && gone !== undefined) return sendEvents(response, feed, { gone, admission });
  sendBody(response, status, body, headers);
  return undefined;
}

function askedOf(
  row: Endpoint | OwnerEndpoint,
  request: Request,
  sent: Pick<Asked, "keyId" | "sessionId" | "body">,
): Asked {
  return {
    id: row.id as RowId,
    params: request.params as Asked["params"], // no route of ours has a wildcard, which would make lists
    url: request.url,
    headers: request.headers,
    wantsMarkdown: wantsMarkdown(request),
    ...sent,
  };
}

/** Which helper is to answer; undefined for what is answered here. */
function workOf(manuscript: Manuscript, { id, params, url, body }: Asked): Work | undefined {
  if (!isDear(manuscript, { id, params, url, bodyBytes: body?.bytes.byteLength ?? 0 })) return undefined;
  return id === "searchBook" ? "search" : "other";
}

function assertOwner(isOwner: boolean): void {
  if (isOwner) return;
  throw new CategoryDisabled(
    'This is for the owner alone, and no API key opens it: ask from the page that "manuscript open" opens, or with "manuscript api".',
  );
}

function assertTier(tier: Tier, allow: readonly Tier[], disable: readonly Tier[]): void {
  if (disable.includes(tier))
    throw new CategoryDisabled(
      `This server does not answer the ${tier} tier; it was started with --disable ${tier}.`,
    );
  // Who may write may propose.
  if (!allow.includes(tier) && !(tier === "propose" && allow.includes("write"))) {
    throw new CategoryDisabled(
      `This key allows ${allow.join(" and ")}, not ${tier}; make one with "manuscript key create --allow ${tier}".`,
    );
  }
}

/** Aborts when the client has left or the server stops; by listeners, for Node 20 collects what `AbortSignal.any` makes. */
function untilGone(response: Response, stopping: AbortSignal | undefined): AbortSignal {
  const left = new AbortController();
  const stop = () => left.abort(STOPPING);
  stopping?.addEventListener("abort", stop, { once: true });
  if (stopping?.aborted) stop();
  response.once("close", () => {
    stopping?.removeEventListener("abort", stop);
    if (!response.writableFinished) left.abort();
  });
  return left.signal;
}

function wantsMarkdown({ headers, accepts }: Request): boolean {
  const asked = headers.accept ?? "";
  if (!/\btext\/(?:markdown|\*)/i.test(asked)) return false;
  // Of a type's parameters only its weight counts: `charset=utf-8` asks for nothing else.
  const accept = asked.replace(/;(?!\s*q\s*=)[^;,]*/gi, "");
  // Express reads the header of whatever it is asked on.
  return (
    accepts.call({ headers: { accept } } as Request, "application/json", MARKDOWN_TYPE) === MARKDOWN_TYPE
  );
}
