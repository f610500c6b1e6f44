import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { EXIT } from "../../src/contract/problems.ts";
import { eventually } from "../support/eventually.ts";
import { firstSaid } from "../support/first-said.ts";
import { PROGRAM } from "../support/program.ts";
import { shell, withBook } from "./shell.ts";

// The few things that only a process of its own can show; each costs half a second.
const run = promisify(execFile);
const argvOf = (...argv: readonly string[]) => [PROGRAM, ...argv];

describe("the process", () => {
  it("--version prints the package's version", async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
    assert.equal((await run(process.execPath, argvOf("--version"))).stdout, `${version}\n`);
  });

  it("a version that cannot be printed is a failure, and no stack trace", {
    skip: !existsSync("/dev/full"),
  }, () => {
    const bin = join(import.meta.dirname, "../../bin/manuscript.js");
    const argv = ["-c", '"$0" "$1" --version > /dev/full', process.execPath, bin];
    const { status, stderr } = spawnSync("sh", argv, { encoding: "utf8" });
    assert.deepEqual([status, stderr], [1, "manuscript: The disk is full; make room and run this again.\n"]);
  });

  it("8 MB through a slow pipe arrive whole, and a reader that leaves early is no failure", async (t) => {
    const sh = shell(t);
    await sh("init", "big.manuscript");
    const chapter = `${"word ".repeat(780_000)}end.\n\n`;
    const ours = (count: number) => join(sh.cwd, `${count}-x.md`);
    for (let count = 0; count < 2; count++) writeFileSync(ours(count), chapter);
    assert.equal((await sh("import", ".", "--title", "Big")).exit, EXIT.done);
    const whole = await pipe(sh.cwd, argvOf("export", "--plain", "-o", "-"), Number.POSITIVE_INFINITY);
    assert.deepEqual(whole, { exit: 0, read: chapter.length * 2, stderr: "" });
    const { exit, stderr } = await pipe(sh.cwd, argvOf("show", "2", "--format", "markdown"), 1);
    assert.deepEqual({ exit, stderr }, { exit: 0, stderr: "" });
  });

  it("SIGTERM ends a server cleanly with 0", async (t) => {
    const sh = await withBook(t);
    const server = spawn(process.execPath, argvOf("serve", "--port", "0", "--quiet"), { cwd: sh.cwd });
    await firstSaid(server);
    server.kill("SIGTERM");
    assert.equal(await new Promise((resolve) => server.once("exit", resolve)), 0);
  });

  it("Ctrl-C ends a command at its work with 130 in a shell, and nothing is written", async (t) => {
    const sh = await withBook(t);
    const before = readFileSync(join(sh.cwd, "book.manuscript"));
    const argv = argvOf("map", "1", "--", "sh", "-c", "echo > started; exec sleep 20");
    // A shell and what it runs get the signal together, as from a terminal.
    const line = ["-c", 'trap : INT; "$0" "$@"; exit $?', process.execPath, ...argv];
    const child = spawn("sh", line, { cwd: sh.cwd, detached: true });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await eventually(() => existsSync(join(sh.cwd, "started")), "what it runs");
    process.kill(-child.pid!, "SIGINT");
    assert.equal(await ended, 130);
    assert.ok(readFileSync(join(sh.cwd, "book.manuscript")).equals(before));
  });

  it("an edit that is killed loses nothing: the next one goes on with its text", async (t) => {
    const sh = await withBook(t);
    const editor = join(sh.cwd, "editor.sh");
    writeFileSync(editor, "#!/bin/sh\nsed -i s/lit/trimmed/ $1; touch started; exec sleep 20\n", {
      mode: 0o755,
    });
    const env = { PATH: process.env.PATH, HOME: sh.cwd, EDITOR: editor };
    const child = spawn(process.execPath, argvOf("edit", "2"), { cwd: sh.cwd, detached: true, env });
    await eventually(() => existsSync(join(sh.cwd, "started")), "what it runs");
    const second = await sh.with({ env: { EDITOR: "grep -q lit" } })("edit", "2");
    assert.equal(second.exit, EXIT.done, "the first one is at work still, and left to it");
    const ended = new Promise((resolve) => child.once("exit", resolve));
    process.kill(-child.pid!, "SIGKILL"); // it runs: its editor has started
    await ended;
    const asked = sh.with({ env: { EDITOR: "true" } });
    const refused = await asked("edit", "2");
    assert.match(
      refused.stderr,
      /An edit of “The Lamp”, saved .*, was never written: \S+02-the-lamp\.md\. Go on with it by --resume/,
    );
    assert.equal((await asked("edit", "2", "--resume")).exit, EXIT.done);
    assert.match((await sh("show", "2")).stdout, /Mara trimmed the lamp/);
  });
});

/** Reads up to `most` chunks of a process's stdout, slowly at first, then closes the pipe. */
async function pipe(cwd: string, argv: readonly string[], most: number) {
  const child = spawn(process.execPath, [...argv], { cwd });
  const stderr: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let read = 0;
  let chunks = 0;
  for await (const chunk of child.stdout) {
    read += (chunk as Buffer).length;
    if (++chunks >= most) break; // leaving the loop destroys the stream
    if (chunks < 20) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return { exit: await ended, read, stderr: Buffer.concat(stderr).toString() };
}
