import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { approveCode, issueToken, plainCode, TOKEN_MS } from "../../src/service/account/sign-in.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { type Lab, serve, signedIn } from "../support/client.ts";
import { untilApproved } from "../support/sandbox.ts";

/** Like a page of the server itself, without a key. */
function visitor(lab: Lab) {
  return (path: string, body: unknown, headers: Record<string, string> = {}) =>
    lab.ask("POST", path, { key: null, headers: { Origin: lab.url, ...headers }, body });
}

/** A server whose clock and whose file's clock a test sets. */
async function timed(t: TestContext) {
  let now = Date.UTC(2026, 2, 1, 12);
  const clock = () => now;
  const lab = await serve(t, { clock }, { clock });
  return { lab, visit: visitor(lab), pass: (ms: number) => (now += ms) };
}

const tokenOf = (link: string) => new URL(link).hash.slice(1);

describe("signing in", () => {
  it("a link's token opens a session once, and the session may do everything", async (t) => {
    const lab = await serve(t);
    const link = new URL(lab.link());
    assert.equal(link.origin + link.pathname, `${lab.url}/open`);
    assert.match(link.hash, /^#[0-9a-f]{64}$/);
    const token = link.hash.slice(1);
    const { status, body } = await visitor(lab)("/session", { token });
    assert.equal(status, 200);
    assert.match(body.session, /^mss_[0-9a-f]{64}$/);
    const left = Date.parse(body.expiresAt) - Date.now();
    assert.ok(Math.abs(left - 12 * 3_600_000) < 60_000, `${left} ms`);
    const key = body.session;
    assert.equal((await lab.ask("GET", "/books", { key })).status, 200);
    assert.equal((await lab.ask("POST", "/books", { key, body: { title: "New" } })).status, 201);
    assert.equal((await lab.ask("GET", "/owner/keys", { key })).body.keys[0].name, "test");
    const again = await visitor(lab)("/session", { token });
    assert.deepEqual([again.status, again.body.error], [410, "gone"]);
    assert.match(again.body.message, /used already.*manuscript open/);
  });

  it("a token that the file knows opens one too, and is gone from it", async (t) => {
    const { lab, visit, pass } = await timed(t);
    const beside = openManuscript(lab.manuscript.store.path, { clock: lab.manuscript.store.clock });
    t.after(() => beside.close());
    const [token, late] = [issueToken(beside), issueToken(beside)];
    const rows = () => beside.store.list("SELECT name || value FROM settings WHERE name LIKE 'page:token:%'");
    assert.equal(rows().length, 2);
    assert.ok(!rows().join().includes(token), "the file holds its hash alone");
    assert.equal((await visit("/session", { token })).status, 200);
    assert.equal((await visit("/session", { token })).status, 410);
    pass(TOKEN_MS);
    assert.equal((await visit("/session", { token: late })).status, 410, "it was good for two minutes");
    assert.equal(rows().length, 0);
  });

  it("only a page of this very server may, and only as JSON", async (t) => {
    const lab = await serve(t, { cors: ["https://editor.example"] });
    const token = tokenOf(lab.link());
    for (const path of ["/session", "/session/code", "/session/code/claim"])
      for (const origin of [
        undefined,
        "null",
        "https://editor.example",
        "http://127.0.0.1:1",
        "http://localhost",
      ]) {
        const headers: Record<string, string> = origin === undefined ? {} : { Origin: origin };
        const refused = await lab.ask("POST", path, { key: null, headers, body: { token } });
        assert.deepEqual(
          [refused.status, refused.body.error],
          [403, "forbidden_origin"],
          `${path} ${origin}`,
        );
      }
    const form = { Origin: lab.url, "Content-Type": "text/plain" };
    const refused = await lab.ask("POST", "/session", {
      key: null,
      headers: form,
      body: `{"token":"${token}"}`,
    });
    assert.equal(refused.status, 415);
    assert.equal((await visitor(lab)("/session", { token })).status, 200, "nothing of it used the token up");
  });

  it("a session is its own page's alone, not that of a page that --cors names", async (t) => {
    const friend = "https://editor.example";
    const lab = await serve(t, { cors: [friend] });
    const { session: key } = await signedIn(lab);
    const as = (Origin: string) => lab.ask("GET", "/books", { key, headers: { Origin } });
    assert.equal((await as(lab.url)).status, 200);
    assert.equal((await as(friend)).body.error, "forbidden_origin");
    assert.equal((await lab.ask("GET", "/books", { headers: { Origin: friend } })).status, 200);
  });

  it("wrong tokens are made to wait, a good one never", async (t) => {
    const lab = await serve(t);
    const statuses: number[] = [];
    for (let tries = 0; tries < 12; tries++)
      statuses.push((await visitor(lab)("/session", { token: "0".repeat(64) })).status);
    assert.deepEqual(statuses, [...Array(10).fill(410), 429, 429]);
    assert.equal((await visitor(lab)("/session", { token: tokenOf(lab.link()) })).status, 200);
  });

  it("ends after twelve hours, when it is signed out, and when the owner ends it", async (t) => {
    const { lab, visit, pass } = await timed(t);
    const one = await signedIn(lab);
    const headers = { Origin: lab.url, "User-Agent": "A browser" };
    const token = tokenOf(lab.link());
    const two = (await visit("/session", { token }, headers)).body.session;
    const { body } = await one.ask("GET", "/owner/sessions");
    assert.deepEqual(
      body.sessions.map((session: { isThis: boolean; browser: string }) => [session.isThis, session.browser]),
      [
        [false, "A browser"],
        [true, "node"],
      ],
    );
    const { id } = body.sessions[0];
    assert.equal((await one.ask("DELETE", `/owner/sessions/${id}`)).body.ended, true);
    const refused = await lab.ask("GET", "/books", { key: two });
    assert.deepEqual([refused.status, refused.body.error], [401, "unauthorized"]);
    assert.match(refused.body.message, /signed out.*manuscript open/);
    assert.equal((await one.ask("DELETE", `/owner/sessions/${id}`)).status, 404);
    pass(12 * 3_600_000 - 1);
    assert.equal((await one.ask("GET", "/books")).status, 200);
    const later = await signedIn(lab);
    pass(1);
    assert.equal((await one.ask("GET", "/books")).status, 401);
    assert.equal((await later.ask("DELETE", "/session")).body.ended, true);
    assert.equal((await later.ask("GET", "/books")).status, 401);
  });

  it("a session of no server opens nothing, however often it asks", async (t) => {
    const lab = await serve(t);
    for (let tries = 0; tries < 12; tries++)
      assert.equal((await lab.ask("GET", "/books", { key: `mss_${"0".repeat(64)}` })).status, 401);
  });
});

describe("a code", () => {
  it("lets its page in once the owner has approved it", async (t) => {
    const { lab, visit } = await timed(t);
    const { body: asked } = await visit("/session/code", {});
    assert.match(asked.code, /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    const claim = () => visit("/session/code/claim", { secret: asked.secret });
    const waiting = await claim();
    assert.deepEqual([waiting.status, waiting.body], [202, { pending: true, expiresAt: asked.expiresAt }]);
    approveCode(lab.manuscript, plainCode(asked.code.toLowerCase().replace("-", " ")) ?? "");
    const { status, body } = await untilApproved(claim);
    assert.equal(status, 200);
    assert.equal((await lab.ask("GET", "/owner/file", { key: body.session })).status, 200);
    assert.equal((await claim()).status, 410);
    assert.equal((await visit("/session/code/claim", { secret: asked.code })).status, 410);
  });

  it("is open for five minutes, five at most, and each address may ask for ten a minute", async (t) => {
    const { lab, visit, pass } = await timed(t);
    const first = (await visit("/session/code", {})).body;
    for (let more = 0; more < 4; more++) assert.equal((await visit("/session/code", {})).status, 200);
    const sixth = await visit("/session/code", {});
    assert.deepEqual([sixth.status, sixth.body.error], [503, "unavailable"]);
    pass(5 * 60_000);
    approveCode(lab.manuscript, plainCode(first.code) ?? "");
    assert.equal((await visit("/session/code/claim", { secret: first.secret })).status, 410);
    assert.equal((await visit("/session/code", {})).status, 200);
    for (let more = 0; more < 9; more++) await visit("/session/code", {});
    assert.equal((await visit("/session/code", {})).status, 429);
  });

  it("is read as people type it", () => {
    assert.equal(plainCode(" 4f7k-9q2m "), "4F7K9Q2M");
    assert.equal(plainCode("oil1-0000"), "01110000");
    for (const none of ["", "4F7K", "4F7K-9Q2MX", "4F7K-9Q2U"]) assert.equal(plainCode(none), undefined);
  });
});
