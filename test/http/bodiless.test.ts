import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { mayBeLeftOut } from "../../src/contract/endpoint.ts";
import { endpoints } from "../../src/contract/index.ts";
import { askedOf, fillWith, serve, signedIn } from "../support/client.ts";
import { suite } from "../support/sandbox.ts";

const scope = suite();
after(scope.end);
const lab = await serve(scope);
const { bookId } = lab.sample;
const fill = fillWith(lab);

describe("a request without a body", () => {
  it("is read as one without keys, wherever none is required", async () => {
    const rows = endpoints.filter(({ method, body }) => method === "POST" && body && mayBeLeftOut(body));
    assert.deepEqual(rows.map(({ id }) => id).sort(), [
      "acceptProposal",
      "joinChapters",
      "rejectProposal",
      "undoActs",
    ]);
    for (const row of rows) {
      const { path } = askedOf(lab, row);
      const bare = await lab.ask("POST", `${path}?dryRun=1`);
      const empty = await lab.ask("POST", `${path}?dryRun=1`, { body: {} });
      assert.deepEqual([bare.status, Object.keys(bare.body)], [200, Object.keys(empty.body)], row.id);
    }
  });

  it("undoes the newest act that stands", async () => {
    const { body: made } = await lab.ask("POST", `/books/${bookId}/facts`, { body: { name: "Ilse" } });
    const { status, body } = await lab.ask("POST", "/acts/undo");
    assert.deepEqual([status, body.undone], [200, [made.act]]);
    assert.equal((await lab.ask("GET", `/facts/${made.id}`)).status, 404);
  });

  it("accepts a proposal whole", async () => {
    const { status, body } = await lab.ask("POST", fill("/proposals/{proposalId}/accept"));
    assert.deepEqual([status, body.accepted], [200, [0]]);
  });

  it("is told what is missing, where a key is required", async () => {
    const { status, body } = await lab.ask("POST", `/books/${bookId}/facts`);
    assert.deepEqual([status, body.error], [415, "unsupported_media_type"]);
    const blank = await lab.ask("PUT", fill("/chapters/{chapterId}/prose"));
    assert.deepEqual([blank.status, blank.body.error], [400, "bad_request"]);
  });
});

describe("If-None-Match: * on PUT", () => {
  const only = { "If-None-Match": "*" };

  it("refuses to write over what is there", async () => {
    const chapter = fill("/chapters/{chapterId}");
    const before = (await lab.ask("GET", chapter)).body;
    for (const [path, body] of [
      ["prose", { markdown: "Gone." }],
      ["status", { status: "done" }],
      ["synopsis", { synopsis: "Gone." }],
    ] as const) {
      const refused = await lab.ask("PUT", `${chapter}/${path}`, { body, headers: only });
      assert.deepEqual([refused.status, refused.body.error], [412, "revision_conflict"], path);
      assert.match(refused.body.message, /there already/);
    }
    assert.deepEqual((await lab.ask("GET", chapter)).body, before);
  });

  it("sets a goal only where there is none", async () => {
    const path = `/books/${(await lab.ask("POST", "/books", { body: { title: "New" } })).body.id}/goal`;
    const set = () => lab.ask("PUT", path, { body: { targetWords: 100 }, headers: only });
    assert.equal((await set()).status, 200);
    assert.equal((await set()).status, 412);
  });
});

describe("an answer that holds a secret", () => {
  it("is kept by no cache", async (t) => {
    const own = await serve(t);
    const { ask } = await signedIn(own);
    const code = await own.ask("POST", "/session/code", {
      key: null,
      headers: { Origin: own.url },
      body: {},
    });
    const key = await ask("POST", "/owner/keys", { body: {} });
    const keys = await ask("GET", "/owner/keys");
    assert.deepEqual(
      [code, key, keys].map(({ headers }) => headers.get("cache-control")),
      ["no-store", "no-store", "private, no-cache"],
    );
  });
});

describe("a moment that is still to come", () => {
  it("is refused by compare, diff and restore", async () => {
    for (const moment of ["2999-01-01", "2999-01-01T00:00:00Z"])
      for (const [method, path, body] of [
        ["GET", `/books/${bookId}/compare?from=${moment}`, undefined],
        ["GET", fill(`/chapters/{chapterId}/diff?to=${moment}`), undefined],
        ["POST", `/books/${bookId}/restore`, { to: moment }],
      ] as const) {
        const refused = await lab.ask(method, path, body === undefined ? {} : { body });
        assert.deepEqual([refused.status, refused.body.error], [400, "bad_request"], path);
        assert.match(refused.body.message, /still to come/);
      }
  });
});
