import type { AnswerHeaders, Answering } from "./send.ts";

// What a page of an allowed origin may send and see. No credentials: the key is in a header that the page sets itself.
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const SENT =
  "Authorization, Content-Type, Accept, If-Match, If-None-Match, Prefer, Idempotency-Key, Last-Event-ID";
const SEEN =
  "ETag, Location, Allow, Retry-After, WWW-Authenticate, X-Request-Id, X-AI-Engine, X-Credits-Cost, X-Credits-Remaining, Idempotent-Replayed";
const MAX_AGE_SECONDS = 600;

/** What every answer tells a browser where some origins may ask; `origin` is that of the page, if it is one of them. */
export function corsHeaders(origin: string | undefined): AnswerHeaders {
  if (origin === undefined) return { Vary: "Origin" };
  return { Vary: "Origin", "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": SEEN };
}

/** Answers a browser's question whether the page may ask. Source: https://fetch.spec.whatwg.org/#cors-preflight-fetch. */
export function answerPreflight(response: Answering, origin: string): void {
  response.writeHead(204, {
    ...corsHeaders(origin),
    "Access-Control-Allow-Methods": METHODS,
    "Access-Control-Allow-Headers": SENT,
    "Access-Control-Max-Age": MAX_AGE_SECONDS,
    "X-Request-Id": response.locals.requestId ?? "",
  });
  response.end();
}
