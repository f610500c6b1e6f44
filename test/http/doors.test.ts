import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { serve } from "../support/client.ts";
import { suite } from "../support/sandbox.ts";

const scope = suite();
after(scope.end);
const lab = await serve(scope);

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

async function get(path: string, accept: string) {
  const response = await fetch(lab.url + path, { headers: { Accept: accept } });
  const type = response.headers.get("content-type")?.split(";")[0];
  return { status: response.status, type, text: await response.text(), headers: response.headers };
}

describe("where people look first, without a key", () => {
  it("/ is the owner's page for a browser, which holds nothing of the manuscript, and the guide for curl", async () => {
    const page = await get("/", BROWSER);
    assert.deepEqual([page.status, page.type], [200, "text/html"]);
    for (const path of ["/open", "/settings", `/b/${lab.sample.bookId}/c/${lab.sample.chapterId}`])
      assert.equal((await get(path, BROWSER)).text, page.text, path);
    assert.doesNotMatch(page.text, /ferry/i);
    assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'; script-src 'self'/);
    assert.equal(page.headers.get("cache-control"), "no-store");
    const guide = await get("/", "*/*");
    assert.deepEqual([guide.type, guide.headers.get("vary")], ["text/plain", "Accept"]);
    assert.ok(guide.text.includes(lab.base));
  });

  it("a file of the page that there is not is 404 as JSON, and nothing beside them can be read", async () => {
    for (const name of ["none.js", "..%2Fpackage.json", "page.json"]) {
      const { status, type } = await get(`/assets/${name}`, BROWSER);
      assert.deepEqual([status, type], [404, "application/json"], name);
    }
  });

  it("a file of the page is sent compressed to whoever takes that, and is the same file", async () => {
    const answers = await Promise.all(
      ["gzip, deflate", "identity", "gzip;q=0"].map((accepted) =>
        fetch(`${lab.url}/assets/icon.svg`, { headers: { "Accept-Encoding": accepted } }),
      ),
    );
    assert.deepEqual(
      answers.map(({ headers }) => [headers.get("content-encoding"), headers.get("vary")]),
      [
        ["gzip", "Accept-Encoding"],
        [null, "Accept-Encoding"],
        [null, "Accept-Encoding"],
      ],
    );
    const [zipped, plain, refused] = await Promise.all(answers.map((answer) => answer.text()));
    assert.match(zipped ?? "", /^<svg/);
    assert.deepEqual([zipped, refused], [plain, plain]);
  });

  for (const path of ["/api/v1", "/api/v1/"]) {
    it(`${path} is the page for a browser and the guide for curl`, async () => {
      const page = await get(path, BROWSER);
      assert.deepEqual([page.status, page.type], [200, "text/html"]);
      assert.match(page.text, /<title>Manuscript API/);
      const guide = await get(path, "*/*");
      assert.deepEqual([guide.status, guide.type], [200, "text/plain"]);
      assert.match(guide.text, /^# Manuscript API\n/);
      assert.equal(guide.headers.get("vary"), "Accept");
      assert.ok([page, guide].every(({ text }) => text.includes(lab.base)));
    });
  }

  it("every document is at the root, too, the same bytes", async () => {
    for (const path of ["/docs", "/llms.txt", "/openapi.json"]) {
      const [root, own] = [await get(path, BROWSER), await get(`/api/v1${path}`, BROWSER)];
      assert.deepEqual([root.status, root.type, root.text], [200, own.type, own.text], path);
    }
  });

  it("every address that a guide or the page links to answers", async () => {
    for (const path of ["/llms.txt", "/docs"]) {
      const { text } = await get(path, "*/*");
      const links = Array.from(
        text.matchAll(/\((http[^)\s]+)\)|href="(http[^"]+)"/g),
        ([, md, html]) => md ?? html,
      );
      assert.ok(links.length > 0, path);
      for (const link of new Set(links)) assert.equal((await fetch(link ?? "")).status, 200, link);
    }
  });

  it("nothing else is open, and what a page of another site asks for is refused there, too", async () => {
    assert.equal((await get("/books", BROWSER)).status, 401);
    const foreign = await fetch(lab.url, { headers: { Origin: "http://evil.test" } });
    assert.equal(foreign.status, 403);
  });
});

describe("Accept of a chapter", () => {
  const CASES: readonly [string, string][] = [
    ["text/markdown", "text/markdown"],
    ["TEXT/MARKDOWN", "text/markdown"],
    ["text/*", "text/markdown"],
    ["*/*", "application/json"],
    ["application/json, text/markdown;q=0.5", "application/json"],
    [BROWSER, "application/json"],
  ];
  for (const [accept, type] of CASES) {
    it(`${accept} is answered with ${type}`, async () => {
      const headers = { Authorization: `Bearer ${lab.key}`, Accept: accept };
      const response = await fetch(`${lab.base}/chapters/${lab.sample.chapterId}`, { headers });
      assert.equal(response.headers.get("content-type")?.split(";")[0], type);
    });
  }
});
