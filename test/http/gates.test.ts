import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { endpoints } from "../../src/contract/index.ts";
import { changeAccount } from "../../src/service/account/account.ts";
import { createKey, revokeKey } from "../../src/service/account/keys.ts";
import { type Ask, type Lab, serve } from "../support/client.ts";
import { suite } from "../support/sandbox.ts";

const MIB = 1024 * 1024;
const json = { "Content-Type": "application/json" };
const markdown = { "Content-Type": "text/markdown" };
const stale = { "If-Match": '"ch_other.9.9.text"' };
const large = { markdown: "x".repeat(4 * MIB + 1) };
const unknownNode = { doc: { type: "doc", content: [{ type: "poem" }] } };

describe("keys", () => {
  it("a revoked key is 401 from then on, and other keys go on", async (t) => {
    const lab = await serve(t);
    const { key, record } = createKey(lab.manuscript, {});
    assert.equal((await lab.ask("GET", "/books", { key })).status, 200);
    revokeKey(lab.manuscript, record.id);
    const refused = await lab.ask("GET", "/books", { key });
    assert.deepEqual([refused.status, refused.body.error], [401, "unauthorized"]);
    assert.equal(refused.headers.get("www-authenticate"), "Bearer");
    assert.ok(!refused.text.includes(key.slice(4)), "the answer shows the key");
    assert.equal((await lab.ask("GET", "/books")).status, 200);
  });

  it("an expired key is 401, one that expires later is not", async (t) => {
    const lab = await serve(t);
    const past = createKey(lab.manuscript, { expiresAt: Date.UTC(2026, 1, 28) });
    const future = createKey(lab.manuscript, { expiresAt: Date.UTC(2026, 3, 1) });
    assert.equal((await lab.ask("GET", "/books", { key: past.key })).status, 401);
    assert.equal((await lab.ask("GET", "/books", { key: future.key })).status, 200);
  });

  it("a key with one letter changed is 401", async (t) => {
    const lab = await serve(t);
    const last = lab.key.endsWith("0") ? "1" : "0";
    for (const key of [lab.key.slice(0, -1) + last, lab.key.slice(0, -1), `${lab.key}0`, "msk__"]) {
      assert.equal((await lab.ask("GET", "/books", { key })).status, 401);
    }
  });

  it("the scheme's name is read in any case, and it is the whole header's", async (t) => {
    const lab = await serve(t);
    const given: [header: string, status: number][] = [
      [`Bearer ${lab.key}`, 200],
      [`bearer  ${lab.key}`, 200],
      [`BEARER ${lab.key} `, 200],
      [lab.key, 401],
      [`Bearer${lab.key}`, 401],
      [`Basic bearer ${lab.key}`, 401],
      [`Bearer ${lab.key} x`, 401],
      [`Bearer x ${lab.key}`, 401],
    ];
    for (const [Authorization, status] of given) {
      const answer = await lab.ask("GET", "/books", { key: null, headers: { Authorization } });
      assert.equal(answer.status, status, Authorization.replace(lab.key, "KEY"));
    }
  });

  it("the contract itself needs no key", async (t) => {
    const lab = await serve(t);
    for (const path of ["/openapi.json", "/llms.txt", "/docs"]) {
      assert.equal((await fetch(lab.base + path)).status, 200, path);
    }
  });
});

describe("methods", () => {
  const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
  // Any other method on /facts/merge asks for a fact of that id.
  const paths = [...new Set(endpoints.map(({ path }) => path))];
  let lab: Lab;
  const scope = suite();
  after(scope.end);
  before(async () => {
    lab = await serve(scope);
  });

  for (const path of paths) {
    it(`${path} names its own in Allow, whichever other is tried`, async () => {
      const own: string[] = endpoints.filter((row) => row.path === path).map(({ method }) => method);
      const allow = own.includes("GET") ? [...own, "HEAD"] : own;
      for (const method of [...METHODS, "OPTIONS"].filter((candidate) => !own.includes(candidate))) {
        const refused = await lab.ask(method, path.replace(/\{\w+\}/g, "x_none"));
        assert.deepEqual([refused.status, refused.body.error], [405, "method_not_allowed"], method);
        assert.deepEqual(refused.headers.get("allow")?.split(/, */).sort(), [...allow].sort());
      }
    });
  }

  it("HEAD of what cannot be read is 405", async () => {
    const head = await lab.ask("HEAD", "/chapters/ch_none/prose");
    assert.deepEqual([head.status, head.headers.get("allow")], [405, "PUT"]);
  });
});

/** Each has two faults; the answer is about the first. `[what, method, path, ask, status, code]` */
type Row = [string, string, string, Ask, number, string];
const MISSING: readonly Row[] = [
  [
    "415",
    "PUT",
    "/chapters/ch_none/prose",
    { body: "x", headers: { "Content-Type": "image/png" } },
    415,
    "unsupported_media_type",
  ],
  [
    "415 of JSON",
    "POST",
    "/books/bk_none/facts",
    { body: "x", headers: markdown },
    415,
    "unsupported_media_type",
  ],
  ["413 of Markdown", "PUT", "/chapters/ch_none/prose", { body: large }, 413, "payload_too_large"],
  [
    "413 of a paragraph",
    "PATCH",
    "/chapters/ch_none/paragraphs/b_x",
    { body: large },
    413,
    "payload_too_large",
  ],
  [
    "413 of a chapter",
    "POST",
    "/books/bk_none/chapters",
    { body: { ...large, title: "x" } },
    413,
    "payload_too_large",
  ],
  ["malformed JSON", "POST", "/books/bk_none/facts", { body: "{", headers: json }, 400, "bad_request"],
  ["a wrong type", "PUT", "/chapters/ch_none/status", { body: { status: 1 } }, 400, "bad_request"],
  ["an unknown node", "PUT", "/chapters/ch_none/prose", { body: unknownNode }, 400, "bad_request"],
  ["blank Markdown", "PUT", "/chapters/ch_none/prose", { body: " ", headers: markdown }, 400, "bad_request"],
  [
    "a blank paragraph",
    "PATCH",
    "/chapters/ch_none/paragraphs/b_x",
    { body: { markdown: " " } },
    400,
    "bad_request",
  ],
  [
    "NUL in Markdown",
    "PUT",
    "/chapters/ch_none/prose",
    { body: "a\u0000b", headers: markdown },
    400,
    "bad_request",
  ],
  ["nothing to change", "PATCH", "/chapters/ch_none", { body: {} }, 400, "bad_request"],
  ["nothing to change in a fact", "PATCH", "/facts/fa_none", { body: {} }, 400, "bad_request"],
  ["nothing to change in a part", "PATCH", "/parts/pt_none", { body: {} }, 400, "bad_request"],
  [
    "the same twice",
    "POST",
    "/facts/merge",
    { body: { keepId: "fa_x", dropId: "fa_x" } },
    400,
    "bad_request",
  ],
  [
    "items of a note",
    "PATCH",
    "/snippets/sn_none",
    { body: { kind: "note", items: [] } },
    400,
    "bad_request",
  ],
  [
    "no mentions",
    "POST",
    "/chapters/ch_none/mentions",
    { body: { revision: 1, mentions: [] } },
    400,
    "bad_request",
  ],
  ["revision 0", "POST", "/chapters/ch_none/restore", { body: { revision: 0 } }, 400, "bad_request"],
  ["blank q", "GET", "/books/bk_none/search?q=", {}, 400, "bad_request"],
  ["an unknown format", "GET", "/chapters/ch_none?format=html", {}, 400, "bad_request"],
  ["an unknown parameter", "DELETE", "/chapters/ch_none?dryrun=1", {}, 400, "bad_request"],
  ["limit 0", "GET", "/acts?after=act_none&limit=0", {}, 400, "bad_request"],
];

describe("the order of checks", () => {
  let lab: Lab;
  const scope = suite();
  after(scope.end);
  before(async () => {
    lab = await serve(scope);
  });

  it("another site's page is told so before its key is looked at", async () => {
    const headers = { Origin: "https://attacker.test" };
    const refused = await lab.ask("GET", "/nowhere", { key: null, headers });
    assert.deepEqual([refused.status, refused.body.error], [403, "forbidden_origin"]);
  });

  it("without a key nobody learns which paths and methods there are", async () => {
    for (const [method, path] of [
      ["GET", "/nowhere"],
      ["DELETE", "/books"],
      ["POST", "/openapi.json"],
      ["PUT", "/chapters/ch_none/prose"],
    ] as const) {
      assert.equal((await lab.ask(method, path, { key: null })).status, 401, `${method} ${path}`);
    }
  });

  it("a path or method that there is not comes before what the key allows", async () => {
    const { key } = createKey(lab.manuscript, { allow: ["ai"] });
    assert.equal((await lab.ask("GET", "/nowhere", { key })).status, 404);
    assert.equal((await lab.ask("DELETE", "/books", { key })).status, 405);
    const { status, body } = await lab.ask("GET", "/books", { key });
    assert.deepEqual([status, body.error], [403, "category_disabled"]);
  });

  for (const [what, method, path, asked, status, code] of MISSING) {
    it(`${what} comes before what is missing`, async () => {
      const refused = await lab.ask(method, path, asked);
      assert.deepEqual([refused.status, refused.body.error], [status, code], refused.text.slice(0, 200));
    });
  }

  it("what is missing comes before If-Match", async () => {
    for (const [method, path, body] of [
      ["PUT", "/chapters/ch_none/prose", { markdown: "x" }],
      ["PUT", "/chapters/ch_none/status", { status: "done" }],
      ["PATCH", `/chapters/${lab.sample.chapterId}/paragraphs/b_none`, { markdown: "x" }],
      ["PATCH", `/chapters/${lab.sample.chapterId}`, { partId: "pt_none" }],
      ["POST", `/chapters/${lab.sample.chapterId}/restore`, { revision: 99 }],
      ["DELETE", "/chapters/ch_none", undefined],
    ] as const) {
      assert.equal((await lab.ask(method, path, { body, headers: stale })).status, 404, `${method} ${path}`);
    }
  });

  it("Markdown that makes two paragraphs comes before If-Match", async () => {
    const path = `/chapters/${lab.sample.chapterId}/paragraphs/${lab.sample.blockId}`;
    const body = { markdown: "One.\n\nTwo." };
    assert.equal((await lab.ask("PATCH", path, { body, headers: stale })).status, 400);
  });

  it("what the key does not allow comes before the subscription, and both before the body", async (t) => {
    const own = await serve(t);
    changeAccount(own.manuscript, { subscription: false });
    const { key } = createKey(own.manuscript, { allow: ["read"] });
    for (const [, method, path, asked] of MISSING.filter(([, verb]) => verb !== "GET")) {
      const shut = await own.ask(method, path, { ...asked, key });
      assert.deepEqual([shut.status, shut.body.error], [403, "category_disabled"], path);
      const unpaid = await own.ask(method, path, asked);
      assert.deepEqual([unpaid.status, unpaid.body.error], [403, "subscription_required"], path);
    }
  });

  it("an undo needs a subscription too", async (t) => {
    const own = await serve(t);
    changeAccount(own.manuscript, { subscription: false });
    const { status, body } = await own.ask("POST", "/acts/act_none/undo");
    assert.deepEqual([status, body.error], [403, "subscription_required"]);
  });
});

it("a refusal quotes neither the prose nor the key", async (t) => {
  const lab = await serve(t);
  const secret = "Heathcliff";
  const prose = `/chapters/${lab.sample.chapterId}/prose`;
  for (const asked of [
    { body: `{"markdown": "${secret}`, headers: json },
    { body: { markdown: `${secret}\u0000` } },
    { body: { doc: { type: "doc", content: [{ type: "text", text: secret }] } } },
    { body: { markdown: secret }, headers: stale },
    { body: secret, headers: { "Content-Type": "image/png" } },
  ]) {
    const refused = await lab.ask("PUT", prose, asked);
    assert.ok(refused.status >= 400);
    assert.ok(!refused.text.includes(secret) && !refused.text.includes(lab.key), refused.text);
  }
});
