import type { Express, Request, RequestHandler } from "express";
import { page } from "../../contract/docs-page.ts";
import { guide } from "../../contract/guide.ts";
import { openapi } from "../../contract/openapi.ts";
import { methodNotAllowed } from "../requests/routes.ts";
import { BASE_PATH } from "./answer.ts";
import { HTML_HEADERS, sendShell } from "./page.ts";
import { sendBody } from "./send.ts";

interface Document {
  type: string;
  make: (base: string) => string;
}

const PAGE: Document = { type: "text/html; charset=utf-8", make: page };
const GUIDE: Document = { type: "text/plain; charset=utf-8", make: guide };

/** What describes the API; each is made once for an address and needs no key. Source: llms.txt, Documents. */
const DOCUMENTS: Readonly<Record<string, Document>> = {
  "/openapi.json": {
    type: "application/json; charset=utf-8",
    make: (base) => JSON.stringify(openapi(base), null, 2),
  },
  "/llms.txt": GUIDE,
  "/docs": PAGE,
};

/** The documents' paths, relative to the base path. */
export const DOCUMENT_PATHS: readonly string[] = Object.keys(DOCUMENTS);

/** Where people look first: a browser gets a page, at the very front the owner's, and anything else the guide. */
const DOORS = [BASE_PATH, `${BASE_PATH}/`];

const ADDRESSES = 16;
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Answers the documents on the app: below the base path, and without it too. Other methods need a key to be refused. */
export function addDocuments(app: Express, authenticate: RequestHandler): void {
  const made = new Map<string, Buffer>();
  const bodyOf = ({ make, type }: Document, path: string, request: Request): Buffer => {
    // The base address as the client knows it; its Host was checked before.
    const base = `http://${request.headers.host}${BASE_PATH}`;
    const name = `${path} ${type} ${base}`;
    let body = made.get(name);
    if (body === undefined) {
      if (made.size >= ADDRESSES) made.clear();
      body = Buffer.from(make(base));
      made.set(name, body);
    }
    return body;
  };
  const answer = (route: string | string[], path: string, choose: (request: Request) => Document) => {
    app.get(route, (request, response) => {
      response.locals.route = path;
      const document = choose(request);
      const own = { "Content-Type": document.type, "Content-Security-Policy": POLICY, Vary: "Accept" };
      const headers = document === PAGE ? { ...HTML_HEADERS, ...own } : own;
      sendBody(response, 200, bodyOf(document, path, request), headers);
    });
  };
  for (const [path, document] of Object.entries(DOCUMENTS)) {
    answer([BASE_PATH + path, path], path, () => document);
    app.all(BASE_PATH + path, authenticate, methodNotAllowed(["GET"]));
  }
  app.get("/", (request, response, next) => {
    if (isBrowser(request)) sendShell(response);
    else next();
  });
  answer(["/", ...DOORS], "/", (request) => (isBrowser(request) ? PAGE : GUIDE));
}

function isBrowser(request: Request): boolean {
  return request.accepts(["text/plain", "text/html"]) === "text/html";
}
