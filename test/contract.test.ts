import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { ENDPOINTS, endpoints, OWNER_ENDPOINTS, ownerEndpoints, siblings } from "../src/contract/index.ts";
import { HANDLERS } from "../src/http/handlers.ts";
import { once } from "../src/text/once.ts";
import { fillWith, serve } from "./support/client.ts";
import { suite } from "./support/sandbox.ts";

describe("contract", () => {
  const scope = suite();
  after(scope.end);
  const read = once(() => serve(scope));

  for (const row of [...endpoints, ...siblings]) {
    it(`${row.id}: its example works, and a key is asked for`, async (t) => {
      const lab = row.method === "GET" ? await read() : await serve(t);
      const fill = fillWith(lab);
      const query = new URLSearchParams(row.example.query);
      const path = fill(row.path) + (query.size > 0 ? `?${query}` : "");
      assert.doesNotMatch(path, /\{/, "the sample has no id for this path");
      assert.equal((await lab.ask(row.method, path, { key: null })).status, 401);
      const { markdown, body } = row.example;
      const asked =
        markdown !== undefined
          ? { body: markdown, headers: { "Content-Type": "text/markdown" } }
          : body === undefined
            ? {}
            : { body: JSON.parse(fill(JSON.stringify(body))) };
      const answer = await lab.ask(row.method, path, asked);
      const expected = row.created === undefined ? 200 : 201;
      assert.equal(answer.status, expected, answer.text.slice(0, 300));
      if (row.created !== undefined) {
        const location = answer.headers.get("location") ?? "";
        assert.equal(
          (await fetch(lab.url + location, { headers: { Authorization: `Bearer ${lab.key}` } })).status,
          200,
          location,
        );
      }
      if ((row.tier === "write" || row.tier === "propose") && row.example.query?.dryRun === undefined)
        assert.match(answer.body.act, /^act_/);
    });
  }

  it("every row has an operation, and every operation a row", () => {
    assert.deepEqual([...endpoints, ...siblings].map(({ id }) => id).sort(), Object.keys(HANDLERS).sort());
  });

  it("every file of rows is listed, each row under its own id", async () => {
    const folder = join(import.meta.dirname, "../src/contract/rows");
    const modules = await Promise.all(readdirSync(folder).map((file) => import(join(folder, file))));
    const written = modules.flatMap((rows) => Object.entries<{ id?: string; method?: string }>(rows));
    assert.deepEqual(
      written
        .filter(
          ([, row]) =>
            row.method !== undefined &&
            ![...endpoints, ...siblings, ...ownerEndpoints].some((one) => one === row),
        )
        .map(([name]) => name),
      [],
      "import its file in src/contract/index.ts",
    );
    for (const [id, row] of Object.entries({ ...ENDPOINTS, ...OWNER_ENDPOINTS })) assert.equal(row.id, id);
  });

  it("no two rows share a method and a path", () => {
    const routes = [...endpoints, ...ownerEndpoints].map(
      ({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, "{}")}`,
    );
    assert.equal(new Set(routes).size, routes.length);
  });

  it("the documents need no key", async (t) => {
    const lab = await serve(t);
    for (const [path, type] of [
      ["/openapi.json", "application/json"],
      ["/llms.txt", "text/plain"],
      ["/docs", "text/html"],
    ] as const) {
      const response = await fetch(lab.base + path);
      assert.equal(response.status, 200);
      assert.ok(response.headers.get("content-type")?.startsWith(type));
      assert.ok((await response.text()).includes(lab.base), `${path} names its own address`);
    }
  });
});
