import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { momentOf, ResponseCache } from "../../src/http/answers/response-cache.ts";
import { startServer } from "../../src/http/server.ts";
import { createKey, revokeKey } from "../../src/service/account/keys.ts";
import { createFact } from "../../src/service/annotations/facts.ts";
import { reanchorMentions } from "../../src/service/annotations/mentions.ts";
import { saveSynopsis, setStatus } from "../../src/service/books/chapter-fields.ts";
import { updateChapter } from "../../src/service/books/chapters.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import { type Manuscript, openManuscript, whileClosed } from "../../src/service/manuscript.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { connect } from "../../src/store/file/driver.ts";
import { type Lab, serve } from "../support/client.ts";
import { OWNER, type Sample } from "../support/sample.ts";
import { manuscript } from "../support/sandbox.ts";

interface Read {
  path: string;
  accept?: string;
}

const readsOf = ({ bookId, chapterId, otherChapterId, factId, snippetId }: Sample): Read[] => [
  { path: "/books" },
  ...["", "?days=3", "/facts", "/map", "/snippets", "/milestones"].map((rest) => ({
    path: `/books/${bookId}${rest}`,
  })),
  ...["", "?format=doc", "?format=markdown", "?revision=1", "/revisions"].map((rest) => ({
    path: `/chapters/${chapterId}${rest}`,
  })),
  { path: `/chapters/${chapterId}`, accept: "text/markdown" },
  { path: `/chapters/${otherChapterId}` },
  { path: `/facts/${factId}` },
  { path: `/snippets/${snippetId}` },
];

async function ask(base: string, { path, accept }: Read, headers: Record<string, string>) {
  const wanted = accept === undefined ? headers : { ...headers, Accept: accept };
  const response = await fetch(base + path, { headers: wanted });
  const [etag = null, type] = ["etag", "content-type"].map((name) => response.headers.get(name));
  return { status: response.status, etag, type, body: await response.text() };
}

const NOON = () => Date.UTC(2026, 2, 1, 12);
const served = (t: TestContext) => serve(t, {}, { clock: NOON });

/** A server that keeps answers, and one on the same file that keeps none; another program's connection to it. */
async function both(t: TestContext) {
  const lab = await served(t);
  const other = openManuscript(lab.manuscript.store.path, { busyTimeoutMs: 0, clock: NOON });
  t.after(() => other.close());
  const server = await startServer({ host: "127.0.0.1", port: 0, manuscripts: [other], cacheMib: 0 });
  t.after(() => server.close());
  return { lab, other, anew: `${server.url}/api/v1` };
}

/** What is written, by whoever, one after the other; each changes what some of the reads show. */
const writes = ({ bookId, chapterId, otherChapterId }: Sample): ((own: Manuscript) => unknown)[] => [
  (own) => replaceProse(own, chapterId, { markdown: "# The Ferry\n\nMara came late — “again”.\n" }, OWNER),
  (own) => saveSynopsis(own, chapterId, { synopsis: "She is late." }, OWNER),
  (own) => createFact(own, bookId, { name: "Ferry", kind: "place" }, OWNER),
  (own) => reanchorMentions(own, bookId, OWNER),
  (own) => updateChapter(own, otherChapterId, { position: 1 }, OWNER),
  (own) => replaceProse(own, chapterId, { markdown: "Never.\n" }, { ...OWNER, dryRun: true }),
  (own) => {
    const { act } = setStatus(own, otherChapterId, { status: "done" }, OWNER);
    return undoAct(own, act ?? "", OWNER);
  },
];

describe("cached answers", () => {
  it("are what a read of this moment says, whoever wrote last, with its own entity tag", async (t) => {
    const { lab, other, anew } = await both(t);
    const headers = { Authorization: `Bearer ${lab.key}` };
    const tags = new Map<Read, string>();
    const reads = readsOf(lab.sample);
    for (const [turn, write] of writes(lab.sample).entries()) {
      write(turn % 2 === 0 ? other : lab.manuscript);
      for (const read of reads) {
        const [first, now] = [await ask(lab.base, read, headers), await ask(anew, read, headers)];
        assert.deepEqual(first, now, `${read.path} after write ${turn}`);
        const { etag } = now;
        if (etag === null) assert.deepEqual(await ask(lab.base, read, headers), now, `${read.path} again`);
        if (etag === null) continue;
        const before = tags.get(read) ?? etag;
        const known = { ...headers, "If-None-Match": before };
        const { status, body } = await ask(lab.base, read, known);
        assert.deepEqual(
          [status, body],
          before === etag ? [304, ""] : [200, now.body],
          `${read.path} ${turn}`,
        );
        tags.set(read, etag);
      }
    }
  });

  it("cost no statement but that which asks what others did", async (t) => {
    const lab = await served(t);
    const { store } = lab.manuscript;
    const reads = readsOf(lab.sample);
    for (const { path } of reads) await lab.ask("GET", path);
    const calls = (["get", "all", "list", "run"] as const).map((name) => t.mock.method(store, name).mock);
    for (const { path } of reads) assert.equal((await lab.ask("GET", path)).status, 200);
    assert.deepEqual(
      calls.map((mock) => mock.callCount()),
      [0, 0, 0, 0],
    );
  });

  it("open nothing to a key that was revoked a moment ago by another program", async (t) => {
    const { lab, other } = await both(t);
    const { key, record } = createKey(other, { allow: ["read"] });
    assert.equal((await lab.ask("GET", "/books", { key })).status, 200);
    assert.equal((await lab.ask("GET", "/books", { key })).status, 200);
    revokeKey(other, record.id);
    assert.equal((await lab.ask("GET", "/books", { key })).status, 401);
  });

  it("are not those of a file that was put back", async (t) => {
    const lab = await served(t);
    const { store } = lab.manuscript;
    const path = `/chapters/${lab.sample.chapterId}`;
    const before = await lab.ask("GET", path);
    store.checkpoint();
    copyFileSync(store.path, `${store.path}.copy`);
    replaceProse(lab.manuscript, lab.sample.chapterId, { markdown: "Gone again.\n" }, OWNER);
    assert.match((await lab.ask("GET", path)).text, /Gone again/);
    whileClosed(lab.manuscript, () => copyFileSync(`${store.path}.copy`, store.path));
    assert.equal((await lab.ask("GET", path)).text, before.text);
    replaceProse(lab.manuscript, lab.sample.chapterId, { markdown: "Another way.\n" }, OWNER);
    assert.match((await lab.ask("GET", path)).text, /Another way/);
  });

  it("never hold what is damaged: it is refused again and again", async (t) => {
    const lab = await served(t);
    const { chapterId } = lab.sample;
    damage(lab, chapterId);
    for (const format of ["text", "text", "doc"]) {
      const { status, body } = await lab.ask("GET", `/chapters/${chapterId}?format=${format}`);
      assert.deepEqual([status, body.error], [503, "unavailable"]);
    }
  });
});

/** Turns bytes of a paragraph into others beneath every trigger, as a failing disk would. */
function damage({ manuscript: { store } }: Lab, chapterId: string): void {
  const connection = connect(store.path);
  connection.exec("BEGIN");
  const triggers = connection.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers as { name: string }[]) connection.exec(`DROP TRIGGER ${name}`);
  connection.prepare("UPDATE blocks SET text = replace(text, 'a', 'e') WHERE chapter_id = ?").run(chapterId);
  for (const { sql } of triggers as { sql: string }[]) connection.exec(sql);
  connection.exec("COMMIT");
  connection.close();
}

describe("the response cache", () => {
  const answer = (size: number) => ({ status: 200, headers: {}, body: Buffer.alloc(size, "x") });

  it("takes no answer for that of a file that was put in the place of its own, nor for that of another day", (t) => {
    let now = NOON();
    const own = manuscript(t, { clock: () => now });
    const cache = new ResponseCache(1);
    const before = momentOf(own);
    whileClosed(own, () => {});
    while (own.store.state() < before.change) own.store.setAside(() => {}); // each file counts by itself
    cache.keep(own, "/a", before, answer(10));
    assert.equal(cache.find(own, "/a"), undefined);
    const evening = momentOf(own);
    now += 86_400_000;
    cache.keep(own, "/a", evening, answer(10));
    assert.equal(cache.find(own, "/a"), undefined);
  });

  it("never exceeds its limit; the least recently used go, and one that is too large is not kept", (t) => {
    const own = manuscript(t);
    const cache = new ResponseCache(1);
    for (let count = 0; count < 40; count++) {
      cache.keep(own, `/a${count}`, momentOf(own), answer(50_000));
      assert.ok(cache.sizeBytes <= 2 ** 20, `${cache.sizeBytes} bytes`);
      cache.find(own, "/a3");
    }
    const kept = Array.from({ length: 40 }, (_, at) => at).filter((at) => cache.find(own, `/a${at}`));
    assert.deepEqual(kept, [3, ...Array.from({ length: 19 }, (_, at) => 21 + at)]);
    cache.keep(own, "/a3", momentOf(own), answer(2 ** 18));
    assert.equal(cache.find(own, "/a3"), undefined);
    assert.ok(cache.sizeBytes < 19 * 52_000);
  });

  it("counts small answers at no less than they take, each apart from the memory that others share", (t) => {
    const own = manuscript(t);
    const cache = new ResponseCache(1);
    for (let count = 0; count < 3000; count++)
      cache.keep(own, `/b${count}`, momentOf(own), { status: 200, headers: {}, body: Buffer.from("{}") });
    assert.ok(cache.sizeBytes > 0.99 * 2 ** 20 && cache.sizeBytes <= 2 ** 20);
    const { body } = cache.find(own, "/b2999") ?? {};
    assert.deepEqual([body?.toString(), body?.buffer.byteLength], ["{}", 2]);
  });
});
