import express, { type Request } from "express";
import { guide } from "../contract/guide.ts";
import { openapi } from "../contract/openapi.ts";
import { page } from "../contract/page.ts";
import { sendBody } from "./send.ts";

/** What describes the API; each is made once for an address and needs no key. Source: spec, Versioning. */
const DOCUMENTS = {
  "/openapi.json": {
    type: "application/json; charset=utf-8",
    make: (base: string) => JSON.stringify(openapi(base), null, 2),
  },
  "/llms.txt": { type: "text/plain; charset=utf-8", make: guide },
  "/docs": { type: "text/html; charset=utf-8", make: page },
} as const;

const ADDRESSES = 16;

/** The routes of the documents, relative to the base path. */
export function documents(): express.Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const [path, { type, make }] of Object.entries(DOCUMENTS)) {
    const made = new Map<string, Buffer>();
    router.get(path, (request, response) => {
      const base = baseUrl(request);
      let body = made.get(base);
      if (body === undefined) {
        if (made.size >= ADDRESSES) made.clear();
        body = Buffer.from(make(base));
        made.set(base, body);
      }
      response.locals.route = path;
      const policy =
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
      sendBody(response, 200, body, { "Content-Type": type, "Content-Security-Policy": policy });
    });
  }
  return router;
}

/** The base address as the client knows it; its Host was checked before. */
function baseUrl(request: Request): string {
  return `http://${request.headers.host}${request.baseUrl}`;
}
