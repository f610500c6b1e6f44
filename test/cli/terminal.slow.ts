import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { closeSync, constants, openSync, readFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, it, type TestContext } from "node:test";
import { folder } from "../support/sandbox.ts";

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const LENGTH = 4_000_000;
const TERMINAL = JSON.stringify(join(import.meta.dirname, "../../src/cli/io/terminal.ts"));

/** A program that prints much, then a line, and tells on stderr what of it was taken. */
const PRINTS = `
  const { print, processTerminal } = await import(${TERMINAL});
  const terminal = processTerminal();
  const taken = [await print(terminal, "é".repeat(${LENGTH / 2})), await print(terminal, "\\n")];
  process.stderr.write(taken.join());
`;
const NODE = ["--import", import.meta.resolve("tsx"), "--input-type=module", "-e"];
const WHOLE = Buffer.from(`${"é".repeat(LENGTH / 2)}\n`);

describe("the process's own stdout", () => {
  it("takes everything into a file", (t) => {
    const path = join(folder(t), "out");
    const out = openSync(path, "w");
    const { stderr } = spawnSync(process.execPath, [...NODE, PRINTS], {
      stdio: ["ignore", out, "pipe"],
      encoding: "utf8",
    });
    closeSync(out);
    assert.equal(stderr, "true,true");
    assert.ok(readFileSync(path).equals(WHOLE));
  });

  it("takes everything into a pipe that another program has set to make nobody wait", async (t) => {
    const { reader, said } = printsIntoFull(t);
    const chunks: Buffer[] = [];
    for await (const chunk of reader) chunks.push(chunk);
    assert.ok(Buffer.concat(chunks).equals(WHOLE));
    assert.equal(await said, "true,true");
  });

  it("says so, too, when the reader of such a pipe leaves before it took everything", async (t) => {
    const { reader, said } = printsIntoFull(t);
    for await (const chunk of reader) if (chunk) break; // leaving the loop closes the pipe
    assert.equal(await said, "false,false");
  });

  it("says that nothing was taken when the reader has gone, and goes on", async () => {
    const child = spawn(process.execPath, [...NODE, PRINTS], { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    assert.equal(await text(child.stderr), "false,false");
  });
});

/** The program, at a pipe that holds 64 KiB and makes nobody wait: its reader, and all that the program says. */
function printsIntoFull(t: TestContext) {
  const path = join(folder(t), "pipe");
  spawnSync("mkfifo", [path]);
  const reader = new Socket({ fd: openSync(path, O_RDONLY | O_NONBLOCK) });
  const writer = openSync(path, O_WRONLY | O_NONBLOCK);
  // Node would have its child wait; a shell gives on what it has.
  const child = spawn("sh", ["-c", 'exec "$@" 1>&3', "sh", process.execPath, ...NODE, PRINTS], {
    stdio: ["ignore", "ignore", "pipe", writer],
  });
  closeSync(writer);
  return { reader, said: text(child.stdio[2]!) };
}
