import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { deadlineIn, post } from "../../../src/ai/llm/server/request.ts";

/** Never answers; rejects when it is ended. */
const hanging: typeof fetch = (_url, { signal } = {}) =>
  new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));

const server = { base: "http://127.0.0.1", model: "fake", key: undefined, fetch: hanging };

describe("post", () => {
  it("ends at its deadline though the request does not heed its signal", async () => {
    const deaf = { ...server, fetch: () => new Promise<never>(() => {}) };
    const asked = post(deaf, {}, deadlineIn(50)).catch(({ reason }) => reason);
    assert.equal(await Promise.race([asked, wait(500, "never")]), "timeout");
  });

  it("lets go of the client that it waited with", () => {
    const client = new AbortController();
    const { signal, release } = deadlineIn(1_000_000, client.signal);
    release();
    client.abort();
    assert.equal(signal.aborted, false);
  });

  it("ends when the client has gone", async () => {
    const client = new AbortController();
    const asked = post(server, {}, deadlineIn(1_000_000, client.signal)).catch(({ reason }) => reason);
    client.abort();
    assert.equal(await asked, "timeout");
  });
});
