import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { ErrorRequestHandler, RequestHandler } from "express";
import { TIERS } from "../../contract/enums.ts";
import type { Endpoint, OwnerEndpoint, Tier } from "../../contract/index.ts";
import { LIMITS } from "../../contract/limits.ts";
import {
  BadRequest,
  CategoryDisabled,
  ForbiddenOrigin,
  Gone,
  RateLimited,
  Unauthorized,
  Unavailable,
} from "../../refusals.ts";
import { findHolder, isLiving, type KeyHolder, writerOf } from "../../service/account/keys.ts";
import type { Admission } from "../../service/feed/feed.ts";
import { assertSubscription, type Manuscript } from "../../service/manuscript.ts";
import type { ServedShelf } from "../../service/shelf/shelf.ts";
import { SESSION_PREFIX, type Sessions } from "../../web/sessions.ts";
import { isShellPath } from "../../web/shell.ts";
import { hostName, webOrigin } from "../hosts.ts";

/** Who may ask besides this machine's own programs; every other page is refused. */
export interface GuardOptions {
  /** Names of this machine, besides the loopback ones, that a Host header may have. */
  allowHosts?: readonly string[];
  /** Origins whose pages may ask and read, exactly as browsers write them. */
  cors?: readonly string[];
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Lets through what no web page can have sent: the Host is this machine's, so a rebound name is refused; the Origin, if
 * any, is our own; the browser does not say that another site asks, but for a visit to the page's empty shell. Runs before
 * anything else. Its result is the origin of a page that may ask all the same, else undefined. Source:
 * docs/decisions/009-keys-no-cookie.md.
 */
export function createGuard({
  allowHosts = [],
  cors = [],
}: GuardOptions): (request: IncomingMessage) => string | undefined {
  const hosts = new Set([...LOOPBACK, ...allowHosts.map(hostName)]);
  const origins = new Set(cors.map(webOrigin));
  return (request) => {
    const { headers } = request;
    assertOneHost(request.rawHeaders);
    const host = headers.host?.toLowerCase() ?? "";
    if (!hosts.has(host.replace(/:\d*$/, ""))) {
      throw new ForbiddenOrigin(
        "The Host header names another machine; ask for 127.0.0.1 or localhost, or start the server with --allow-host.",
      );
    }
    const { origin, "sec-fetch-site": site = "none" } = headers;
    if (origin !== undefined && origins.has(origin)) return origin;
    const isForeign = origin !== undefined && !isOwnOrigin(origin, host);
    const isElsewhere = site !== "same-origin" && site !== "none" && !isVisit(request);
    if (isForeign || isElsewhere) {
      throw new ForbiddenOrigin(
        "Pages of other sites may not reach this server; call it from a program, or start the server with --cors ORIGIN.",
      );
    }
    return undefined;
  };
}

/** Throws `ForbiddenOrigin` unless the browser says that a page of this very server asks. */
function assertOwnPage({ host = "", origin = "" }: IncomingHttpHeaders): void {
  if (!isOwnOrigin(origin, host.toLowerCase()))
    throw new ForbiddenOrigin(
      "Only the page that this server itself shows may sign in, or ask as the owner.",
    );
}

function isOwnOrigin(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}

/**
 * True for a reader's way to the shell by a link elsewhere, such as the file that opens the page: it becomes a whole tab of
 * its own, and whoever led there can neither read it nor ask by it.
 */
function isVisit({ method, url = "", headers }: IncomingMessage): boolean {
  const { "sec-fetch-mode": mode, "sec-fetch-dest": dest } = headers;
  return (
    method === "GET" && mode === "navigate" && dest === "document" && isShellPath(url.replace(/\?.*/, ""))
  );
}

// Node keeps the first of several, another program on the way may have looked at the last. Source: RFC 9112, 3.2.
function assertOneHost(rawHeaders: readonly string[]): void {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!; // within the list
    if (name.length === HOST.length && name.toLowerCase() === HOST) count++;
  }
  if (count > 1) throw new BadRequest("The request has several Host headers; send one.");
}

const HOST = "host";

/** Whose manuscript a request is about, and what its key allows. */
export interface Principal extends Pick<KeyHolder, "allow"> {
  manuscript: Manuscript;
  /** Null without one: for a page that is signed in, and the owner's own command. */
  keyId: string | null;
  /** May call the owner's rows. */
  isOwner: boolean;
  /** Of a page that is signed in. */
  sessionId?: string;
  /** Refuses with `Unauthorized` once the key or the session opens nothing any more: for an answer that goes on. */
  admission?: Admission;
}

/** Who asks, of whom the manuscript may not be known yet: a page that signs in. */
export type Asker = Omit<Principal, "manuscript"> & Partial<Pick<Principal, "manuscript">>;

/**
 * Finds out who asks; a promise if that is to be asked again, once, when it has resolved. Throws `RateLimited`,
 * `Unauthorized`, and `Unavailable` if the manuscript cannot be opened, or is not where it was.
 */
export type Authenticate = (request: IncomingMessage) => Principal;

/** Middleware that finds out who asks. */
export function authenticated(authenticate: Authenticate): RequestHandler {
  return (request, response, next) => {
    response.locals.principal = authenticate(request);
    next();
  };
}

/** Middleware that throws `CategoryDisabled` and `SubscriptionRequired` unless a caller may use this row. */
export function allowed(row: Endpoint | OwnerEndpoint, disabled: readonly Tier[]): RequestHandler {
  const { tier } = row;
  return (_, response, next) => {
    response.locals.route = row.path;
    const { isOwner, allow, manuscript } = response.locals.principal as Principal;
    if (tier === "owner") assertOwner(isOwner);
    else if (tier !== "anyone") assertTier({ ...row, tier }, allow, disabled);
    if (tier === "write") assertSubscription(manuscript);
    next();
  };
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
  disabled: readonly Tier[],
): void {
  if (disabled.includes(tier))
    throw new CategoryDisabled(
      `This server does not answer the ${tier} tier; it was started with --disable ${tier}.`,
    );
  // Who may write may propose.
  if (allow.includes(tier) || (tier === "propose" && allow.includes("write"))) return;
  const mayPropose = tier === "write" && allow.includes("propose") && !disabled.includes("propose");
  if (mayPropose && ownByProposers) return;
  const own = mayPropose ? ", apart from notes and proposals of its own" : "";
  throw new CategoryDisabled(
    `This key allows ${allow.join(" and ")}, not ${tier}${own}; make one with "manuscript key create --allow ${tier}".`,
  );
}

/** Attempts to sign in, in vain, are counted by address. */
export interface VisitorOptions {
  /** Milliseconds since 1970. */
  clock: () => number;
}

/**
 * Middleware of the rows that anyone may ask, to become somebody: from a page of this very server alone. `enter` lets a visitor
 * in, `count` counts those whose token or code opened nothing.
 */
export function visitor({ clock }: VisitorOptions): {
  enter: (row: OwnerEndpoint) => RequestHandler;
  count: ErrorRequestHandler;
} {
  const failures = new Failures(clock, "attempts to sign in", "open a new link");
  // The sessions find out whose manuscript it is.
  const principal: Asker = { keyId: null, allow: [], isOwner: false };
  return {
    enter: (row) => (request, response, next) => {
      assertOwnPage(request.headers);
      response.locals.principal = principal;
      if (row.id === "createCode") failures.add(request.socket.remoteAddress);
      next();
    },
    count: (error, request, _response, next) => {
      if (error instanceof Gone) failures.add(request.socket.remoteAddress);
      next(error);
    },
  };
}

/**
 * Authentication by bearer: a key, which names the file that it opens, or the session of a page. Failed keys are counted by
 * address: beyond ten a minute they are answered 429. A valid key is never limited. Source: llms.txt, The key.
 */
export function createAuthenticate(sessions: Sessions, clock: () => number): Authenticate {
  const { shelf } = sessions;
  const failures = new Failures(clock);
  return (request) => {
    const header = request.headers.authorization;
    const bearer = /^bearer +(\S+)$/i.exec(header ?? "")?.[1];
    if (bearer === undefined) {
      throw new Unauthorized(
        'Send your API key as "Authorization: Bearer <API_KEY>"; make one with "manuscript key create".',
      );
    }
    if (bearer.startsWith(SESSION_PREFIX)) {
      // A page that --cors names may ask with a key of its own, never as the owner.
      if (request.headers.origin !== undefined) assertOwnPage(request.headers);
      return ownerOf(sessions, bearer);
    }
    const writer = writerOf(bearer) ?? "";
    const manuscript = writer === "" ? undefined : shelf.find(writer);
    assertInPlace(shelf, manuscript); // before anything is read of it, the key itself too
    const holder = manuscript === undefined ? undefined : findHolder(manuscript, bearer);
    if (manuscript === undefined || holder === undefined) {
      failures.add(request.socket.remoteAddress);
      throw new Unauthorized(
        'This API key opens nothing: it is mistyped, revoked, expired or of another file. Make one with "manuscript key create".',
      );
    }
    const { keyId, allow } = holder;
    const assert = () => {
      if (!isLiving(manuscript, keyId)) throw new Unauthorized(ENDED);
    };
    return { manuscript, keyId, allow, isOwner: false, admission: { name: keyId, assert } };
  };
}

function assertInPlace(shelf: ServedShelf, manuscript: Manuscript | undefined): void {
  try {
    manuscript?.store.state();
  } catch (error) {
    if (manuscript !== undefined) shelf.lose(manuscript); // the next request looks for it anew
    throw error;
  }
}

const ENDED = 'This API key was revoked or has expired. Make another with "manuscript key create".';
const SIGNED_OUT =
  'This page is signed out: its session is older than twelve hours, was ended, or the server was started again. Sign in with "manuscript open".';

// Not counted: a page left open asks on after its session's end, and nobody guesses 256 bits.
function ownerOf(sessions: Sessions, bearer: string): Principal {
  const find = () => {
    const session = sessions.find(bearer);
    if (session === undefined) throw new Unauthorized(SIGNED_OUT);
    return session;
  };
  const { writer, id } = find();
  const { shelf } = sessions;
  const manuscript = shelf.find(writer);
  if (manuscript === undefined)
    throw new Unavailable(
      "The manuscript of this page is not where it was; put its file back, and try again.",
    );
  assertInPlace(shelf, manuscript);
  return {
    manuscript,
    keyId: null,
    allow: TIERS,
    isOwner: true,
    sessionId: id,
    admission: { name: id, assert: find },
  };
}

const MINUTE_MS = 60_000;
const ADDRESSES = 10_000;

/** What was tried in vain, by the address that it came from: more than ten a minute are made to wait. */
class Failures {
  readonly #clock: () => number;
  readonly #what: string;
  readonly #remedy: string;
  readonly #seen = new Map<string, { since: number; count: number }>();

  /** Of `what`, and what to do in its stead, for the refusal. */
  constructor(clock: () => number, what?: string, remedy?: string) {
    this.#clock = clock;
    this.#what = what ?? "failed keys";
    this.#remedy = remedy ?? "send a valid key";
  }

  /** Counts one more. Throws `RateLimited` beyond ten within a minute. */
  add(address = ""): void {
    const now = this.#clock();
    const seen = this.#seen.get(address);
    const window = seen === undefined || now - seen.since >= MINUTE_MS ? { since: now, count: 0 } : seen;
    if (window.count >= LIMITS.failedKeys)
      throw new RateLimited(Math.ceil((window.since + MINUTE_MS - now) / 1000), this.#what, this.#remedy);
    window.count++;
    if (this.#seen.size >= ADDRESSES) this.#seen.clear();
    this.#seen.set(address, window);
  }
}
