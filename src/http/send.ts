import type { IncomingMessage, ServerResponse } from "node:http";
import type { Asker } from "./door/auth.ts";

/** Headers of one answer, by their canonical names. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** An answer under way: Node's own, with what is known of its request by now. An answer of Express is one, too. */
export interface Answering extends ServerResponse<IncomingMessage> {
  locals: {
    /** Of every request, from the beginning. */
    requestId?: string;
    /** Of the row that answers. */
    route?: string;
    principal?: Asker;
    /** Of every answer, where some origins may ask. */
    cors?: AnswerHeaders;
  };
}

/**
 * Sends finished bytes under the request's id; `body` undefined sends none. One `writeHead` with static headers: helmet
 * costs 13 µs for the same, an entity tag over the body 20 to 50.
 */
export function sendBody(
  response: Answering,
  status: number,
  body: Buffer | undefined,
  headers: AnswerHeaders = {},
): void {
  const all = headersOf(response, headers);
  if (body !== undefined) all["Content-Length"] = body.length;
  // Whoever waits for leave may never send that body: what came next would be taken for it.
  if (awaitsLeave(response.req) && isStillSent(response.req)) response.shouldKeepAlive = false;
  response.writeHead(status, all);
  endWhenRead(response, body);
}

/** Sends the head of an answer whose end is not known yet. */
export function sendHead(response: Answering, status: number, headers: AnswerHeaders): void {
  response.writeHead(status, headersOf(response, headers));
  response.flushHeaders();
}

function headersOf(response: Answering, headers: AnswerHeaders): Record<string, string | number> {
  const all: Record<string, string | number> = {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "private, no-cache",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": response.locals.requestId ?? "",
  };
  for (const name in headers) all[name] = headers[name]!; // its own name
  const { cors } = response.locals;
  if (cors !== undefined)
    Object.assign(all, cors, all.Vary === undefined ? {} : { Vary: `${all.Vary}, Origin` });
  return all;
}

/** Sends an object as JSON, in the same single `writeHead`. */
export function sendJson(
  response: Answering,
  status: number,
  value: unknown,
  headers: AnswerHeaders = {},
): void {
  sendBody(response, status, Buffer.from(JSON.stringify(value)), headers);
}

/** A client that waits for leave to send its body may not send it any more. */
const UNSENT_MS = 250;

/**
 * Ends an answer at once, but reads on until the client has sent its body: a connection that is closed before breaks the
 * pipe of a client that writes first and reads then. How long that may take is the server's `requestTimeout`.
 */
export function endWhenRead(response: ServerResponse, body: Buffer | undefined): void {
  const { req: request } = response;
  if (!isStillSent(request)) {
    response.end(body);
    return;
  }
  if (body === undefined) response.flushHeaders();
  else response.write(body);
  const end = () => response.end();
  request.once("end", end).once("close", end).resume();
  if (awaitsLeave(request)) {
    const timer = setTimeout(end, UNSENT_MS);
    response.once("close", () => clearTimeout(timer));
  }
}

/** True if the client sends its body only when it is told to, or after a while. Source: RFC 9110, 10.1.1. */
export function awaitsLeave({ headers }: IncomingMessage): boolean {
  return headers.expect?.toLowerCase() === "100-continue";
}

/** True while the client is sending a body that nobody waits for. Of a request without one `complete` is said too late. */
function isStillSent({ complete, headers }: IncomingMessage): boolean {
  return (
    !complete && (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0)
  );
}
