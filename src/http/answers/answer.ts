import { MARKDOWN_TYPE } from "../../contract/enums.ts";
import {
  type Endpoint,
  type EndpointId,
  endpoints,
  type OwnerEndpoint,
  type OwnerEndpointId,
  ownerEndpoints,
  siblings,
} from "../../contract/index.ts";
import { validate } from "../../contract/validate.ts";
import type { Paid } from "../../service/ai/metered-call.ts";
import {
  type Caller,
  ETAG,
  type Manuscript,
  type MayBeTagged,
  retryWhileBusy,
} from "../../service/manuscript.ts";
import type { DocumentFile } from "../../service/publish/publish-book.ts";
import { type Desk, OWNER_HANDLERS, type OwnerCall } from "../../web/owner-handlers.ts";
import { type AnyReply, type EndpointCall, HANDLERS, type Tagged } from "../handlers.ts";
import { createReplays, type Done, REPLAYED, type Replays, readOnce } from "../requests/idempotency.ts";
import { parseBody, queryReader } from "../requests/request.ts";
import type { WorkerRequest, WorkerResponse } from "../worker/messages.ts";

/** Where the API lives on its server. Source: llms.txt, Versions and stability. */
export const BASE_PATH = "/api/v1";

/** Answers the requests of one row, by its shapes and its operation. `cancelled` aborts when nobody waits any more. */
export type Respond = (
  manuscript: Manuscript,
  request: WorkerRequest,
  cancelled: AbortSignal | undefined,
) => WorkerResponse | Promise<WorkerResponse>;

/**
 * Answers a row's requests once key and tier are checked, in the server's process or the worker's: at once if it can, for a
 * promise costs a read some microseconds. Throws what the operation refuses.
 */
export function responder(
  row: Endpoint | OwnerEndpoint,
  replays: Replays,
  server?: Omit<Desk, "sessionId" | "browser">,
): Respond {
  const answer = isOwners(row) ? ownersAnswer(row, server) : contractAnswer(row);
  const readQuery = queryReader(row.query);
  const finish = (asked: WorkerRequest, { reply, isReplay }: Done): WorkerResponse => {
    const done = finishReply(row, asked, reply);
    const own = {
      ...(isReplay ? { [REPLAYED]: "true" } : {}),
      ...(isOwners(row) && row.holdsSecret ? { "Cache-Control": "no-store" } : {}),
    };
    return { ...done, headers: { ...done.headers, ...own } };
  };
  return (manuscript, asked, cancelled) => {
    const body = row.body && asked.body && parseBody(asked.body, row.body);
    const query = readQuery(asked.url);
    const input = {
      params: asked.params, // each is an id, and any text may be one
      query,
      body: row.body === undefined ? undefined : validate(row.body.json, body, "The body"),
    };
    const caller = callerOf(row, asked, { input, dryRun: isSet(query.dryRun) });
    const call = {
      ...input,
      manuscript,
      caller,
      wantsMarkdown: asked.wantsMarkdown,
      lastEventId: row.isStream ? readLastEventId(asked) : undefined,
      gone: cancelled,
    };
    const run = () => answer(call, asked);
    if (caller.once !== undefined)
      return replays.answer(manuscript, caller.once, run).then((done) => finish(asked, done));
    const reply = retryWhileBusy(run);
    return reply instanceof Promise
      ? reply.then((given) => finish(asked, { reply: given, isReplay: false }))
      : finish(asked, { reply, isReplay: false });
  };
}

/** Who asks for a write and how; a dry run is neither kept nor tagged. */
function callerOf(
  row: Endpoint | OwnerEndpoint,
  { headers, keyId, ownOnly, sessionId }: WorkerRequest,
  { input, dryRun }: { input: { params: unknown }; dryRun: boolean },
): Caller {
  const { tagged: record } = row;
  const ids = input.params as Readonly<Record<string, string>>; // the ids of the path
  return {
    source: sessionId === undefined ? "api" : "page",
    keyId,
    ownOnly,
    dryRun,
    seen: readIfMatch(headers["if-match"]),
    isNew: row.method === "PUT" && headers["if-none-match"]?.trim() === "*",
    about: dryRun || record === undefined ? undefined : { record, id: ids[`${record}Id`] },
    once:
      dryRun || !isDoneOnce(row) || headers["idempotency-key"] === undefined
        ? undefined
        : readOnce(row, headers["idempotency-key"], { keyId, input }),
  };
}

const replays = createReplays();
const responders = new Map<string, Respond>();

/** Answers a request of any row, for the worker. A row's responder is made at its first request. */
export async function respond(
  manuscript: Manuscript,
  asked: WorkerRequest,
  cancelled: AbortSignal | undefined,
): Promise<WorkerResponse> {
  let found = responders.get(asked.id);
  if (found === undefined) {
    const rows = [...endpoints, ...siblings, ...ownerEndpoints];
    found = responder(rows.find(({ id }) => id === asked.id)!, replays); // the server took the id from its row
    responders.set(asked.id, found);
  }
  return found(manuscript, asked, cancelled);
}

/** One row's operation on its own checked input. The input was built from the same row that types it. */
type Operation = (call: unknown, asked: WorkerRequest) => AnyReply | Promise<AnyReply>;

function contractAnswer({ id }: Endpoint): Operation {
  const handler = HANDLERS[id as EndpointId] as (
    call: EndpointCall<EndpointId>,
  ) => AnyReply | Promise<AnyReply>;
  return (call) => handler(call as EndpointCall<EndpointId>);
}

/** The same for a row of the owner's, which is told of the server too. */
function ownersAnswer(
  { id }: OwnerEndpoint,
  server: Omit<Desk, "sessionId" | "browser"> | undefined,
): Operation {
  const handler = OWNER_HANDLERS[id as OwnerEndpointId] as (call: unknown) => AnyReply | Promise<AnyReply>;
  return (call, { sessionId, headers }) => {
    const desk = server && { ...server, sessionId, browser: headers["user-agent"] ?? "" };
    return handler({ ...(call as OwnerCall<OwnerEndpointId>), desk });
  };
}

function isOwners(row: Endpoint | OwnerEndpoint): row is OwnerEndpoint {
  return row.tier === "owner" || row.tier === "anyone";
}

/** True for a row whose answer is kept for an `Idempotency-Key`. */
function isDoneOnce(row: Endpoint | OwnerEndpoint): boolean {
  return row.method === "POST" && !(isOwners(row) && !row.keepsReply);
}

const NONE = Buffer.alloc(0);

function finishReply(row: Endpoint | OwnerEndpoint, asked: WorkerRequest, reply: AnyReply): WorkerResponse {
  if ("follow" in reply) return { status: 200, headers: {}, body: NONE, feed: reply };
  if ("etag" in reply) return finishTagged(reply);
  if ("mediaType" in reply) return finishFile(reply);
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
  if ("pending" in reply) return { status: 202, headers: {}, body: asJson(reply) };
  const etag = (reply as MayBeTagged)[ETAG];
  const tag = etag === undefined ? {} : { ETag: `"${etag}"` };
  if (row.created === undefined) return { status: 200, headers: tag, body: asJson(reply) };
  const headers = { Location: locationOf(asked, row.created.location, reply as { id: string }), ...tag };
  return { status: 201, headers, body: asJson(reply) };
}

/** Shown by whoever asks for it as a picture; as a page of its own, a picture runs and loads nothing. */
const PICTURE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

function finishTagged({ etag, body, varies, isMarkdown, pictureType }: Tagged): WorkerResponse {
  const headers = { ETag: `"${etag}"`, ...(varies ? { Vary: "Accept" } : {}) };
  const type: Record<string, string> =
    pictureType !== undefined
      ? { "Content-Type": pictureType, "Content-Security-Policy": PICTURE_POLICY }
      : isMarkdown
        ? { "Content-Type": `${MARKDOWN_TYPE}; charset=utf-8` }
        : {};
  return { status: 200, headers: { ...headers, ...type }, body };
}

/**
 * Saved, not shown: a document is never a page of this server.
 * Source: https://www.rfc-editor.org/rfc/rfc6266.
 */
function finishFile({ body, mediaType, fileName }: DocumentFile): WorkerResponse {
  const plain = fileName.normalize("NFKD").replace(/[^\w .-]+/g, "") || "book";
  const whole = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const headers = {
    "Content-Type": mediaType,
    "Content-Disposition": `attachment; filename="${plain}"; filename*=UTF-8''${whole}`,
    "Content-Security-Policy": "sandbox",
  };
  return { status: 200, headers, body };
}

function asJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

// A header takes nothing but ASCII.
function engineOf({ engine, fallback, missed }: Paid<EndpointId>): string {
  if (fallback !== undefined) return `embedded; fallback=${fallback}`;
  const name = engine.replace(/[^\x20-\x7e]/g, "?");
  return missed === undefined ? name : `${name}; partial=${missed.reason}`;
}

/** The address of what was made: the row's template, relative to the base address that the request came by. */
function locationOf({ params }: WorkerRequest, template: string, { id }: { id: string }): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === "id" ? id : String(params[name]),
  );
  return BASE_PATH + path;
}

function isSet(flag: unknown): boolean {
  return flag === "1" || flag === "true";
}

/** Blank is what a browser sends that was told none. */
function readLastEventId({ headers }: WorkerRequest): string | undefined {
  return String(headers["last-event-id"] ?? "").trim() || undefined;
}

/** The tags that `If-Match` names, any of which will do; undefined if it asks for nothing. A weak tag matches none. */
export function readIfMatch(header: string | undefined): string[] | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  return header.split(",").flatMap((tag) => /^\s*"([^"]+)"\s*$/.exec(tag)?.[1] ?? []);
}
