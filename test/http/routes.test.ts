import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { endpoints, ownerEndpoints } from "../../src/contract/index.ts";
import { createApp } from "../../src/http/app.ts";
import { createKey } from "../../src/service/account/keys.ts";
import { serve } from "../support/client.ts";
import { manuscript } from "../support/sandbox.ts";

/** As much of Express's router as is walked here. */
interface Layer {
  route?: { path: string; stack: { method?: string }[] };
  handle: { stack?: Layer[] };
  match(path: string): unknown;
}

const appOf = (t: TestContext) => createApp({ manuscripts: [manuscript(t)] });
const layersOf = (app: ReturnType<typeof createApp>) => (app.router as unknown as { stack: Layer[] }).stack;
/** The routers of resources, each with its mount path. */
const routersOf = (layers: Layer[]) => layers.filter(({ handle }) => handle.stack !== undefined);

const ROWS = [...endpoints, ...ownerEndpoints].map(({ method, path }) => ({
  method,
  path,
  url: `/api/v1${path.replace(/\{\w+\}/g, "x_none")}`,
}));

describe("the app's router", () => {
  it("has a layer for every row of the contract, in the router of its resource", (t) => {
    const routers = routersOf(layersOf(appOf(t)));
    for (const { method, path, url } of ROWS) {
      const routes = routers
        .filter((router) => router.match(url))
        .flatMap(({ handle }) => handle.stack ?? [])
        .filter(({ route }) => {
          const [, resource] = path.split("/");
          return route !== undefined && `/${resource}${route.path.replace(/^\/$/, "")}` === expressed(path);
        });
      const isThere = routes.some(({ route }) =>
        route?.stack.some((layer) => layer.method === method.toLowerCase()),
      );
      assert.ok(isThere, `${method} ${path}`);
    }
  });

  it("alone answers: with its resources' routers emptied every row is 404", async (t) => {
    const own = manuscript(t);
    const { key } = createKey(own);
    const app = createApp({ manuscripts: [own] });
    for (const { handle } of routersOf(layersOf(app))) handle.stack = [];
    const server = createServer(app).listen(0, "127.0.0.1");
    t.after(() => server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const headers = { Authorization: `Bearer ${key}` };
    for (const { method, url } of ROWS) {
      const { status } = await fetch(`http://127.0.0.1:${port}${url}`, { method, headers });
      assert.equal(status, 404, `${method} ${url}`);
    }
  });

  it("counts every slash and the case of letters, and decodes parameters once", async (t) => {
    const { ask, sample } = await serve(t);
    for (const path of ["/books/", "/Books", "//books", `/books/${sample.bookId}/`, "/books/x/y/z"])
      assert.equal((await ask("GET", path)).status, 404, path);
    const encoded = sample.bookId.replace("_", "%5F");
    assert.equal((await ask("GET", `/books/${encoded}`)).status, 200);
    assert.equal((await ask("GET", `/books/${sample.bookId}%2Ffacts`)).status, 404);
  });
});

function expressed(path: string): string {
  return path.replace("{path}", "*path").replace(/\{(\w+)\}/g, ":$1");
}
