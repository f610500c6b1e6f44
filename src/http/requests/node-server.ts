import { randomUUID } from "node:crypto";
import { once } from "node:events";
import http, {
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Server, Socket } from "node:net";
import type { Express } from "express";
import { LIMITS } from "../../contract/limits.ts";
import { BadRequest, HeadersTooLarge, Unavailable } from "../../refusals.ts";
import { toProblem } from "../answers/problem.ts";
import { sendJson } from "../answers/send.ts";

// Node's own HTTP server below Express. Its time-outs end the connections of clients that send nothing, or too slowly.

const UNREADABLE = "This is not an HTTP request that the server can read.";
const TOO_SLOW = "The request did not come whole in time; send it again.";

/** Makes a server of an app; it does not listen yet. */
export function createHttpServer(app: Express): http.Server {
  const server = http.createServer({
    requireHostHeader: false, // access.ts refuses it, as JSON
    maxHeaderSize: LIMITS.headerBytes,
    // A client that sends its headers by the letter holds nothing up for long.
    headersTimeout: 10_000,
    requestTimeout: 60_000,
    keepAliveTimeout: 30_000,
    connectionsCheckingInterval: 2000,
  });
  const answer: RequestListener = (request, response) => {
    if (readTarget(request)) app(request, response);
    else refuseUnreadable(response);
  };
  server.on("request", answer);
  server.on("checkContinue", answer); // leave to send a body is given where the body is wanted
  // An expectation that is not known is none: the request itself can still be answered.
  server.on("checkExpectation", answer);
  server.on("clientError", (error, socket) => refuseMalformed(error, socket as Socket));
  server.on("connect", (_, socket) => refuseMalformed(undefined, socket as Socket)); // this is no proxy
  return server;
}

/**
 * True if a request's target can be read. A whole address is taken apart: its path becomes the target and its host the Host, as
 * they were written, in place of any Host header. Source: RFC 9112, 3.2.2 and 6.1.
 */
function readTarget(request: IncomingMessage): boolean {
  const { url = "", headers } = request;
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && coding.trim().toLowerCase() !== "chunked") return false;
  if (url.startsWith("/") || url === "*") return true;
  if (!URL.canParse(url)) return false;
  const [, host = "", rest = ""] = /^https?:\/\/([^/?#]*)([^#]*)/i.exec(url) ?? [];
  headers.host = host;
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
  return true;
}

function refuseUnreadable(response: ServerResponse): void {
  const requestId = randomUUID();
  const { status, body } = toProblem(new BadRequest(UNREADABLE), requestId);
  response.shouldKeepAlive = false;
  sendJson(Object.assign(response, { locals: { requestId } }), status, body);
}

const refused = new WeakSet<Socket>();

/**
 * Ends a connection over which no readable request came. If nothing came at all, without a word: a browser would take a
 * refusal as the answer to its next request.
 */
function refuseMalformed(error: NodeJS.ErrnoException | undefined, socket: Socket): void {
  if (socket.bytesRead === 0) {
    // The timer of a time-out runs before what has just arrived is read.
    setImmediate(() => socket.bytesRead === 0 && socket.destroy());
  } else if (!refused.has(socket)) {
    refused.add(socket); // Node reports every further byte
    endWith(socket, error?.code);
  }
}

/** Time for a refused client to read its answer: destroying the connection earlier would lose it. */
const LINGER_MS = 1000;

/** Sends the one error body, after the answers that are still due, and closes the connection. */
function endWith(socket: Socket, code: string | undefined): void {
  // The response under way, by which `closeIdleConnections` goes, too.
  const { _httpMessage: current } = socket as { _httpMessage?: ServerResponse | null };
  if (current?.req.complete) {
    current.once("close", () => endWith(socket, code));
    return;
  }
  socket.on("error", () => {}).resume(); // of CONNECT nobody else listens to it
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  // A request that is answered before it is whole has its answer.
  if (socket.writable) socket.end(current?.headersSent ? "" : refusal(code));
}

function refusal(code = ""): string {
  const error =
    code === "HPE_HEADER_OVERFLOW"
      ? new HeadersTooLarge()
      : new BadRequest(code.includes("TIMEOUT") ? TOO_SLOW : UNREADABLE);
  const requestId = randomUUID();
  const { status, body } = toProblem(error, requestId);
  const json = JSON.stringify(body);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `X-Request-Id: ${requestId}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(json)}`,
    "Connection: close",
    "",
    json,
  ].join("\r\n");
}

/** Resolves once the server listens. Throws `Unavailable` if it cannot. */
export async function listen(
  server: Server,
  where: { host: string; port: number } | { path: string },
): Promise<void> {
  try {
    await once(server.listen(where), "listening");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE" && "port" in where)
      throw new Unavailable(
        `Port ${where.port} is taken by another program; choose one with --port, or --port 0 for any free one.`,
      );
    if (/^(EACCES|EADDRNOTAVAIL|ENOTFOUND)$/.test(code))
      throw new Unavailable(`This address cannot be listened on (${code}); choose another --host or --port.`);
    throw error;
  }
}

/** Answers under way may take this long when the server stops. */
const END_MS = 1000;

/** Stops a server, and resolves once no connection is left. */
export function close(server: http.Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), END_MS);
  return new Promise((resolve) => {
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
