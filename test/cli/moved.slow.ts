import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { connect } from "../../src/store/file/driver.ts";
import { firstSaid } from "../support/first-said.ts";
import { PROGRAM } from "../support/program.ts";
import { withBook } from "./shell.ts";

const TEXT = "Nobody had seen the lamp since the autumn.";

/** A served manuscript, in a folder of its own, that was moved out of it at once after a save, which is in its log alone. */
async function moved(t: TestContext) {
  const sh = await withBook(t);
  const file = join(sh.cwd, "own", "book.manuscript");
  const to = join(sh.cwd, "moved.manuscript");
  const { key } = (await sh("key", "create", "--name", "test", "--json")).json<{ key: string }>();
  const [{ id } = { id: "" }] = (await sh("outline", "1", "--json")).json<{ chapters: { id: string }[] }>()
    .chapters;
  mkdirSync(dirname(file));
  renameSync(join(sh.cwd, "book.manuscript"), file);
  const argv = [PROGRAM, "serve", file, "--port", "0", "--quiet"];
  const server = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "pipe"] });
  t.after(() => server.kill("SIGKILL"));
  let said = "";
  server.stderr.on("data", (chunk: Buffer) => {
    said += String(chunk);
  });
  const url = /http:\/\/[\d.:]+/.exec(await firstSaid(server))?.[0];
  const reader = connect(file, { readonly: true });
  reader.exec("BEGIN; SELECT count(*) FROM books"); // meanwhile nothing is taken from the log into the file
  const put = () =>
    fetch(`${url}/api/v1/chapters/${id}/prose`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "text/markdown" },
      body: TEXT,
    });
  assert.equal((await put()).status, 200);
  renameSync(file, to);
  reader.close();
  return { sh, file, to, server, put, said: () => said };
}

describe("a manuscript that is moved under its server right after a save", () => {
  for (const signal of ["SIGTERM", "SIGKILL"] as const)
    it(`is refused by its new name, and has the save after a restore, where that ends with ${signal}`, async (t) => {
      const { sh, file, to, server, put, said } = await moved(t);
      const refused = async (pattern: RegExp, ...argv: string[]) => {
        const ran = await sh(...argv, "--file", to);
        assert.equal(ran.exit, EXIT.failed);
        assert.match(ran.stderr, pattern);
      };
      const log = /was moved while it was open, and its newest saves are still in \S+book\.manuscript-wal/;
      await refused(log, "chapter", "add", "X");
      await refused(/stop that first/, "restore", to);
      assert.equal((await put()).status, 503);
      const ended = once(server, "close");
      server.kill(signal);
      await ended;
      if (signal === "SIGTERM")
        assert.match(said(), /Its newest saves are in \S+book\.manuscript-wal, .*manuscript restore/);
      await refused(log, "show", "1");
      const restored = await sh("restore", to, "--file", to);
      assert.equal(restored.exit, EXIT.done, restored.stderr);
      assert.match(restored.stdout, /^The newest saves of \S+moved\.manuscript were in \S+-wal/);
      assert.ok(!existsSync(`${file}-wal`), "it was set aside with the file of until now");
      assert.ok((await sh("show", "1", "--file", to)).stdout.includes(TEXT));
      assert.equal((await sh("chapter", "add", "X", "--file", to)).exit, EXIT.done);
      assert.equal((await sh("doctor", "--file", to)).exit, EXIT.done);
    });

  for (const signal of ["SIGTERM", "SIGKILL"] as const)
    it(`is refused beside its log where it was written elsewhere and both were moved back, and that ends with ${signal}`, async (t) => {
      const { sh, file, to, server, put } = await moved(t);
      const away = join(sh.cwd, "away");
      renameSync(dirname(file), away);
      assert.equal((await sh("chapter", "add", "X", "--file", to)).exit, EXIT.done);
      renameSync(away, dirname(file));
      renameSync(to, file);
      assert.equal((await put()).status, 503);
      const ended = once(server, "close");
      server.kill(signal);
      await ended;
      const refused = await sh("show", "1", "--file", file);
      assert.equal(refused.exit, EXIT.failed);
      assert.match(
        refused.stderr,
        /is not the file that its log \S+ was written for, .*manuscript restore "/,
      );
      const restored = await sh("restore", file, "--file", file);
      assert.equal(restored.exit, EXIT.done, restored.stderr);
      const log = readdirSync(dirname(file)).find((name) => /-until-.*-wal$/.test(name)) ?? "";
      assert.ok(readFileSync(join(dirname(file), log), "utf8").includes(TEXT));
      assert.match((await sh("outline", "1", "--file", file)).stdout, /\bX\b/);
      assert.equal((await sh("doctor", "--file", file)).exit, EXIT.done);
    });
});
