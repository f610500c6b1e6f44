import type { IncomingMessage } from "node:http";
import { ForbiddenOrigin } from "../refusals.ts";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Lets through what no web page can have sent: the Host is this machine's, so a rebound name is refused; the Origin, if
 * any, is our own; the browser does not say that another site asks. Runs before anything else. Source:
 * docs/decisions/009-keys-no-cookie.md.
 */
export function createGuard(allowHosts: readonly string[]): (request: IncomingMessage) => void {
  const allowed = new Set([...LOOPBACK, ...allowHosts.map((host) => host.toLowerCase())]);
  return ({ headers }) => {
    const host = headers.host?.toLowerCase() ?? "";
    if (!allowed.has(host.replace(/:\d*$/, ""))) {
      throw new ForbiddenOrigin(
        "The Host header names another machine; ask for 127.0.0.1 or localhost, or start the server with --allow-host.",
      );
    }
    const { origin, "sec-fetch-site": site = "none" } = headers;
    const isForeign = origin !== undefined && hostOf(origin) !== host;
    if (isForeign || (site !== "same-origin" && site !== "none")) {
      throw new ForbiddenOrigin(
        "Pages of other sites may not reach this server; call it from a program instead.",
      );
    }
  };
}

function hostOf(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    return undefined; // "null", the origin of a sandboxed page
  }
}
