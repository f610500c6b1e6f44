import assert from "node:assert/strict";
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { servedBy } from "../../src/store/file/open.ts";
import { documented } from "./fits.ts";
import { serving } from "./serving.ts";
import { shell, withBook } from "./shell.ts";

describe("serve", () => {
  it("prints the address alone on stdout once it listens, and ends cleanly with 0", async (t) => {
    const sh = await withBook(t);
    const { stdout: key } = await sh("key", "create");
    const server = await serving(t, sh.cwd, "--quiet");
    assert.match(server.said, /^http:\/\/127\.0\.0\.1:\d+\n$/);
    const headers = { Authorization: `Bearer ${key.trim()}` };
    const answer = await fetch(`${server.said.trim()}/api/v1/books`, { headers });
    assert.equal(answer.status, 200);
    assert.equal(
      (await sh("status", "1", "done")).exit,
      EXIT.done,
      "the command line works beside the server",
    );
    assert.equal(await server.close(), EXIT.done);
    assert.ok(!existsSync(join(sh.cwd, "book.manuscript-wal")), "the file alone is whole");
  });

  it("two servers on one file, and a taken port, are refused in one line", async (t) => {
    const sh = await withBook(t);
    const server = await serving(t, sh.cwd, "--quiet");
    const second = await sh("serve", "--port", "0");
    assert.equal(second.exit, EXIT.failed);
    assert.match(second.stderr, /^manuscript: .*served by another process.*\n$/);
    await sh("init", "other.manuscript");
    const taken = await sh("serve", "other.manuscript", "--port", new URL(server.said.trim()).port);
    assert.equal(taken.exit, EXIT.failed);
    assert.match(taken.stderr, /^manuscript: Port \d+ is taken.*\n$/);
    await server.close();
    const again = await serving(t, sh.cwd, "book.manuscript", "--quiet");
    assert.equal(await again.close(), EXIT.done);
  });

  it("says at start where prose is sent, if anywhere", async (t) => {
    const sh = await withBook(t);
    const url = "https://models.example/v1";
    await sh("account", "set", "--llm-url", url, "--llm-model", "m", "--llm-allow-remote");
    const server = await serving(t, sh.cwd);
    const talk = await server.talk(/AI calls/);
    assert.match(
      talk,
      /^Warning: AI calls of .*book\.manuscript go to m at https:\/\/models\.example\/v1.*REMOTE/m,
    );
    await server.close();
    const asJson = await serving(t, sh.cwd, "--json");
    assert.match(await asJson.talk(/AI calls/), /REMOTE/);
    await asJson.close();
  });

  it("serves every manuscript of a folder as it is asked for, but not two copies of one", async (t) => {
    const sh = await withBook(t);
    await sh("init", "other.manuscript");
    const keys = [];
    for (const name of ["book.manuscript", "other.manuscript"])
      keys.push((await sh("key", "create", "--file", name)).stdout.trim());
    copyFileSync(join(sh.cwd, "book.manuscript"), join(sh.cwd, "copy.manuscript"));
    const server = await serving(t, sh.cwd, ".", "--json", "--quiet");
    const { url, files, links } = documented(JSON.parse(server.said), "serve");
    assert.deepEqual([files.length, links.length], [3, 3]);
    await server.talk(/book\.manuscript and .*copy\.manuscript are copies of one manuscript/);
    const get = (key = "") => fetch(`${url}/api/v1/books`, { headers: { Authorization: `Bearer ${key}` } });
    assert.equal((await get(keys[0])).status, 503, "a key of both opens neither");
    assert.ok(
      !existsSync(join(sh.cwd, "other.manuscript-serve.lock")),
      "nothing is opened before it is asked for",
    );
    assert.equal((await get(keys[1])).status, 200);
    const second = await sh("serve", ".", "--port", "0");
    assert.deepEqual(
      [second.exit, second.stderr.includes("is served by another process")],
      [EXIT.failed, true],
    );
    const opened = await sh("open", "--file", "other.manuscript", "--json");
    assert.ok(opened.json<{ link: string }>().link.startsWith(`${url}/open#`), "by the folder's own address");
    assert.equal(await server.close(), EXIT.done);
    assert.ok(!existsSync(join(sh.cwd, ".folder-served")));
  });

  it("--open-files bounds how many manuscripts of a folder are open", async (t) => {
    const sh = await withBook(t);
    await sh("init", "other.manuscript");
    const files = ["book.manuscript", "other.manuscript"].map((name) => join(sh.cwd, name));
    const keys = [];
    for (const file of files) keys.push((await sh("key", "create", "--file", file)).stdout.trim());
    const server = await serving(t, sh.cwd, ".", "--open-files", "1", "--quiet");
    const isOpen = () => files.map((file) => servedBy(file) !== undefined);
    assert.deepEqual(isOpen(), [false, false]);
    for (const [at, key] of keys.entries()) {
      const headers = { Authorization: `Bearer ${key}` };
      const answer = await fetch(`${server.said.trim()}/api/v1/books`, { headers });
      assert.equal(answer.status, 200);
      assert.deepEqual(isOpen(), [at === 0, at === 1]);
    }
    assert.equal(await server.close(), EXIT.done);
    assert.deepEqual(isOpen(), [false, false]);
  });

  it("--sample makes the novel with its cast, marginalia, goal and mentions, and a new key at each start", async (t) => {
    const sh = shell(t);
    const server = await serving(t, sh.cwd, "--sample", "--json", "--quiet");
    const { url, key, files } = documented(JSON.parse(server.said), "serve");
    assert.deepEqual(files, [join(sh.cwd, "sample.manuscript")]);
    const get = async (path: string) => {
      const answer = await fetch(`${url}/api/v1${path}`, { headers: { Authorization: `Bearer ${key}` } });
      assert.equal(answer.status, 200);
      return (await answer.json()) as Record<string, unknown>;
    };
    const { books } = (await get("/books")) as { books: { id: string; chapterCount: number }[] };
    assert.equal(books[0]?.chapterCount, 14);
    const outline = await get(`/books/${books[0]?.id}`);
    assert.equal((outline.parts as unknown[]).length, 3);
    assert.ok(outline.goal);
    const { facts } = (await get(`/books/${books[0]?.id}/facts`)) as { facts: { mentionCount: number }[] };
    assert.ok(facts.some(({ mentionCount }) => mentionCount > 5));
    const { snippets } = (await get(`/books/${books[0]?.id}/snippets`)) as {
      snippets: { kind: string; blockId: string | null }[];
    };
    assert.deepEqual([...new Set(snippets.map(({ kind }) => kind))].sort(), [
      "note",
      "reference",
      "research",
      "todo",
    ]);
    assert.ok(snippets.some(({ blockId }) => blockId !== null));
    await server.close();
    const again = await serving(t, sh.cwd, "--sample", "--quiet");
    await again.talk(/^Docs: http:\/\/127\.0\.0\.1:\d+\/docs$/m);
    await again.talk(/new one: the key of the last start opens nothing any more/);
    await again.talk(/curl -H "Authorization: Bearer msk_\w+" http:\/\/127\.0\.0\.1:\d+\/api\/v1\/books\n/);
    const old = await fetch(`${again.said.trim()}/api/v1/books`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    assert.equal(old.status, 401);
    await again.close();
    const { books: after } = (await sh("books", "--json")).json<{ books: unknown[] }>();
    assert.equal(after.length, 1, "the novel is imported once");
  });

  it("does not listen where other machines are without --allow-remote, and says what is better", async (t) => {
    const sh = await withBook(t);
    for (const host of [
      "0.0.0.0",
      "::",
      "[::]",
      "0",
      "::ffff:0.0.0.0",
      "192.168.1.5",
      "fe80::1",
      "8.8.8.8",
    ]) {
      const { exit, stderr } = await sh("serve", "--host", host, "--port", "0");
      assert.equal(exit, EXIT.usage, host);
      assert.match(stderr, /other machines.*nothing is encrypted.*TLS.*ssh -L.*caddy.*--allow-remote/);
    }
    for (const host of ["127.0.0.2", "localhost", "::ffff:127.0.0.1"]) {
      const server = await serving(t, sh.cwd, "--host", host, "--quiet");
      const { hostname, port } = new URL(server.said.trim());
      const answer = await fetch(`http://${hostname}:${port}/llms.txt`);
      assert.equal(answer.status, 200, "the address that was named is one to ask by");
      assert.equal(await server.close(), EXIT.done);
    }
  });

  it("--allow-remote warns, with --json and --quiet too, and answers to the address that was named", async (t) => {
    const sh = await withBook(t);
    const server = await serving(t, sh.cwd, "--host", "0.0.0.0", "--allow-remote", "--json", "--quiet");
    const talk = await server.talk(/Warning/);
    assert.match(
      talk,
      /^Warning: 0\.0\.0\.0 can be reached from other machines.*ssh -L (\d+):127\.0\.0\.1:\1.*caddy/m,
    );
    const { port } = new URL(JSON.parse(server.said).url);
    assert.equal((await fetch(`http://127.0.0.1:${port}/llms.txt`)).status, 200);
    assert.equal(await server.close(), EXIT.done);
  });

  it("wrong settings are refused before anything is opened", async (t) => {
    const sh = await withBook(t);
    for (const argv of [
      ["--allow-host", ""],
      ["--allow-host", "*"],
      ["--allow-host", "http://x"],
      ["--allow-host", "x:80"],
      ["--cors", "*"],
      ["--cors", "null"],
      ["--cors", "https://editor.example/"],
      ["--cors", "https://editor.example", "--cors", "editor.example"],
      ["--host", ""],
      ["--disable", "reading"],
      ["--log", "xml"],
      ["--sample", "book.manuscript"],
      ["--port", "x"],
    ]) {
      assert.equal((await sh("serve", ...argv)).exit, EXIT.usage, argv.join(" "));
    }
    assert.equal((await sh("serve", "missing.manuscript")).exit, EXIT.notFound);
  });
});
