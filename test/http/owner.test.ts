import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fullGuide } from "../../src/contract/documents/llms-sections.ts";
import { guide } from "../../src/contract/documents/llms-short.ts";
import { openapi } from "../../src/contract/documents/openapi.ts";
import { ownerEndpoints } from "../../src/contract/index.ts";
import { callOnce } from "../../src/http/server.ts";
import { OWNER_HANDLERS } from "../../src/web/owner/handlers.ts";
import { serve, signedIn } from "../support/client.ts";

describe("the owner's rows", () => {
  it("are refused to every API key, in words, and to nobody at all", async (t) => {
    const lab = await serve(t);
    for (const { method, path } of ownerEndpoints.filter(({ tier }) => tier === "owner")) {
      const at = path.replace(/\{\w+\}/g, "x_none");
      const refused = await lab.ask(method, at, { body: method === "GET" ? undefined : {} });
      assert.deepEqual([refused.status, refused.body.error], [403, "category_disabled"], `${method} ${path}`);
      assert.match(refused.body.message, /owner alone.*manuscript open/);
      assert.equal((await lab.ask(method, at, { key: null })).status, 401);
    }
  });

  it("stand in no document, and each has its operation", () => {
    const base = "http://127.0.0.1/api/v1";
    const documents = JSON.stringify(openapi(base)) + guide(base) + fullGuide(base);
    assert.doesNotMatch(documents, /\/owner|\/session|mss_/);
    assert.deepEqual(ownerEndpoints.map(({ id }) => id).sort(), Object.keys(OWNER_HANDLERS).sort());
  });

  it("answer the owner's own command, which has no session", async (t) => {
    const lab = await serve(t);
    const ask = (method: string, path: string) =>
      callOnce(lab.manuscript, { method, path, headers: {} }).then(({ status }) => status);
    assert.equal(await ask("GET", "/owner/keys"), 200);
    assert.equal(await ask("GET", "/owner/sessions"), 200);
    assert.equal(await ask("DELETE", "/session"), 404);
  });
});

describe("keys", () => {
  it("are made, listed and revoked; the key is shown once", async (t) => {
    const { ask } = await signedIn(await serve(t));
    const expiresAt = "2030-01-01T00:00:00.000Z";
    const made = await ask("POST", "/owner/keys", { body: { name: "bot", allow: ["read"], expiresAt } });
    assert.deepEqual([made.status, made.body.allow, made.body.expiresAt], [201, ["read"], expiresAt]);
    assert.equal((await ask("GET", "/books", { key: made.body.key })).status, 200);
    const refused = await ask("POST", "/books", { key: made.body.key, body: { title: "x" } });
    assert.equal(refused.body.error, "category_disabled");
    const { body } = await ask("GET", "/owner/keys");
    assert.deepEqual([body.total, body.keys[1].name, body.keys[1].key], [2, "bot", undefined]);
    const revoked = await ask("DELETE", `/owner/keys/${made.body.id}`);
    assert.ok(revoked.body.revokedAt);
    assert.equal((await ask("GET", "/books", { key: made.body.key })).status, 401);
    assert.equal((await ask("DELETE", `/owner/keys/${made.body.id}`)).status, 404);
  });

  it("that cannot be are refused, and none is made", async (t) => {
    const { ask } = await signedIn(await serve(t));
    for (const body of [
      { allow: [] },
      { allow: ["all"] },
      { name: "\u0000" },
      { name: "x".repeat(201) },
      { expiresAt: "2020-01-01T00:00:00.000Z" },
      { expiresAt: "tomorrow" },
      { title: "x" },
    ])
      assert.equal((await ask("POST", "/owner/keys", { body })).status, 400, JSON.stringify(body));
    assert.equal((await ask("GET", "/owner/keys")).body.total, 1);
  });
});

describe("the account", () => {
  it("is shown and changed, also while no subscription runs", async (t) => {
    const { ask } = await signedIn(await serve(t));
    const change = { subscription: false, until: "2030-01-31", allowance: 5, credits: 7 };
    const { body } = await ask("PATCH", "/owner/account", { body: change });
    assert.deepEqual(body.subscription, { active: false, until: "2030-01-31" });
    assert.deepEqual([body.allowance.perMonth, body.credits], [5, 7]);
    assert.equal((await ask("POST", "/books", { body: { title: "x" } })).body.error, "subscription_required");
    await ask("PATCH", "/owner/account", { body: { subscription: true, until: null, allowance: null } });
    assert.equal((await ask("POST", "/books", { body: { title: "x" } })).status, 201);
    assert.deepEqual((await ask("GET", "/owner/account")).body.allowance.perMonth, null);
  });

  it("names the language model, with consent where prose would leave", async (t) => {
    const { ask } = await signedIn(await serve(t));
    const set = (llm: unknown) => ask("PATCH", "/owner/account", { body: { llm } });
    const { body } = await set({ url: "http://127.0.0.1:11434/v1", model: "llama3.1:8b" });
    assert.deepEqual([body.llm.model, body.llm.remote, body.llm.timeoutSeconds], ["llama3.1:8b", false, 120]);
    const remote = { url: "https://models.example/v1" };
    assert.match((await set(remote)).body.message, /your prose would be sent there/);
    assert.equal((await set({ ...remote, allowRemote: true })).body.llm.remote, true);
    assert.equal((await set({ url: "ftp://x" })).status, 400);
    assert.equal((await set(null)).body.llm, null);
    for (const none of [{}, { llm: {} }, { llm: 1 }, { credits: -1 }, { until: "2027-02-30" }])
      assert.equal((await ask("PATCH", "/owner/account", { body: none })).status, 400, JSON.stringify(none));
  });
});

describe("the file", () => {
  it("tells where it is and how large", async (t) => {
    const lab = await serve(t);
    const { body } = await (await signedIn(lab)).ask("GET", "/owner/file");
    assert.equal(body.file, lab.manuscript.store.path);
    assert.ok(body.bytes > 0 && body.freeBytes > 0 && body.logBytes >= 0);
    assert.deepEqual([body.format, body.refusal], [3, null]);
  });
});
