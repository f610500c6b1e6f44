import type { Express } from "express";
import { guide } from "../contract/documents/llms-sections.ts";
import { openapi } from "../contract/documents/openapi.ts";
import { page } from "../contract/documents/page.ts";
import { BASE_PATH, routeOf } from "./paths.ts";
import { sendBody } from "./send.ts";

/** What describes the API; each is made once for an address and needs no key. Source: llms.txt, Documents. */
const DOCUMENTS = {
  "/openapi.json": {
    type: "application/json; charset=utf-8",
    make: (base: string) => JSON.stringify(openapi(base), null, 2),
  },
  "/llms.txt": { type: "text/plain; charset=utf-8", make: guide },
  "/docs": { type: "text/html; charset=utf-8", make: page },
} as const;

/** The documents' paths, relative to the base path. */
export const DOCUMENT_PATHS: readonly string[] = Object.keys(DOCUMENTS);

const ADDRESSES = 16;
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Answers the documents on the app. */
export function addDocuments(app: Express): void {
  for (const [path, { type, make }] of Object.entries(DOCUMENTS)) {
    const made = new Map<string, Buffer>();
    app.get(routeOf(path), (request, response) => {
      // The base address as the client knows it; its Host was checked before.
      const base = `http://${request.headers.host}${BASE_PATH}`;
      let body = made.get(base);
      if (body === undefined) {
        if (made.size >= ADDRESSES) made.clear();
        body = Buffer.from(make(base));
        made.set(base, body);
      }
      response.locals.route = path;
      sendBody(response, 200, body, { "Content-Type": type, "Content-Security-Policy": POLICY });
    });
  }
}
