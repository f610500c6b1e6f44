import { type Endpoint, type EndpointId, endpoints } from "../contract/index.ts";
import { MARKDOWN_TYPE } from "../contract/media-types.ts";
import { countableLists } from "../contract/minimal.ts";
import { validate } from "../contract/validate.ts";
import type { Paid } from "../service/ai/metered-call.ts";
import type { Caller, Manuscript } from "../service/manuscript.ts";
import { retryWhileBusy } from "../service/retry-busy.ts";
import { readIfMatch, readIfNoneMatch } from "./entity-tag.ts";
import { type EndpointCall, type EndpointReply, HANDLERS, type Tagged } from "./handlers.ts";
import type { Asked, Finished } from "./helpers/asked.ts";
import { parseBody } from "./parse-body.ts";
import { BASE_PATH } from "./paths.ts";
import { queryReader } from "./query.ts";

/** Answers the requests of one row, by its shapes and its operation. `gone` aborts when nobody waits any more. */
export type Respond = (
  manuscript: Manuscript,
  asked: Asked,
  gone: AbortSignal | undefined,
) => Finished | Promise<Finished>;

/**
 * What answers a row's requests once they have passed the gates, in the server's process or a helper's: at once if it
 * can, for a promise in between costs a read some microseconds. Throws what the operation refuses.
 */
export function responder(row: Endpoint): Respond {
  const id = row.id as EndpointId;
  const readQuery = queryReader(row.query);
  const countable = countableLists(row.answer);
  const finish = (asked: Asked, reply: EndpointReply<EndpointId>) =>
    finishReply(row, asked, wantsMinimal(asked) ? withCounts(reply, countable) : reply);
  return (manuscript, asked, gone) => {
    const body = row.body && asked.body && parseBody(asked.body, row.body);
    const query = readQuery(asked.url);
    const caller: Caller = {
      source: "api",
      keyId: asked.keyId,
      dryRun: isSet(query.dryRun),
      seen: readIfMatch(asked.headers["if-match"]),
    };
    const call = {
      manuscript,
      caller,
      params: validate(row.params, asked.params, "The path"),
      query,
      body: row.body === undefined ? undefined : validate(row.body.json, body, "The body"),
      wantsMarkdown: asked.wantsMarkdown,
      holds: readIfNoneMatch(asked.headers["if-none-match"]),
      gone,
    };
    const reply = retryWhileBusy(() => answer(id, call));
    return reply instanceof Promise ? reply.then((done) => finish(asked, done)) : finish(asked, reply);
  };
}

const responders = new Map<string, Respond>();

/** The answer to a request of any row, for a helper: its row's responder is made at its first request. */
export async function respond(
  manuscript: Manuscript,
  asked: Asked,
  gone: AbortSignal | undefined,
): Promise<Finished> {
  let found = responders.get(asked.id);
  if (found === undefined) {
    found = responder(endpoints.find(({ id }) => id === asked.id)!); // the server took the id from its row
    responders.set(asked.id, found);
  }
  return found(manuscript, asked, gone);
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

function finishReply(row: Endpoint, asked: Asked, reply: EndpointReply<EndpointId>): Finished {
  if ("etag" in reply) return finishTagged(reply);
  if ("body" in reply && Buffer.isBuffer(reply.body)) return { status: 200, headers: {}, body: reply.body };
  if ("spent" in reply) {
    const { cost, remaining } = reply.spent;
    const headers = {
      "X-AI-Engine": engineOf(reply),
      "X-Credits-Cost": String(cost),
      "X-Credits-Remaining": remaining === null ? "unlimited" : String(remaining),
    };
    return { status: 200, headers, body: asJson(reply.answer) };
  }
  if (row.created === undefined) return { status: 200, headers: {}, body: asJson(reply) };
  const headers = { Location: locationOf(asked, row.created.location, reply as { id: string }) };
  return { status: 201, headers, body: asJson(reply) };
}

function finishTagged({ etag, body, isMarkdown = false }: Tagged): Finished {
  const headers = { ETag: `"${etag}"`, Vary: "Accept" };
  const type = isMarkdown ? { "Content-Type": `${MARKDOWN_TYPE}; charset=utf-8` } : {};
  return { status: body === undefined ? 304 : 200, headers: { ...headers, ...type }, body };
}

function asJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

// A header takes nothing but ASCII.
function engineOf({ engine, fallback }: Paid<EndpointId>): string {
  return fallback === undefined ? engine.replace(/[^\x20-\x7e]/g, "?") : `embedded; fallback=${fallback}`;
}

/** The address of what was made: the row's template, relative to the base address that the request came by. */
function locationOf({ params }: Asked, template: string, { id }: { id: string }): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === "id" ? id : String(params[name]),
  );
  return BASE_PATH + path;
}

/** The answer with each of these lists as its length. */
function withCounts(reply: EndpointReply<EndpointId>, keys: readonly string[]): EndpointReply<EndpointId> {
  const lengths = Object.entries(reply).flatMap(([key, value]) =>
    keys.includes(key) && Array.isArray(value) ? [[key, value.length]] : [],
  );
  return lengths.length === 0 ? reply : { ...reply, ...Object.fromEntries(lengths) };
}

function isSet(flag: unknown): boolean {
  return flag === "1" || flag === "true";
}

function wantsMinimal({ headers }: Asked): boolean {
  return headers.prefer !== undefined && /\breturn\s*=\s*minimal\b/i.test(String(headers.prefer));
}
