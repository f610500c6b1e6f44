import type { Request, RequestHandler, Response } from "express";
import type { Endpoint, EndpointId, Tier } from "../contract/index.ts";
import { MARKDOWN_TYPE } from "../contract/media-types.ts";
import { countableLists } from "../contract/minimal.ts";
import { validate } from "../contract/validate.ts";
import { CategoryDisabled } from "../refusals.ts";
import type { Paid } from "../service/ai/metered-call.ts";
import { assertSubscription, type Caller, ETAG, type MayBeTagged } from "../service/manuscript.ts";
import type { Principal } from "./auth.ts";
import { readBody } from "./body.ts";
import { readIfMatch, readIfNoneMatch } from "./entity-tag.ts";
import { type EndpointCall, type EndpointReply, HANDLERS, type Tagged } from "./handlers.ts";
import { BASE_PATH } from "./paths.ts";
import { queryReader } from "./query.ts";
import { type Done, REPLAYED, type Replays, readOnce } from "./replays.ts";
import { sendBody, sendJson } from "./send.ts";

/** What the server as a whole allows. */
export interface BindOptions {
  /** Tiers that are switched off. */
  disable: readonly Tier[];
  /** Aborts when the server stops. */
  stopping?: AbortSignal | undefined;
  replays: Replays;
}

/**
 * The request handler of a row: its gates, its shapes and its operation, in the contract's order of checks. By then the
 * Host is checked and the principal known. Source: llms.txt, Errors.
 */
export function bind(row: Endpoint, { disable, stopping, replays }: BindOptions): RequestHandler {
  const id = row.id as EndpointId;
  const readQuery = queryReader(row.query);
  const countable = countableLists(row.answer);
  const answerWith = (request: Request, response: Response, body: unknown): Promise<void> | undefined => {
    const { manuscript, keyId } = response.locals.principal as Principal;
    const query = readQuery(request.url);
    const input = {
      params: validate(row.params, request.params, "The path"),
      query,
      body: row.body === undefined ? undefined : validate(row.body.json, body, "The body"),
    };
    const caller = callerOf(row, request, { keyId, input, dryRun: isSet(query.dryRun) });
    const call = {
      ...input,
      manuscript,
      caller,
      wantsMarkdown: wantsMarkdown(request),
      holds: readIfNoneMatch(request.headers["if-none-match"]),
      gone: row.tier === "ai" ? untilGone(response, stopping) : undefined,
    };
    const finish = ({ reply, isReplay }: Done) => {
      if (isReplay) response.setHeader(REPLAYED, "true");
      const isCounted = countable.length > 0 && wantsMinimal(request);
      send(request, response, row, isCounted ? withCounts(reply, countable) : reply);
    };
    const done = replays.answer(manuscript, caller.once, () => answer(id, call));
    if (done instanceof Promise) return done.then(finish);
    finish(done);
    return undefined;
  };
  // Whatever can be answered at once is: a promise in between costs a read some microseconds.
  return (request, response) => {
    response.locals.route = row.path;
    const { manuscript, allow } = response.locals.principal as Principal;
    assertTier(row.tier, allow, disable);
    if (row.tier === "write") assertSubscription(manuscript);
    if (row.body === undefined) return answerWith(request, response, undefined);
    return readBody(request, response, row.body).then((body) => answerWith(request, response, body));
  };
}

/** Who asks for a write and how; a dry run is neither kept nor tagged. */
function callerOf(
  row: Endpoint,
  { headers }: Request,
  { keyId, input, dryRun }: { keyId: string | null; input: { params: unknown }; dryRun: boolean },
): Caller {
  const { tagged: record } = row;
  const ids = input.params as Readonly<Record<string, string>>; // the ids of the path
  return {
    source: "api",
    keyId,
    dryRun,
    seen: readIfMatch(headers["if-match"]),
    about: dryRun || record === undefined ? undefined : { record, id: ids[`${record}Id`] },
    once: dryRun ? undefined : readOnce(row, headers["idempotency-key"], { keyId, input }),
  };
}

function assertTier(tier: Tier, allow: readonly Tier[], disable: readonly Tier[]): void {
  if (disable.includes(tier))
    throw new CategoryDisabled(
      `This server does not answer the ${tier} tier; it was started with --disable ${tier}.`,
    );
  if (!allow.includes(tier)) {
    throw new CategoryDisabled(
      `This key allows ${allow.join(" and ")}, not ${tier}; make one with "manuscript key create --allow ${tier}".`,
    );
  }
}

/** One row's operation on its own checked input. The input was built from the same row that types it. */
function answer(
  id: EndpointId,
  call: unknown,
): EndpointReply<EndpointId> | Promise<EndpointReply<EndpointId>> {
  const handler = HANDLERS[id] as (
    call: EndpointCall<EndpointId>,
  ) => EndpointReply<EndpointId> | Promise<EndpointReply<EndpointId>>;
  return handler(call as EndpointCall<EndpointId>);
}

function send(request: Request, response: Response, row: Endpoint, reply: EndpointReply<EndpointId>): void {
  if ("etag" in reply) {
    sendTagged(response, reply);
  } else if ("body" in reply && Buffer.isBuffer(reply.body)) {
    sendBody(response, 200, reply.body);
  } else if ("spent" in reply) {
    const { cost, remaining } = reply.spent;
    const headers = {
      "X-AI-Engine": engineOf(reply),
      "X-Credits-Cost": String(cost),
      "X-Credits-Remaining": remaining === null ? "unlimited" : String(remaining),
    };
    sendJson(response, 200, reply.answer, headers);
  } else {
    const etag = (reply as MayBeTagged)[ETAG];
    const headers = etag === undefined ? {} : { ETag: `"${etag}"` };
    const made =
      row.created === undefined
        ? {}
        : { Location: locationOf(request, row.created.location, reply as { id: string }) };
    sendJson(response, row.created === undefined ? 200 : 201, reply, { ...made, ...headers });
  }
}

function sendTagged(response: Response, { etag, body, varies = false, isMarkdown = false }: Tagged): void {
  const headers = { ETag: `"${etag}"`, ...(varies ? { Vary: "Accept" } : {}) };
  const type = isMarkdown ? { "Content-Type": `${MARKDOWN_TYPE}; charset=utf-8` } : {};
  sendBody(response, body === undefined ? 304 : 200, body, { ...headers, ...type });
}

/** Aborts when the client has left or the server stops; by listeners, for Node 20 collects what `AbortSignal.any` makes. */
function untilGone(response: Response, stopping: AbortSignal | undefined): AbortSignal {
  const left = new AbortController();
  const stop = () => left.abort();
  stopping?.addEventListener("abort", stop, { once: true });
  if (stopping?.aborted) stop();
  response.once("close", () => {
    stopping?.removeEventListener("abort", stop);
    if (!response.writableFinished) stop();
  });
  return left.signal;
}

// A header takes nothing but ASCII.
function engineOf({ engine, fallback }: Paid<EndpointId>): string {
  return fallback === undefined ? engine.replace(/[^\x20-\x7e]/g, "?") : `embedded; fallback=${fallback}`;
}

/** The address of what was made: the row's template, relative to the base address that the request came by. */
function locationOf(request: Request, template: string, { id }: { id: string }): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === "id" ? id : String(request.params[name]),
  );
  return BASE_PATH + path;
}

/** The answer with each of these lists as its length. */
function withCounts(reply: EndpointReply<EndpointId>, keys: readonly string[]): EndpointReply<EndpointId> {
  const lengths = Object.entries(reply).flatMap(([key, value]) =>
    keys.includes(key) && Array.isArray(value) ? [[key, value.length]] : [],
  );
  return { ...reply, ...Object.fromEntries(lengths) };
}

function isSet(flag: unknown): boolean {
  return flag === "1" || flag === "true";
}

function wantsMinimal({ headers }: Request): boolean {
  return headers.prefer !== undefined && /\breturn\s*=\s*minimal\b/i.test(String(headers.prefer));
}

function wantsMarkdown(request: Request): boolean {
  if (!/\btext\/(?:markdown|\*)/i.test(request.headers.accept ?? "")) return false;
  return request.accepts(["application/json", MARKDOWN_TYPE]) === MARKDOWN_TYPE;
}
