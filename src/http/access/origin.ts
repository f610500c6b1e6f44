import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { BadRequest, ForbiddenOrigin } from "../../refusals.ts";
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
export function assertOwnPage({ host = "", origin = "" }: IncomingHttpHeaders): void {
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
