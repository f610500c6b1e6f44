import type { Response } from "express";

/** Headers of one answer, by their canonical names. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/**
 * Sends finished bytes under the request's id; `body` undefined sends none. One `writeHead` with static headers: helmet
 * costs 13 µs for the same, an entity tag over the body 20 to 50.
 */
export function sendBody(
  response: Response,
  status: number,
  body: Buffer | undefined,
  headers: AnswerHeaders = {},
): void {
  const all: Record<string, string | number> = {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "private, no-cache",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": response.locals.requestId,
  };
  for (const name in headers) all[name] = headers[name]!; // its own name
  if (body !== undefined) all["Content-Length"] = body.length;
  response.writeHead(status, all);
  response.end(body);
}

/** Sends an object as JSON, in the same single `writeHead`. */
export function sendJson(
  response: Response,
  status: number,
  value: unknown,
  headers: AnswerHeaders = {},
): void {
  sendBody(response, status, Buffer.from(JSON.stringify(value)), headers);
}
