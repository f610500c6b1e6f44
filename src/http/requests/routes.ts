import express, { type Express, type RequestHandler, type Router } from "express";
import { type Endpoint, endpoints, type OwnerEndpoint, ownerEndpoints } from "../../contract/index.ts";
import { MethodNotAllowed } from "../../refusals.ts";
import { groupBy } from "../../text/group-by.ts";
import { type VisitorOptions, visitor } from "../access/access.ts";
import { BASE_PATH } from "../answers/answer.ts";
import { middlewareOf, type RowOptions, siblingMiddlewareOf } from "./middleware.ts";

/** A row of the contract, or one of the owner's. */
type Row = Endpoint | OwnerEndpoint;

/** Everything that answering a row needs. */
export interface RoutesOptions extends RowOptions, VisitorOptions {
  /** Finds out who asks. */
  authenticate: RequestHandler;
}

const STRICT = { caseSensitive: true, strict: true };

/** Adds a router for each resource to the app: each row is a route of its resource's. */
export function addRoutes(app: Express, options: RoutesOptions): void {
  const rows: readonly Row[] = [...endpoints, ...ownerEndpoints];
  app.use(`${BASE_PATH}/session`, visitors(options));
  for (const [resource, own] of groupBy(rows, ({ path }) => resourceOf(path)))
    app.use(BASE_PATH + resource, resourceRouter(resource, own, options));
}

/** `/books` of `/books/{bookId}`. */
function resourceOf(path: string): string {
  return path.replace(/(?<=.)\/.*/, "");
}

/** The path within a resource, as Express writes it: `/:bookId` of `/books/{bookId}`. A `{path}` may have slashes. */
function routeOf(resource: string, path: string): string {
  return (
    path
      .slice(resource.length)
      .replace("{path}", "*path")
      .replace(/\{(\w+)\}/g, ":$1") || "/"
  );
}

function resourceRouter(resource: string, rows: readonly Row[], options: RoutesOptions): Router {
  const router = express.Router(STRICT).use(options.authenticate);
  // A brace sorts behind letters: a fixed name goes before a parameter.
  for (const path of [...new Set(rows.map((row) => row.path))].sort()) {
    const own = rows.filter((row) => row.path === path);
    for (const row of endpoints.filter((one) => one.path === path && one.sibling !== undefined))
      router[verbOf(row)](routeOf(resource, path), ...siblingMiddlewareOf(row, options));
    const route = router.route(routeOf(resource, path));
    if (path === resource) route.all(exactly);
    for (const row of own.filter(({ tier }) => tier !== "anyone"))
      route[verbOf(row)](...middlewareOf(row, options));
    route.all(methodNotAllowed(own.map(({ method }) => method)));
  }
  return router;
}

/** Express takes `/books/` for `/books` where a router is mounted; here every slash counts. */
const exactly: RequestHandler = ({ baseUrl, originalUrl }, _response, next) =>
  originalUrl[baseUrl.length] === "/" ? next("router") : next();

/** The rows that need no key: by them a page signs in. */
function visitors(options: RoutesOptions): Router {
  const { enter, count } = visitor(options);
  const router = express.Router(STRICT);
  for (const row of ownerEndpoints.filter(({ tier }) => tier === "anyone"))
    router[verbOf(row)](routeOf("/session", row.path), enter(row), ...middlewareOf(row, options));
  return router.use(count);
}

function verbOf({ method }: Row) {
  return method.toLowerCase() as Lowercase<Row["method"]>;
}

/** Refuses every method with `MethodNotAllowed`, which names these. */
export function methodNotAllowed(methods: readonly string[]): RequestHandler {
  const allowed = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  return ({ method }) => {
    throw new MethodNotAllowed(method, allowed);
  };
}
