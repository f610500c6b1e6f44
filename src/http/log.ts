import type { Response } from "express";

/** How the server tells of its requests. */
export type LogStyle = "line" | "json" | "off";

/** One finished request: never a query, a header or a body. */
interface Entry {
  method: string;
  /** The row's template, or "-" if no row answers. */
  route: string;
  status: number;
  milliseconds: number;
  id: string;
}

/** Writes one line a request, when its answer is on its way. */
export function logRequest(response: Response, style: LogStyle, write: (line: string) => void): void {
  if (style === "off") return;
  const started = performance.now();
  const { method } = response.req;
  response.once("close", () => {
    const { route = "-", requestId: id } = response.locals as { route?: string; requestId: string };
    const milliseconds = Math.round((performance.now() - started) * 10) / 10;
    write(format({ method, route, status: response.statusCode, milliseconds, id }, style));
  });
}

function format(entry: Entry, style: LogStyle): string {
  if (style === "json") return `${JSON.stringify(entry)}\n`;
  return `${entry.method} ${entry.route} ${entry.status} ${entry.milliseconds} ms ${entry.id}\n`;
}
