import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { streamActs } from "../../src/contract/rows/acts.ts";
import { sendEvents } from "../../src/http/answers/event-stream.ts";
import { startServer } from "../../src/http/server.ts";
import type { ActId } from "../../src/ids.ts";
import { createKey, revokeKey } from "../../src/service/account/keys.ts";
import { saveSynopsis } from "../../src/service/books/chapter-fields.ts";
import { type FeedPage, streamActs as followFrom, type LiveFeed } from "../../src/service/feed/feed.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import { type Manuscript, openManuscript, whileClosed } from "../../src/service/manuscript.ts";
import { type Lab, serve } from "../support/client.ts";
import { listen } from "./events.ts";

const OWNER = { source: "cli" } as const;
let written = 0;

/** Writes an act; returns its id. */
function write({ manuscript, sample }: Lab, own: Manuscript = manuscript): ActId {
  return saveSynopsis(own, sample.chapterId, { synopsis: `${++written}` }, OWNER).act as ActId;
}

const errorOf = (data = "{}") => (JSON.parse(data) as { error?: string }).error;

describe("GET /acts/stream", () => {
  it("says where it begins, then tells each act as GET /acts does, an undo and another program's too", async (t) => {
    const lab = await serve(t);
    const other = openManuscript(lab.manuscript.store.path);
    t.after(() => other.close());
    const { body } = await lab.ask("GET", "/acts");
    const stream = await listen(`${lab.base}/acts/stream`, lab);
    t.after(stream.kill);
    assert.equal(stream.answer.headers["content-type"], "text/event-stream; charset=utf-8");
    assert.match(stream.answer.headers["cache-control"] ?? "", /no-store/);
    assert.ok(stream.answer.headers["x-request-id"]);
    const acts = [write(lab), write(lab, other)];
    acts.push(undoAct(lab.manuscript, acts[1] as ActId, OWNER).act as ActId);
    const last = await stream.until(({ id, event }) => event === "act" && id === acts.at(-1));
    assert.deepEqual(stream.ids(), acts);
    assert.deepEqual(stream.events[0], { retry: "1000", id: body.acts.at(-1).id });
    const told = streamActs.answer.parse(JSON.parse(last.data ?? ""));
    assert.deepEqual(told, (await lab.ask("GET", "/acts?limit=1")).body.acts[0]);
    assert.equal(told.undoes, acts[1]);
  });

  it("goes on where a client was killed, twenty times: nothing is missed, nothing comes twice", async (t) => {
    const lab = await serve(t);
    const acts = [write(lab)];
    const got: string[] = [];
    let from = `?after=${acts[0]}`;
    let headers = {};
    for (let time = 0; time < 20; time++) {
      acts.push(write(lab), write(lab));
      const stream = await listen(`${lab.base}/acts/stream${from}`, { key: lab.key, headers });
      if (time % 2 === 0) acts.push(write(lab));
      const enough = 1 + (time % 3); // it is killed in the middle, too
      await stream.until(() => stream.ids().length >= enough);
      stream.kill();
      await stream.ended;
      got.push(...stream.ids());
      from = "?after=0"; // the header goes before it
      headers = { "Last-Event-ID": stream.events.findLast(({ id }) => id !== undefined)?.id ?? "" };
    }
    const rest = await listen(`${lab.base}/acts/stream`, { key: lab.key, headers });
    t.after(rest.kill);
    if (got.at(-1) !== acts.at(-1)) await rest.until(({ id }) => id === acts.at(-1) && rest.ids().length > 0);
    assert.deepEqual([...got, ...rest.ids()], acts.slice(1));
  });

  it("begins with the first act after 0, whose history is longer than a page", async (t) => {
    const lab = await serve(t);
    for (let at = 0; at < 60; at++) write(lab);
    const { body } = await lab.ask("GET", "/acts?limit=500");
    const stream = await listen(`${lab.base}/acts/stream?after=0`, lab);
    t.after(stream.kill);
    await stream.until(({ id }) => id === body.acts.at(-1).id);
    assert.deepEqual(
      stream.ids(),
      body.acts.map(({ id }: { id: string }) => id),
    );
  });

  it("refuses as every other read does, and says what to do about an act that it does not know", async (t) => {
    const lab = await serve(t);
    const path = "/acts/stream";
    const { key } = createKey(lab.manuscript, { allow: ["ai"] });
    for (const [status, asked, query = ""] of [
      [401, { key: null }],
      [403, { key }],
      [403, { headers: { Origin: "http://other.example" } }],
      [400, {}, "?since=0"],
      [404, {}, "?after=act_none"],
      [404, { headers: { "Last-Event-ID": "act_none, act_other" } }],
      [404, { headers: { "Last-Event-ID": "\xff%0d%0aX: y" } }],
    ] as const) {
      const refused = await lab.ask("GET", path + query, asked);
      assert.equal(refused.status, status, refused.text);
      if (status === 404)
        assert.match(
          refused.body.message,
          /go on from its newest act, or from "0".*; GET \/acts lists them all\.$/,
        );
    }
    assert.equal((await lab.ask("POST", path)).status, 405);
    const head = await lab.ask("HEAD", path);
    assert.deepEqual(
      [head.status, head.headers.get("content-type")],
      [200, "text/event-stream; charset=utf-8"],
    );
  });

  it("lets a page that --cors names read it, and send Last-Event-ID", async (t) => {
    const origin = "http://localhost:5173";
    const lab = await serve(t, { cors: [origin] });
    const stream = await listen(`${lab.base}/acts/stream`, { key: lab.key, headers: { Origin: origin } });
    t.after(stream.kill);
    assert.equal(stream.answer.headers["access-control-allow-origin"], origin);
    const asked = await fetch(`${lab.base}/acts/stream`, {
      method: "OPTIONS",
      headers: { Origin: origin, "Access-Control-Request-Method": "GET" },
    });
    assert.match(asked.headers.get("access-control-allow-headers") ?? "", /Last-Event-ID/);
  });
});

describe("a stream of acts ends", () => {
  it("when its key is revoked by another program, and before another act is told; others go on", async (t) => {
    const lab = await serve(t);
    const other = openManuscript(lab.manuscript.store.path);
    t.after(() => other.close());
    const own = createKey(lab.manuscript, { allow: ["read"] });
    const ending = await listen(`${lab.base}/acts/stream`, { key: own.key });
    const staying = await listen(`${lab.base}/acts/stream`, lab);
    t.after(staying.kill);
    revokeKey(other, own.record.id);
    const act = write(lab, other);
    await ending.ended;
    await staying.until(({ id }) => id === act);
    assert.deepEqual(ending.ids(), []);
    assert.equal(errorOf(ending.events.at(-1)?.data), "unauthorized");
  });

  it("when its key has expired: what is written then is not told", async (t) => {
    let now = Date.UTC(2026, 2, 1);
    const lab = await serve(t, {}, { clock: () => now });
    const { key } = createKey(lab.manuscript, { expiresAt: now + 1000 });
    const stream = await listen(`${lab.base}/acts/stream`, { key });
    now += 2000;
    write(lab);
    await stream.ended;
    assert.deepEqual([stream.ids(), errorOf(stream.events.at(-1)?.data)], [[], "unauthorized"]);
  });

  it("when its key expires while there is nothing to tell, at the next sign of life", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    let now = Date.UTC(2026, 2, 1);
    const lab = await serve(t, {}, { clock: () => now });
    const { key } = createKey(lab.manuscript, { expiresAt: now + 40_000 });
    const ending = await listen(`${lab.base}/acts/stream`, { key });
    const staying = await listen(`${lab.base}/acts/stream`, lab);
    t.after(staying.kill);
    const beat = async () => {
      await new Promise((resolve) => setImmediate(resolve)); // by then both listen
      now += 30_000;
      t.mock.timers.tick(30_000);
    };
    await beat();
    await ending.until(({ comment }) => comment !== undefined);
    await beat();
    await ending.ended;
    assert.equal(errorOf(ending.events.at(-1)?.data), "unauthorized");
    const signs = () => staying.events.filter(({ comment }) => comment !== undefined).length;
    await staying.until(() => signs() === 2);
    assert.equal((await lab.ask("GET", "/acts/stream", { key })).status, 401);
  });

  it("when the server stops, at once and whole: nothing of it is left to be cut off", async (t) => {
    const lab = await serve(t);
    const own = await startServer({ host: "127.0.0.1", port: 0, manuscripts: [lab.manuscript] });
    const streams = await Promise.all([1, 2, 3].map(() => listen(`${own.url}/api/v1/acts/stream`, lab)));
    await own.close();
    await Promise.all(streams.map(({ ended }) => ended));
    const { url, gone } = await bare(t, followFrom(lab.manuscript, "0"));
    const stream = await listen(url, lab);
    await stream.until(({ event }) => event === "act");
    gone.abort();
    await stream.ended;
  });

  it("when the file is moved", async (t) => {
    const lab = await serve(t);
    const { path } = lab.manuscript.store;
    const stream = await listen(`${lab.base}/acts/stream`, lab);
    const move = (from: string, to: string) => {
      for (const end of ["", "-wal"]) renameSync(from + end, to + end);
    };
    move(path, `${path}.away`);
    await stream.ended;
    move(`${path}.away`, path);
    const { event, data } = stream.events.at(-1) ?? {};
    assert.deepEqual([event, errorOf(data)], ["error", "unavailable"]);
    assert.equal((await lab.ask("GET", "/acts/stream")).status, 200);
  });

  it("when another file is put in its place, for who catches up as well, and goes on from there", async (t) => {
    const lab = await serve(t);
    const act = write(lab);
    const stream = await listen(`${lab.base}/acts/stream`, lab);
    const { follow } = followFrom(lab.manuscript, "0");
    const pages = follow({ gone: new AbortController().signal })[Symbol.asyncIterator]();
    for (let at = 0; at < 100; at++) write(lab);
    assert.equal((await pages.next()).value?.isBehind, true);
    whileClosed(lab.manuscript, () => {});
    await assert.rejects(pages.next(), /was put back to a copy/);
    await stream.ended;
    assert.equal(errorOf(stream.events.at(-1)?.data), "unavailable");
    const next = write(lab);
    const again = await listen(`${lab.base}/acts/stream?after=${act}`, lab);
    t.after(again.kill);
    await again.until(({ id }) => id === next);
    assert.equal(again.ids().length, 101);
  });

  it("when a reader who is up to date leaves 256 kB unread; one who catches up is waited for", async (t) => {
    for (const isBehind of [false, true]) {
      const long = { id: "act_1", by: "x".repeat(200_000) } as unknown as FeedPage["acts"][number];
      let told = 0;
      async function* follow() {
        for (; told < 100; told++) {
          yield { acts: [long], last: 1, isBehind };
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      const { url, gone } = await bare(t, { from: "0", follow });
      const stream = await listen(url, { key: "" });
      stream.answer.pause();
      while (!gone.signal.aborted && told < 100 && !(isBehind && told > 0 && (await isStill(() => told))))
        await new Promise((resolve) => setImmediate(resolve));
      assert.ok(told < 100, "all was kept in memory");
      assert.equal(gone.signal.aborted, !isBehind);
      stream.answer.resume();
      await stream.ended;
      assert.equal(told === 100, isBehind);
    }
  });
});

describe("a stream of acts with nothing to tell", () => {
  it("gives a sign of life every half a minute, whoever else is told what", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const lab = await serve(t);
    const address = `${lab.base}/acts/stream`;
    const [stream, other] = [await listen(address, lab), await listen(address, lab)];
    const act = write(lab);
    await Promise.all([stream, other].map(({ until }) => until(({ id }) => id === act)));
    await new Promise((resolve) => setImmediate(resolve));
    t.mock.timers.tick(30_000);
    await Promise.all([stream, other].map(({ until }) => until(({ comment }) => comment !== undefined)));
    assert.deepEqual(stream.ids(), [act]);
  });

  it("ends for who has taken nothing between two signs, and for nobody else", async (t) => {
    for (const isReading of [true, false]) {
      const long = {
        id: "act_1",
        by: "x".repeat(isReading ? 500_000 : 16_000_000),
      } as unknown as FeedPage["acts"][number];
      let beat = () => {};
      async function* follow(following: Parameters<LiveFeed["follow"]>[0]) {
        beat = following.beat ?? beat;
        yield { acts: [long], last: 1, isBehind: false };
        await new Promise<void>((resolve) =>
          following.gone.addEventListener("abort", () => resolve(), { once: true }),
        );
      }
      const { url, gone } = await bare(t, { from: "0", follow });
      const stream = await listen(url, { key: "" });
      if (isReading) await stream.until(({ id }) => id === "act_1");
      else stream.answer.pause();
      beat();
      assert.ok(!gone.signal.aborted);
      beat();
      if (isReading) await stream.until(({ comment }) => comment !== undefined);
      else await new Promise((resolve) => gone.signal.addEventListener("abort", resolve, { once: true }));
      assert.equal(gone.signal.aborted, !isReading);
      stream.kill();
    }
  });
});

/** A server of this alone, whose stop aborts `gone`, as does a client's leaving. */
async function bare(t: TestContext, feed: LiveFeed): Promise<{ url: string; gone: AbortController }> {
  const gone = new AbortController();
  const server = createServer((_, response) => {
    response.once("close", () => gone.abort());
    Object.assign(response, { locals: { requestId: "1" } });
    void sendEvents(response as never, feed, { gone: gone.signal });
  });
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, gone };
}

async function isStill(count: () => number): Promise<boolean> {
  const before = count();
  await new Promise((resolve) => setTimeout(resolve, 30));
  return count() === before;
}
