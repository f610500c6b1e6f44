import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ask, type Bench, NOVEL, type Running } from "./bench.ts";
import { assertNotRemoved, leftovers, until } from "./places.ts";

/** A running server, and a program's way into it. */
interface Served {
  server: Running;
  url: string;
  headers: Record<string, string>;
  chapters: string[];
}

async function serve(bench: Bench): Promise<Served> {
  const { key } = await bench.answer<{ key: string }>("key", "create");
  const server = bench.start(["serve", "--port", "0", "--no-backups"]);
  const [url] = await server.says(/http:\/\/127\.0\.0\.1:\d+/);
  const headers = { Authorization: `Bearer ${key}` };
  const { books } = (await ask<{ books: { id: string }[] }>(`${url}/api/v1/books`, { headers })).body;
  const book = await ask<{ chapters: { id: string }[] }>(`${url}/api/v1/books/${books[0]?.id}`, { headers });
  return { server, url, headers, chapters: book.body.chapters.map(({ id }) => id) };
}

/** The API beside the command line; what a second server and a restore are told meanwhile. */
export async function tryServer(bench: Bench): Promise<string> {
  const { server, url, headers, chapters } = await serve(bench);
  const prose = `${url}/api/v1/chapters/${chapters[6]}/prose`;
  const put = await ask(prose, { method: "PUT", headers, body: "Über die Schnittstelle.\n" });
  assert.equal(put.status, 200);
  assert.match((await bench.run(["show", "7"])).stdout, /Über die Schnittstelle/);
  assert.match((await bench.run(["serve", "--port", "0"], { exit: 1 })).stderr, /served by another process/);
  await bench.run(["restore", "--yes"], { exit: 1 });
  await bench.run(["compact"], { exit: 1 });
  const wrong = await ask(`${url}/api/v1/books`, { headers: { ...headers, Origin: "http://evil.example" } });
  assert.equal(wrong.status, 403);
  const missing = await ask(`${url}/api/v1/books`);
  assert.equal(missing.status, 401);
  const detect = await ask(`${url}/api/v1/chapters/${chapters[1]}/detect`, {
    method: "POST",
    headers,
    body: {},
  });
  assert.equal(detect.status, 200, JSON.stringify(detect.body));
  assertNotRemoved(bench);
  assert.equal((await ask(`${url}/api/v1/books`, { headers })).status, 200);
  await server.kill();
  await bench.run(["doctor"]);
  return "GET, PUT, detect; a second server, restore and compact are refused";
}

/** Signs a page in by a link's token. */
function claim(url: string, token: string): Promise<{ status: number; body: { session: string } }> {
  return ask(`${url}/api/v1/session`, { method: "POST", headers: { Origin: url }, body: { token } });
}

/** The owner's page: its files, its sign-in by link and by code, and the file that leads a browser there. */
export async function tryPage(bench: Bench): Promise<string> {
  const { url } = await serve(bench);
  const page = await ask<string>(`${url}/`, { headers: { Accept: "text/html" } });
  assert.match(page.body, /<script/);
  const home = join(bench.base, "Tom&Co 100% home");
  mkdirSync(home);
  const opened = bench.start(["open"], { env: { HOME: home } });
  const [, token = ""] = await opened.says(/\/open#([0-9a-f]{64})/);
  const [redirect = ""] = readdirSync(home);
  assert.ok(readFileSync(join(home, redirect), "utf8").includes(token));
  assert.equal((await claim(url, token)).status, 200);
  assert.equal((await claim(url, token)).status, 410, "a link is good once");
  if (opened.child.exitCode === null) await once(opened.child, "exit");
  assert.deepEqual(readdirSync(home), [], "the file that led the browser there goes");
  const own = { method: "POST", headers: { Origin: url } };
  type Code = { code: string; secret: string };
  const { code, secret } = (await ask<Code>(`${url}/api/v1/session/code`, { ...own, body: {} })).body;
  await bench.run(["open", "--code", code.toLowerCase()]);
  const claimed = await ask(`${url}/api/v1/session/code/claim`, { ...own, body: { secret } });
  assert.equal(claimed.status, 200);
  return "by link, once, and by code";
}

/** What a double click starts, on a file in OneDrive, and its move out of there. */
export async function tryApp(bench: Bench): Promise<string> {
  const home = join(bench.base, "Zoë&Co home");
  const cloud = join(home, "OneDrive");
  mkdirSync(cloud, { recursive: true });
  const [file, to] = [cloud, home].map((folder) => join(folder, "Roman.manuscript")) as [string, string];
  await bench.run(["init", file]);
  const app = bench.start(["app", file], { env: { HOME: home, LOCALAPPDATA: home } });
  const link = String.raw`(http://127\.0\.0\.1:\d+)/open#([0-9a-f]{64})`;
  const signIn = async ([, url = "", token = ""]: readonly string[]) => {
    const { session } = (await claim(url, token)).body;
    const headers = { Origin: url, Authorization: `Bearer ${session}` };
    return <Answer>(path: string, method = "GET") =>
      ask<Answer>(`${url}/api/v1/owner/${path}`, { method, headers });
  };
  const before = await signIn(await app.says(new RegExp(link)));
  assert.equal((await before<{ movesTo: string }>("file")).body.movesTo, to);
  assert.equal((await before("file/move", "POST")).status, 200);
  const after = await signIn(
    await app.says(new RegExp(`(?<=Serving ${to.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}[^]*)${link}`)),
  );
  assert.equal((await after<{ file: string }>("file")).body.file, to);
  assert.deepEqual(readdirSync(cloud), ["Roman-backups"]);
  await app.kill();
  return "served, and moved out of OneDrive";
}

/** Copies from the page: made, put back and compacted while the server has the file open. */
export async function tryServedCopies(bench: Bench): Promise<string> {
  const { url, headers, chapters } = await serve(bench);
  const opened = bench.start(["open", "--json"]);
  const [, token = ""] = await opened.says(/\/open#([0-9a-f]{64})/);
  const { session } = (await claim(url, token)).body;
  const own = { Origin: url, Authorization: `Bearer ${session}` };
  const post = async (path: string, body: object) => {
    const answer = await ask<{ written: boolean }>(`${url}/api/v1/owner/${path}`, {
      ...{ method: "POST", headers: own, body },
    });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  await post("backups", {});
  const file = await ask<{ file: string }>(`${url}/api/v1/owner/file`, { headers: own });
  assert.match(file.body.file, /novel\.manuscript$/);
  const backups = await ask<{ copies: { path: string }[] }>(`${url}/api/v1/owner/backups`, { headers: own });
  const prose = `${url}/api/v1/chapters/${chapters[9]}`;
  await ask(`${prose}/prose`, { method: "PUT", headers, body: "Nach der Kopie.\n" });
  await post("backups/restore", { copy: backups.body.copies[0]?.path });
  const now = await ask(`${prose}?format=markdown`, { headers });
  assert.ok(!JSON.stringify(now.body).includes("Nach der Kopie."));
  await post("file/compact", { olderThan: "2026-01-01" });
  assert.equal((await ask(prose, { headers })).status, 200);
  return "made, put back, compacted";
}

/** Several programs that write at once: nothing is lost. Two servers that start at once: one serves. */
export async function tryTogether(bench: Bench): Promise<string> {
  const count = async () => (await bench.answer<{ snippets: unknown[] }>("notes", "list")).snippets.length;
  const before = await count();
  const writers = Array.from({ length: 6 }, (_, at) => bench.run(["notes", "add", `Notiz ${at}`]));
  await Promise.all(writers);
  assert.equal(await count(), before + writers.length);
  const two = [0, 1].map(() => bench.start(["serve", "--port", "0", "--no-backups"]));
  const starts = two.map((one) =>
    one.says(/http:\/\/127\.0\.0\.1:\d+(?=\s)/).then(
      () => "serves",
      () => "ended",
    ),
  );
  assert.deepEqual((await Promise.all(starts)).sort(), ["ended", "serves"]);
  for (const one of two) await one.kill();
  return `${writers.length} writers, 2 servers`;
}

const ROUNDS = 4;

/** Kills a server amid saves: each that it acknowledged is there afterwards, and the file is sound. */
export async function tryKills(bench: Bench): Promise<string> {
  let saves = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { server, url, headers, chapters } = await serve(bench);
    let last = "";
    const prose = `${url}/api/v1/chapters/${chapters[8]}/prose`;
    const saving = (async () => {
      for (let at = 0; ; at++) {
        const body = `Runde ${round}, ${at}.\n`;
        if ((await ask(prose, { method: "PUT", headers, body })).status === 200) last = body.trim();
        saves++;
      }
    })().catch(() => {});
    await wait(400 + 250 * round);
    await server.kill();
    await saving;
    const { stdout } = await bench.run(["show", "9"]);
    const isNext = (text: string) => Number(/, (\d+)\./.exec(text)?.[1]);
    assert.ok(isNext(stdout) >= isNext(last), `${last} was acknowledged, and the chapter is ${stdout}`);
  }
  const exporting = bench.start(["export", "-o", "killed"]);
  await wait(900);
  await exporting.kill();
  const importing = bench.start(["import", NOVEL, "--title", "Abgebrochen"]);
  await wait(1200);
  await importing.kill();
  await bench.run(["export", "-o", "killed", "--force"]);
  assert.deepEqual(leftovers(join(bench.cwd, "killed")), []);
  assert.doesNotMatch((await bench.run(["doctor"])).stdout, /warn|fail/);
  return `${ROUNDS} kills, ${saves} saves`;
}

/** An agent over stdin and stdout. */
export async function tryAgent(bench: Bench): Promise<string> {
  const agent = bench.start(["mcp", "--read-only"]);
  const send = (message: object) =>
    agent.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "lab", version: "1" },
  };
  send({ id: 1, method: "initialize", params });
  await agent.says(/"id":1/);
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/list" });
  await agent.says(/read_chapter/);
  agent.child.stdin?.end();
  const [status] = await once(agent.child, "exit");
  assert.equal(status, 0);
  return "tools listed";
}

/** The sample, as `npm start` serves it. */
export async function trySample(bench: Bench): Promise<string> {
  const server = bench.start(["serve", "--sample", "--port", "0", "--backups", "copies"]);
  const [, key = "", address = ""] = await server.says(/curl -H "Authorization: (Bearer \S+)" (http:\S+)/);
  const { status } = await ask(address, { headers: { Authorization: key } });
  assert.equal(status, 200);
  const copies = join(bench.cwd, "copies");
  await until(() => existsSync(copies) && readdirSync(copies).some((name) => name.endsWith(".backup")));
  await server.kill();
  return "answered, and a copy was made";
}
