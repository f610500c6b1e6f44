import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { endpoints, siblings } from "../../src/contract/index.ts";
import { LIMITS } from "../../src/contract/limits.ts";
import { startServer } from "../../src/http/server.ts";
import { createKey } from "../../src/service/account/keys.ts";
import { deleteChapter } from "../../src/service/books/chapters.ts";
import { countActsAfter } from "../../src/store/journal/acts.ts";
import { findReplay, keepReplay } from "../../src/store/rows/replays.ts";
import { type Answer, askedOf, type Lab, serve } from "../support/client.ts";
import { OWNER } from "../support/sample.ts";
import { suite, ticking } from "../support/sandbox.ts";

const HOUR_MS = 3_600_000;
/** What a repeat answers as the first did: everything but the request's own id and the time. */
const shown = ({ status, headers, text }: Answer) => [
  status,
  text,
  ...["location", "etag", "x-credits-cost", "x-credits-remaining", "x-ai-engine"].map((name) =>
    headers.get(name),
  ),
];
const isReplay = ({ headers }: Answer) => headers.get("idempotent-replayed") === "true";
const key = (value: string) => ({ "Idempotency-Key": value });
const actsOf = ({ manuscript }: Lab) => countActsAfter(manuscript.store, 0);

describe("Idempotency-Key", () => {
  let lab: Lab;
  const scope = suite();
  after(scope.end);
  before(async () => {
    lab = await serve(scope);
  });

  for (const row of [...endpoints, ...siblings].filter(({ method }) => method === "POST")) {
    it(`${row.id} is done once, in turn and at once`, async () => {
      const { path, ...asked } = askedOf(lab, row);
      const send = () => lab.ask("POST", path, { ...asked, headers: key(row.id) });
      const count = actsOf(lab);
      const [first, second] = await Promise.all([send(), send()]);
      assert.equal(first.status, row.created === undefined ? 200 : 201, first.text);
      assert.deepEqual([isReplay(first), isReplay(second)].sort(), [false, true]);
      assert.deepEqual(shown(second), shown(first));
      for (const again of [await send(), await send()]) {
        assert.deepEqual(shown(again), shown(first));
        assert.ok(isReplay(again));
      }
      const isWrite = row.tier === "write" || row.tier === "propose";
      assert.equal(actsOf(lab), count + Number(isWrite));
      if (isWrite) await lab.ask("POST", `/acts/${first.body.act}/undo`);
    });
  }

  it("holds when a server starts anew, and when what was made is gone", async (t) => {
    const own = await serve(t);
    const path = `/books/${own.sample.bookId}/chapters`;
    const asked = { body: { title: "Twice" }, headers: key("k") };
    const first = await own.ask("POST", path, asked);
    const next = await startServer({ host: "127.0.0.1", port: 0, manuscripts: [own.manuscript] });
    t.after(() => next.close());
    deleteChapter(own.manuscript, first.body.id, OWNER);
    const again = await fetch(`${next.url}/api/v1${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${own.key}`, "Content-Type": "application/json", ...key("k") },
      body: JSON.stringify(asked.body),
    });
    assert.deepEqual([again.status, await again.text()], [201, first.text]);
    assert.equal(again.headers.get("location"), first.headers.get("location"));
  });

  it("lasts a day", async (t) => {
    let late = 0;
    const tick = ticking();
    const own = await serve(t, {}, { clock: () => tick() + late });
    const send = () => own.ask("POST", "/books", { body: { title: "A" }, headers: key("day") });
    const { body } = await send();
    late = 23 * HOUR_MS;
    assert.equal((await send()).body.id, body.id);
    late = 24 * HOUR_MS;
    const anew = await send();
    assert.notEqual(anew.body.id, body.id);
    assert.ok(!isReplay(anew));
    assert.equal(own.manuscript.store.list("SELECT count(*) FROM replays")[0], 1, "what is old is dropped");
  });

  it("of another request is 409 and does nothing; JSON may be written otherwise", async () => {
    const path = `/books/${lab.sample.bookId}/facts`;
    const send = (body: unknown, at = path) => lab.ask("POST", at, { body, headers: key("other") });
    const first = await send({ name: "Nell", kind: "character" });
    const count = actsOf(lab);
    for (const other of [
      await send({ name: "Nelly", kind: "character" }),
      await send({ title: "Nell" }, "/books"),
      await lab.ask("POST", `/chapters/${lab.sample.chapterId}/synopsis`, { headers: key("other") }),
    ])
      assert.deepEqual([other.status, other.body.error], [409, "conflict"], other.text);
    const body = '{ "kind":"character",\n"name" : "Nell" }';
    const spaced = { body, headers: { ...key("other"), "Content-Type": "application/json" } };
    assert.deepEqual(shown(await lab.ask("POST", path, spaced)), shown(first));
    assert.equal(actsOf(lab), count);
  });

  it("belongs to one API key", async () => {
    const { key: other } = createKey(lab.manuscript, {});
    const asked = { body: { title: "Mine" }, headers: key("shared") };
    const mine = await lab.ask("POST", "/books", asked);
    assert.notEqual((await lab.ask("POST", "/books", { ...asked, key: other })).body.id, mine.body.id);
  });

  it("keeps no refusal and no dry run", async () => {
    const path = `/books/${lab.sample.bookId}/chapters`;
    const send = (body: unknown, query = "") => lab.ask("POST", path + query, { body, headers: key("mend") });
    assert.equal((await send({ titel: "Late" })).status, 400);
    assert.equal((await send({ title: "Late", partId: "pt_none" })).status, 404);
    for (let time = 0; time < 2; time++) {
      const dry = await send({ title: "Late" }, "?dryRun=1");
      assert.deepEqual([dry.status, dry.body.act, isReplay(dry)], [201, null, false]);
    }
    const done = await send({ title: "Late" });
    assert.deepEqual([done.status, isReplay(done)], [201, false]);
    assert.equal((await send({ title: "Late" })).body.id, done.body.id);
  });

  it("is 1 to 255 printable ASCII characters, else 400; other methods do not read it", async () => {
    for (const bad of ["", " ", "x".repeat(256), "caf\u00e9", "a\tb"]) {
      const { status, body } = await lab.ask("POST", "/books", { body: { title: "A" }, headers: key(bad) });
      assert.deepEqual([status, body.error], [400, "bad_request"], bad);
    }
    const most = { body: { title: "A" }, headers: key("~".repeat(255)) };
    assert.equal((await lab.ask("POST", "/books", most)).status, 201);
    const path = `/books/${lab.sample.bookId}`;
    const patched = await lab.ask("PATCH", path, { body: { title: "The Ferry Book" }, headers: key("") });
    assert.equal(patched.status, 200);
  });

  it("gives what was first, though If-Match is stale by now", async () => {
    const path = `/chapters/${lab.sample.chapterId}`;
    const etag = (await lab.ask("GET", path)).headers.get("etag") ?? "";
    const headers = { ...key("stale"), "If-Match": etag };
    const send = () =>
      lab.ask("POST", `${path}/paragraphs`, { body: { after: null, markdown: "Fog." }, headers });
    const first = await send();
    assert.equal(first.status, 201);
    assert.deepEqual(shown(await send()), shown(first));
  });

  it("charges an AI call once, whatever was written since", async (t) => {
    const own = await serve(t);
    const path = `/chapters/${own.sample.chapterId}`;
    const send = () => own.ask("POST", `${path}/detect`, { headers: key("ai") });
    const [first, second] = await Promise.all([send(), send()]);
    assert.equal(first.headers.get("x-credits-cost"), "1");
    assert.deepEqual(shown(second), shown(first));
    await own.ask("PUT", `${path}/prose`, { body: { markdown: "Mara rowed home.\n" } });
    assert.deepEqual(shown(await send()), shown(first));
    assert.equal(own.manuscript.store.list("SELECT count(*) FROM ledger WHERE kind = 'settle'")[0], 1);
  });

  it("does it once though the answer was too long to keep, and then says so", async () => {
    const { store } = lab.manuscript;
    const long = { text: randomBytes(LIMITS.replayBytes).toString("hex") };
    const kept = { keyId: "", key: "long", fingerprint: "" };
    for (const [name, answer, isKept] of [
      ["one", {}, true],
      ["two", { ...long, more: "x" }, false],
    ] as const) {
      keepReplay(store, { ...kept, key: name }, { answer });
      assert.equal(findReplay(store, { ...kept, key: name })?.reply !== undefined, isKept);
    }
    const send = () => lab.ask("POST", "/books", { body: { title: "Long" }, headers: key("long") });
    await send();
    store.setAside(() => store.run("UPDATE replays SET reply = NULL WHERE key = 'long'"));
    const count = actsOf(lab);
    const again = await send();
    assert.deepEqual([again.status, again.body.error], [409, "conflict"]);
    assert.match(again.body.message, /too long to keep/);
    assert.equal(actsOf(lab), count);
  });
});
