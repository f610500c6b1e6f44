import type { IncomingMessage } from "node:http";
import express, { type Request } from "express";
import type { Endpoint, EndpointId, OwnerEndpoint, RowId, Tier } from "../contract/index.ts";
import { MARKDOWN_TYPE } from "../contract/media-types.ts";
import { CategoryDisabled } from "../refusals.ts";
import { isDear } from "../service/dear.ts";
import { assertSubscription, type Manuscript } from "../service/manuscript.ts";
import type { ServedShelf } from "../service/shelf/shelf.ts";
import type { Desk } from "../web/owner/handlers.ts";
import { assertFits, readBody } from "./body.ts";
import type { Principal } from "./door/auth.ts";
import { sendEvents } from "./event-stream.ts";
import type { Asked, Finished, SentBody } from "./helpers/asked.ts";
import type { Helpers, Work } from "./helpers/helpers.ts";
import { STOPPING } from "./helpers/lane.ts";
import { type KeptReads, momentOf } from "./kept-reads.ts";
import type { Replays } from "./replays.ts";
import { responder } from "./respond.ts";
import { type Answering, sendBody } from "./send.ts";

/** What the server as a whole allows. */
export interface BindOptions {
  /** Tiers that are switched off. */
  disable: readonly Tier[];
  /** Aborts when the server stops. */
  stopping?: AbortSignal | undefined;
  /** Processes that answer what may take long; without them everything is answered in this one. */
  helpers?: Helpers | undefined;
  replays: Replays;
  /** Keeps open what is being answered. */
  shelf: ServedShelf;
  reads: KeptReads;
  /** What the owner's rows know of the server. */
  server: Omit<Desk, "sessionId" | "browser">;
}

/** Answers a request of one row; `params` are those of its path. */
export type RowHandler = (
  request: IncomingMessage,
  response: Answering,
  params: () => Asked["params"],
) => Promise<void> | undefined;

/**
 * The request handler of a row: its gates, and its answer from here or a helper, in the contract's order of checks. By
 * then the Host is checked and the principal known. Source: llms.txt, Errors.
 */
export function bind(row: Endpoint | OwnerEndpoint, options: BindOptions): RowHandler {
  const assertOpen = gateOf(row, options.disable);
  const answer = answererOf(row, options);
  const other = row.sibling && {
    ...row.sibling,
    assertOpen: gateOf(row.sibling.row, options.disable),
    answer: answererOf(row.sibling.row, options),
  };
  const handle: RowHandler = (request, response, params) => {
    response.locals.route = row.path;
    assertOpen(response.locals.principal as Principal);
    if (row.body === undefined) return answer(request, response, { params });
    return readBody(request, response, row.body).then((body) => {
      if (other === undefined || !hasKey(body, other.key)) return answer(request, response, { params, body });
      other.assertOpen(response.locals.principal as Principal);
      if (other.row.body !== undefined) assertFits(body, other.row.body);
      return other.answer(request, response, { params, body });
    });
  };
  return (request, response, params) => {
    const done = handle(request, response, params);
    const manuscript = response.locals.principal?.manuscript; // a visitor has none
    if (done instanceof Promise && manuscript !== undefined) options.shelf.hold(manuscript, done);
    return done;
  };
}

/** What throws `CategoryDisabled` and `SubscriptionRequired` unless a caller may ask for this row. */
function gateOf(row: Endpoint | OwnerEndpoint, disable: readonly Tier[]): (principal: Principal) => void {
  const { tier } = row;
  if (tier === "anyone") return () => {};
  if (tier === "owner") return ({ isOwner }) => assertOwner(isOwner);
  return ({ manuscript, allow }) => {
    assertTier({ ...row, tier }, allow, disable);
    if (tier === "write") assertSubscription(manuscript);
  };
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

type Answerer = (
  request: IncomingMessage,
  response: Answering,
  sent: { params: () => Asked["params"]; body?: SentBody },
) => Promise<void> | undefined;

/** Reads that are asked for again and again, by pages, editors and agents, and that nothing changes but a write. */
const KEPT: ReadonlySet<RowId> = new Set<EndpointId>([
  "listBooks",
  "readOutline",
  "listFacts",
  "readFact",
  "readStoryMap",
  "listSnippets",
  "readSnippet",
  "readChapter",
  "listRevisions",
  "listMilestones",
]);

function answererOf(row: Endpoint | OwnerEndpoint, options: BindOptions): Answerer {
  const answer = answererAnew(row, options);
  if (!KEPT.has(row.id as RowId)) return answer;
  const { reads } = options;
  return (request, response, sent) => {
    const { manuscript } = response.locals.principal as Principal;
    const { url = "" } = request;
    const name = row.hasBareForm === true && wantsMarkdown(request) ? `${url} bare` : url;
    const kept = reads.find(manuscript, name, request.headers["if-none-match"]);
    if (kept === undefined) {
      const moment = momentOf(manuscript); // a helper may take long, and the file may be put back meanwhile
      return answer(request, response, {
        ...sent,
        keep: (done) => reads.keep(manuscript, name, moment, done),
      });
    }
    sendBody(response, kept.status, kept.body, kept.headers);
    return undefined;
  };
}

function answererAnew(
  row: Endpoint | OwnerEndpoint,
  { stopping, helpers, replays, server }: BindOptions,
): (
  request: IncomingMessage,
  response: Answering,
  sent: Parameters<Answerer>[2] & { keep?: (done: Finished) => void },
) => Promise<void> | undefined {
  const respond = responder(row, replays, server);
  // Whatever can be answered at once is: a promise in between costs a read some microseconds.
  return (request, response, { params, body, keep }) => {
    const { manuscript, keyId, allow, sessionId, admission } = response.locals.principal as Principal;
    const ownOnly = row.tier === "write" && !allow.includes("write");
    const asked = askedOf(row, request, { params: params(), keyId, ownOnly, sessionId, body });
    const work = helpers && workOf(manuscript, asked);
    const isLong = row.tier === "ai" || row.isStream || work !== undefined;
    const gone = isLong ? untilGone(response, stopping) : undefined;
    const done =
      helpers === undefined || work === undefined || gone === undefined
        ? respond(manuscript, asked, gone)
        : helpers.ask(work, manuscript, { asked, requestId: response.locals.requestId ?? "", gone });
    const finish = (finished: Finished) => {
      keep?.(finished);
      return send(response, finished, gone, admission);
    };
    return done instanceof Promise ? done.then(finish) : finish(done);
  };
}

function send(
  response: Answering,
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
  request: IncomingMessage,
  sent: Pick<Asked, "params" | "keyId" | "ownOnly" | "sessionId" | "body">,
): Asked {
  return {
    id: row.id as RowId,
    url: request.url ?? "",
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

function assertTier(
  { tier, ownByProposers }: Pick<Endpoint, "tier" | "ownByProposers">,
  allow: readonly Tier[],
  disable: readonly Tier[],
): void {
  if (disable.includes(tier))
    throw new CategoryDisabled(
      `This server does not answer the ${tier} tier; it was started with --disable ${tier}.`,
    );
  // Who may write may propose.
  if (allow.includes(tier) || (tier === "propose" && allow.includes("write"))) return;
  const mayPropose = tier === "write" && allow.includes("propose") && !disable.includes("propose");
  if (mayPropose && ownByProposers) return;
  const own = mayPropose ? ", apart from notes and proposals of its own" : "";
  throw new CategoryDisabled(
    `This key allows ${allow.join(" and ")}, not ${tier}${own}; make one with "manuscript key create --allow ${tier}".`,
  );
}

/** Aborts when the client has left or the server stops; by listeners, for Node 20 collects what `AbortSignal.any` makes. */
function untilGone(response: Answering, stopping: AbortSignal | undefined): AbortSignal {
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

function wantsMarkdown({ headers }: IncomingMessage): boolean {
  const asked = headers.accept ?? "";
  if (!/\btext\/(?:markdown|\*)/i.test(asked)) return false;
  // Of a type's parameters only its weight counts: `charset=utf-8` asks for nothing else.
  const accept = asked.replace(/;(?!\s*q\s*=)[^;,]*/gi, "");
  // Express reads the header of whatever it is asked on.
  return (
    express.request.accepts.call({ headers: { accept } } as Request, "application/json", MARKDOWN_TYPE) ===
    MARKDOWN_TYPE
  );
}
