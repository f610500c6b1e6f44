import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { documented, fits } from "./fits.ts";
import { serving, started } from "./serving.ts";
import { withBook } from "./shell.ts";

/** Signs in as the page does that a link opens; the answer's status, and the session. */
async function follow(link: string): Promise<{ status: number; session?: string }> {
  const { origin, hash } = new URL(link);
  const answer = await fetch(`${origin}/api/v1/session`, {
    method: "POST",
    headers: { Origin: origin, "Content-Type": "application/json" },
    body: JSON.stringify({ token: hash.slice(1) }),
  });
  return { status: answer.status, ...((await answer.json()) as { session?: string }) };
}

async function filesOf(link: string, session = ""): Promise<string> {
  const answer = await fetch(`${new URL(link).origin}/api/v1/owner/file`, {
    headers: { Authorization: `Bearer ${session}` },
  });
  return ((await answer.json()) as { file: string }).file;
}

describe("open", () => {
  it("prints a link that signs in to the server that runs, once; where there is no screen, that is all", async (t) => {
    const sh = await withBook(t);
    const server = await serving(t, sh.cwd, "--quiet");
    const { exit, stdout, stderr } = await sh("open");
    assert.equal(exit, EXIT.done, stderr);
    assert.ok(stdout.startsWith(`${server.said.trim()}/open#`), stdout);
    assert.match(stderr, /^No browser could be started.*manuscript open --code/);
    const { status, session } = await follow(stdout.trim());
    assert.equal(status, 200);
    assert.match(await filesOf(stdout, session), /book\.manuscript$/);
    assert.equal((await follow(stdout.trim())).status, 410);
    const { link, opened } = fits(await sh("open", "--json"), "open");
    assert.equal(opened, null);
    assert.equal((await follow(link)).status, 200);
    await server.close();
    const left = await sh("open", "--code", "4F7K-9Q2M");
    assert.equal(left.exit, EXIT.failed, "what a server has left behind is no server");
    assert.match(left.stderr, /No server of .* runs/);
  });

  it("starts a server where none runs, and takes no other for it", async (t) => {
    const sh = await withBook(t);
    const server = await started(t, sh.cwd, ["open", "--port", "0"]);
    assert.match(server.said, /^http:\/\/127\.0\.0\.1:\d+\n$/);
    const [link = ""] = /http:\/\/127\.0\.0\.1:\d+\/open#[0-9a-f]{64}/.exec(await server.talk(/open#/)) ?? [];
    assert.equal((await follow(link)).status, 200);
    assert.ok((await sh("open")).stdout.startsWith(`${server.said.trim()}/open#`));
    assert.equal(await server.close(), EXIT.done);
  });

  it("--code lets the page in that shows it, and says so", async (t) => {
    const sh = await withBook(t);
    const server = await serving(t, sh.cwd, "--quiet");
    const ask = async (path: string, body: object) => {
      const answer = await fetch(`${server.said.trim()}/api/v1${path}`, {
        method: "POST",
        headers: { Origin: server.said.trim(), "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      return (await answer.json()) as Record<string, string>;
    };
    const { code = "", secret } = await ask("/session/code", {});
    const said = await sh("open", "--code", code.toLowerCase());
    assert.deepEqual([said.exit, said.stdout], [EXIT.done, `The page that shows ${code} is signed in.\n`]);
    const { session } = await ask("/session/code/claim", { secret });
    assert.match(await filesOf(server.said, session), /book\.manuscript$/);
    await server.close();
  });
});

it("serve prints a link to the page of each manuscript", async (t) => {
  const sh = await withBook(t);
  await sh("init", "other.manuscript");
  const server = await serving(t, sh.cwd, ".", "--json", "--quiet");
  const { links, files } = documented(JSON.parse(server.said), "serve");
  for (const [at, link] of links.entries()) {
    const { session } = await follow(link);
    assert.equal(await filesOf(link, session), files[at]);
  }
  await server.close();
});
