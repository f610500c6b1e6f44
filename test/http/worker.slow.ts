import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { describe, it } from "node:test";
import { startServer } from "../../src/http/server.ts";
import { RequestWorker } from "../../src/http/worker.ts";
import { createKey } from "../../src/service/account/keys.ts";
import { listBooks } from "../../src/service/list-books.ts";
import { FolderShelf } from "../../src/service/shelf/folder-shelf.ts";
import { serve } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { withSample, writeSample } from "../support/sample.ts";
import { manuscript } from "../support/sandbox.ts";

describe("the worker of a server", () => {
  it("answers what the server itself answers, byte for byte and header for header", async (t) => {
    const alone = await serve(t);
    const helped = await serve(t, { worker: new RequestWorker() });
    const { bookId, chapterId } = helped.sample;
    const long = "Once more with *feeling*.\n\n".repeat(3000);
    const asked: [string, string, unknown?][] = [
      ["GET", `/books/${bookId}/search?q=the&limit=3`],
      ["GET", `/books/${bookId}/search?q=`],
      ["POST", `/chapters/${chapterId}/detect`],
      ["POST", `/chapters/ch_none/detect`],
      ["POST", `/chapters/${chapterId}/check`],
      ["PUT", `/chapters/${chapterId}/prose?dryRun=1`, { markdown: long, ifRevision: 99 }],
      ["PUT", `/chapters/${chapterId}/prose?dryRun=1`, { markdwn: long }],
      ["PUT", `/chapters/${chapterId}/prose?dryRun=1`, `{"markdown": "${"x".repeat(80_000)}`],
    ];
    for (const [method, path, body] of asked) {
      const headers = { "Content-Type": "application/json" };
      const [one, other] = [alone, helped].map((lab) => lab.ask(method, path, { body, headers }));
      const [here, there] = [await one, await other];
      assert.equal(there?.text, here?.text, `${method} ${path}`);
      assert.deepEqual(told(there), told(here), `${method} ${path}`);
    }
    const { status, body } = await helped.ask("PUT", `/chapters/${chapterId}/prose`, {
      body: { markdown: long },
    });
    assert.equal(status, 200);
    const read = await helped.ask("GET", `/chapters/${chapterId}?format=markdown`);
    assert.deepEqual([read.body.revision, read.body.markdown], [body.revision, long]);
    const undone = await helped.ask("POST", `/acts/${body.act}/undo`);
    assert.equal(undone.status, 200, "an act of the worker is the file's like any other");
  });

  it("closes a file that a shelf has closed, and opens it again for the next question", async (t) => {
    const own = withSample(t).own;
    const { key } = createKey(own);
    const { path } = own.store;
    const id = listBooks(own).books[0]?.id;
    own.close();
    const worker = new RequestWorker();
    const closed = (gone: string) => worker.closeFile(gone);
    const shelf = new FolderShelf([dirname(path)], { most: 1, closed });
    t.after(() => shelf.close());
    const server = await startServer({ host: "127.0.0.1", port: 0, manuscripts: [], shelf, worker });
    t.after(() => server.close());
    for (let time = 0; time < 2; time++) {
      const headers = { Authorization: `Bearer ${key}` };
      const answer = await fetch(`${server.url}/api/v1/books/${id}/search?q=ferry`, { headers });
      assert.equal(answer.status, 200);
      assert.ok(((await answer.json()) as { total: number }).total > 0);
      shelf.lose(shelf.open[0]!);
      await eventually(() => !existsSync(`${path}-wal`), "the last to close it to take its log in");
      assert.deepEqual(shelf.open, []);
    }
  });

  it("is not started to build an index of nothing", async (t) => {
    const started = () => process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap").length;
    const before = started();
    const worker = new RequestWorker();
    t.after(() => worker.close());
    const blank = manuscript(t);
    worker.warm([blank]);
    assert.equal(started(), before);
    writeSample(blank);
    worker.warm([blank]);
    assert.equal(started(), before + 1);
  });

  it("ends where memory runs out, which is said, and what waited behind is answered by the next", async (t) => {
    const worker = new RequestWorker({ heapMib: 48, cacheMib: 8 });
    const { sample, ask } = await serve(t, { worker });
    const prose = `/chapters/${sample.chapterId}/prose`;
    const before = await ask("GET", `/chapters/${sample.chapterId}`);
    const markdown = (bytes: number) => ({ body: { markdown: "*a* ".repeat(bytes / 4) } });
    const large = ask("PUT", prose, markdown(4 * 2 ** 20));
    const small = { body: { markdown: "word ".repeat(14_000) } }; // the worker's, for it is longer than 64 KiB
    const behind = ask("PUT", `${prose}?dryRun=1`, small);
    const { status, body } = await large;
    assert.equal(status, 503);
    assert.match(body.message, /takes more memory than one may have/);
    assert.equal((await behind).status, 200, "what waited behind it");
    const after = await ask("GET", `/chapters/${sample.chapterId}`);
    assert.equal(after.text, before.text, "nothing was written");
    assert.equal((await ask("PUT", prose, small)).status, 200, "the next request");
  });
});

function told(answer: { status: number; headers: Headers } | undefined) {
  const { "x-request-id": _, date: __, ...headers } = Object.fromEntries(answer?.headers ?? []);
  return { status: answer?.status, headers };
}
