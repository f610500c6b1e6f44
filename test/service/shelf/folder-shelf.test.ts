import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { startServer } from "../../../src/http/server.ts";
import { createKey, listKeys, revokeKey } from "../../../src/service/account/keys.ts";
import { approveCode, issueToken, plainCode } from "../../../src/service/account/sign-in.ts";
import { type Manuscript, openManuscript, type Surroundings } from "../../../src/service/manuscript.ts";
import { FolderShelf, type FolderShelfOptions } from "../../../src/service/shelf/folder-shelf.ts";
import { openLocked } from "../../../src/service/shelf/open-locked.ts";
import { folder, manuscriptBytes, seeded, untilApproved } from "../../support/sandbox.ts";

/** A folder of manuscripts, each with a key, and none open. */
function shelved(t: TestContext, count: number) {
  const place = folder(t);
  const add = (name: string, seed: number) => {
    const path = join(place, `${name}.manuscript`);
    writeFileSync(path, manuscriptBytes(), { mode: 0o600 });
    return { path, key: withOpen(path, (own) => createKey(own).key, { random: seeded(seed) }) };
  };
  const files = Array.from({ length: count }, (_, at) => add(`n${at}`, at + 1));
  return { place, files, add };
}

async function serving(t: TestContext, place: string, options: FolderShelfOptions = {}) {
  const shelf = new FolderShelf([place], options);
  t.after(() => shelf.close());
  const server = await startServer({ host: "127.0.0.1", port: 0, manuscripts: [], shelf });
  t.after(() => server.close());
  const ask = async (key: string, method = "GET", path = "/books", body?: unknown) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      Origin: server.url,
      "Content-Type": "application/json",
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${server.url}/api/v1${path}`, { method, headers, ...sent });
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers by the names that the contract gives
    return { status: answer.status, body: (await answer.json()) as any };
  };
  const names = () => shelf.open.map(({ store }) => /n\w+/.exec(store.path.slice(place.length))?.[0]);
  return { shelf, server, ask, names };
}

describe("a shelf of files", () => {
  it("opens a file at its first request, keeps to its bound, and opens again what it has closed", async (t) => {
    const { place, files } = shelved(t, 4);
    const closed: string[] = [];
    const { ask, names } = await serving(t, place, { most: 2, closed: (path) => closed.push(path) });
    assert.deepEqual(names(), []);
    for (const at of [0, 1, 0, 2]) assert.equal((await ask(files[at]!.key)).status, 200);
    assert.deepEqual(names(), ["n0", "n2"], "that which was asked for least recently went");
    assert.deepEqual(closed, [files[1]!.path]);
    assert.ok(!existsSync(`${files[1]!.path}-wal`), "a closed file is whole");
    openLocked(files[1]!.path, {}).close(); // another server may have it now
    assert.equal((await ask(files[1]!.key, "POST", "/books", { title: "New" })).status, 201);
    assert.equal((await ask(files[3]!.key)).status, 200);
    assert.equal((await ask(files[0]!.key)).status, 200);
    const { body } = await ask(files[1]!.key);
    assert.deepEqual(
      body.books.map(({ title }: { title: string }) => title),
      ["New"],
    );
  });

  it("never closes what is in use, and says so when all are", async (t) => {
    const { place, files } = shelved(t, 3);
    const { ask, names, server } = await serving(t, place, { most: 2 });
    const stop = new AbortController();
    for (const { key } of files.slice(0, 2)) {
      const headers = { Authorization: `Bearer ${key}` };
      const feed = await fetch(`${server.url}/api/v1/acts/stream`, { headers, signal: stop.signal });
      assert.equal(feed.status, 200);
    }
    const refused = await ask(files[2]!.key);
    assert.deepEqual([refused.status, refused.body.error], [503, "unavailable"]);
    assert.match(refused.body.message, /in use.*--open-files/);
    assert.deepEqual(names(), ["n0", "n1"]);
    stop.abort();
    while ((await ask(files[2]!.key)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(names().length, 2);
  });

  it("answers all who ask at once, though it keeps fewer open", async (t) => {
    const { place, files, add } = shelved(t, 1);
    const { ask } = await serving(t, place, { most: 2 });
    assert.equal((await ask(files[0]!.key)).status, 200);
    const late = Array.from({ length: 6 }, (_, at) => add(`late${at}`, 10 + at));
    const methods = ["GET", "GET", "DELETE", "GET", "GET", "GET"]; // one of them has no such row
    const answers = await Promise.all(late.map(({ key }, at) => ask(key, methods[at])));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 405, 200, 200, 200],
    );
  });

  it("answers several requests that write to one file at once", async (t) => {
    const { place, files } = shelved(t, 2);
    const { ask } = await serving(t, place, { most: 1 });
    const add = (at: number, title: string) => ask(files[at]!.key, "POST", "/books", { title });
    const written = await Promise.all([add(0, "A"), add(0, "B"), add(0, "C")]);
    assert.deepEqual(
      written.map(({ status }) => status),
      [201, 201, 201],
    );
    assert.equal((await ask(files[1]!.key)).status, 200);
    assert.equal((await ask(files[0]!.key)).body.books.length, 3);
  });

  it("refuses only the key of a damaged file, of one that another server has, and of copies", async (t) => {
    const { place, files } = shelved(t, 4);
    const other = openLocked(files[1]!.path, {});
    copyFileSync(files[2]!.path, join(place, "twin.manuscript"));
    const { ask } = await serving(t, place);
    const bytes = manuscriptBytes().subarray(0, 8192);
    assert.equal((await ask(files[0]!.key)).status, 200);
    const served = await ask(files[1]!.key);
    assert.deepEqual(
      [served.status, served.body.message.includes(`another process (number ${process.pid})`)],
      [503, true],
    );
    other.close();
    assert.equal((await ask(files[1]!.key)).status, 200, "and once it is free it is served");
    const twins = await ask(files[2]!.key);
    assert.deepEqual([twins.status, /copies of one manuscript/.test(twins.body.message)], [503, true]);
    writeFileSync(files[3]!.path, bytes);
    assert.equal((await ask(files[3]!.key)).status, 503);
    assert.equal((await ask(files[0]!.key)).status, 200);
    rmSync(join(place, "twin.manuscript"));
    assert.equal((await ask(files[2]!.key)).status, 200);
  });

  it("finds files that came, were renamed, went or were replaced while it runs", async (t) => {
    const { place, files, add } = shelved(t, 2);
    const { ask, shelf } = await serving(t, place, { most: 1 });
    assert.equal((await ask(files[0]!.key)).status, 200);
    const late = add("late", 9);
    assert.equal((await ask(late.key)).status, 200);
    renameSync(files[0]!.path, join(place, "renamed.manuscript"));
    assert.equal((await ask(files[0]!.key)).status, 200);
    renameSync(join(place, "renamed.manuscript"), join(folder(t), "away.manuscript")); // while it is open
    assert.equal((await ask(files[0]!.key)).status, 503, "it says once that it was moved");
    assert.equal((await ask(files[0]!.key)).status, 401);
    const [, second] = files;
    renameSync(late.path, second!.path);
    assert.equal((await ask(second!.key)).status, 401);
    assert.equal((await ask(late.key)).status, 200);
    assert.deepEqual(shelf.files, [second!.path]);
  });

  it("answers wrong keys without opening a file", async (t) => {
    const { place, files } = shelved(t, 2);
    const { ask, names } = await serving(t, place);
    const outside = folder(t);
    mkdirSync(join(outside, "x"));
    writeFileSync(join(outside, "x.manuscript"), manuscriptBytes());
    const stranger = openManuscript(join(outside, "x.manuscript"), { random: seeded(99) });
    t.after(() => stranger.close());
    assert.equal((await ask(createKey(stranger).key)).status, 401);
    assert.equal((await ask(`${files[0]!.key.slice(0, -1)}-`)).status, 401);
    assert.deepEqual(names(), []);
  });

  it("a key that a command makes or ends while its file is closed counts at once", async (t) => {
    const { place, files } = shelved(t, 2);
    const { ask } = await serving(t, place, { most: 1 });
    const [{ path, key }, other] = [files[0]!, files[1]!];
    assert.equal((await ask(key)).status, 200);
    assert.equal((await ask(other.key)).status, 200);
    const made = withOpen(path, (own) => createKey(own).key);
    withOpen(path, (own) => revokeKey(own, listKeys(own).keys[0]!.id));
    assert.deepEqual([(await ask(made)).status, (await ask(key)).status], [200, 401]);
  });

  it("signs pages of closed files in, by link, token and code, and goes on when they were closed again", async (t) => {
    const { place, files } = shelved(t, 3);
    const { ask, shelf, server } = await serving(t, place, { most: 1 });
    const sign = async (token: string) =>
      (await ask("", "POST", "/session", { token })).body.session as string;
    const sessions = [await sign(new URL(server.linkTo(() => shelf.at(files[0]!.path))).hash.slice(1))];
    const token = withOpen(files[1]!.path, issueToken);
    sessions.push(await sign(token));
    const { body: shown } = await ask("", "POST", "/session/code", {});
    withOpen(files[2]!.path, (own) => approveCode(own, plainCode(shown.code)!));
    const claim = () => ask("", "POST", "/session/code/claim", { secret: shown.secret });
    sessions.push((await untilApproved(claim)).body.session);
    for (const [at, session] of sessions.entries()) {
      const { body } = await ask(session, "GET", "/owner/keys");
      assert.deepEqual(
        [body.total, files[at]!.key.startsWith(body.keys[0].prefix)],
        [1, true],
        `the page of file ${at}`,
      );
    }
  });
});

function withOpen<Result>(path: string, run: (own: Manuscript) => Result, given: Surroundings = {}): Result {
  const own = openManuscript(path, given);
  try {
    return run(own);
  } finally {
    own.close();
  }
}
