import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { eventually } from "../support/eventually.ts";
import { serving, started } from "./serving.ts";
import { type Shell, withBook } from "./shell.ts";

/** A desktop whose browser notes what it was given to show. */
function withBrowser(sh: Shell, name: string): Shell {
  mkdirSync(join(sh.cwd, "bin"), { recursive: true });
  const script =
    '#!/bin/sh\nPATH=/usr/bin:/bin\nf=$(printf %s "$1" | sed "s,^--app=file://,,")\nstat -c "%a $f" "$f" > mode.txt\ncp "$f" shown.tmp\nmv shown.tmp shown.html\n';
  writeFileSync(join(sh.cwd, "bin", name), script, { mode: 0o700 });
  return sh.with({ env: { PATH: join(sh.cwd, "bin"), DISPLAY: ":0" } });
}

async function shown(folder: string): Promise<string> {
  const path = join(folder, "shown.html");
  await eventually(() => existsSync(path), "the browser");
  return /url=([^"]+)"/.exec(readFileSync(path, "utf8"))?.[1] ?? "";
}

async function follow(link: string): Promise<number> {
  const { origin, hash } = new URL(link);
  const init = {
    method: "POST",
    headers: { Origin: origin, "Content-Type": "application/json" },
    body: JSON.stringify({ token: hash.slice(1) }),
  };
  return (await fetch(`${origin}/api/v1/session`, init)).status;
}

describe("a browser", () => {
  for (const [name, argv] of [
    ["xdg-open", []],
    ["chromium", ["--app"]],
  ] as const) {
    it(`${name} is shown a file of its owner's alone, in the home and not hidden, gone once it was used`, async (t) => {
      const sh = withBrowser(await withBook(t), name);
      const server = await serving(t, sh.cwd, "--quiet");
      const opening = sh("open", ...argv);
      const link = await shown(sh.cwd);
      const [mode, path = ""] = readFileSync(join(sh.cwd, "mode.txt"), "utf8").trim().split(" ");
      assert.equal(mode, "600");
      assert.match(path.slice(sh.cwd.length), /^\/manuscript-sign-in-[0-9a-f]{8}\.html$/);
      assert.ok(existsSync(path));
      assert.equal(await follow(link), 200);
      const { exit, stdout } = await opening;
      assert.deepEqual([exit, stdout.trim()], [EXIT.done, link]);
      assert.deepEqual(
        readdirSync(sh.cwd).filter((file) => file.startsWith("manuscript-sign-in")),
        [],
      );
      await server.close();
    });
  }

  it("is shown the page by serve --open, too", async (t) => {
    const sh = withBrowser(await withBook(t), "xdg-open");
    const env = { HOME: sh.cwd, PATH: join(sh.cwd, "bin"), DISPLAY: ":0" };
    const server = await started(t, sh.cwd, ["serve", "--port", "0", "--quiet", "--open"], env);
    assert.match(
      await server.talk(/The page opens/),
      /open#[0-9a-f]{64}.*\n.*\n?.*The page opens, signed in/,
    );
    assert.equal(await follow(await shown(sh.cwd)), 200);
    assert.ok(!readdirSync(sh.cwd).some((file) => file.startsWith("manuscript-sign-in")));
    await server.close();
  });

  it("that never comes leaves nothing behind when the command is stopped", async (t) => {
    const stop = new AbortController();
    const sh = withBrowser(await withBook(t), "xdg-open").with({ stop: stop.signal });
    const server = await serving(t, sh.cwd, "--quiet");
    const opening = sh("open", "--app");
    const link = await shown(sh.cwd);
    stop.abort();
    const { stderr } = await opening;
    assert.match(stderr, /No Chromium was found.*\nThe link was not used/);
    assert.equal(await follow(link), 410);
    assert.ok(!readdirSync(sh.cwd).some((file) => file.startsWith("manuscript-sign-in")));
    await server.close();
  });
});

it("a code that no page shows is told so", async (t) => {
  const sh = await withBook(t);
  const server = await serving(t, sh.cwd, "--quiet");
  const { exit, stderr } = await sh("open", "--code", "4F7K-9Q2M");
  assert.equal(exit, EXIT.notFound);
  assert.match(stderr, /no page of .* shows 4F7K-9Q2M now/);
  await server.close();
});
