import type { Answering } from "./send.ts";

/** How the server tells of its requests. */
export type LogStyle = "line" | "json" | "off";

/**
 * Writes one line a request, when its answer is on its way: never a query, a header or a body. `route` is the row's
 * template, or "-" if no row answers.
 */
export function logRequest(response: Answering, style: LogStyle, write: (line: string) => void): void {
  if (style === "off") return;
  const started = performance.now();
  const { method } = response.req;
  response.once("close", () => {
    const { route = "-", requestId: id = "" } = response.locals;
    const milliseconds = Math.round((performance.now() - started) * 10) / 10;
    const status = response.statusCode;
    if (style === "json") write(`${JSON.stringify({ method, route, status, milliseconds, id })}\n`);
    else write(`${method} ${route} ${status} ${milliseconds} ms ${id}\n`);
  });
}
