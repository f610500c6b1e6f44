import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { withBook } from "../cli/shell.ts";
import { PROGRAM } from "../support/program.ts";
import { ERAS, type Era } from "./agent.ts";

// What only a process of its own can show.
const argvOf = (...argv: readonly string[]) => [PROGRAM, ...argv];

/** A client that starts the program as an agent's does. */
async function started(t: TestContext, cwd: string, { era, args = [] }: { era: Era; args?: string[] }) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: argvOf("mcp", ...args),
    cwd,
    stderr: "pipe",
  });
  const client = new Client(
    { name: "slow-agent", version: "1.0.0" },
    { versionNegotiation: { mode: ERAS[era] } },
  );
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(transport);
  t.after(() => client.close());
  const ask = async (name: string, given: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: given });
    const [first] = content;
    return { text: first?.type === "text" ? first.text : "", isError: isError ?? false };
  };
  return { client, ask, errors };
}

/** A program that is asked in lines; what it says and how it ends. */
function lines(cwd: string, asked: readonly object[], { end }: { end: "stdin" | "SIGTERM" }) {
  const child = spawn(process.execPath, argvOf("mcp"), { cwd });
  let [stdout, stderr] = ["", ""];
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<{ exit: number | null; said: { id?: number }[]; stderr: string }>((resolve) =>
    child.once("close", (exit) =>
      resolve({
        exit,
        said: stdout
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line)),
        stderr,
      }),
    ),
  );
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
    if (end === "SIGTERM") child.kill("SIGTERM");
  });
  child.stdin.write(asked.map((one) => `${JSON.stringify({ jsonrpc: "2.0", ...one })}\n`).join(""));
  if (end === "stdin") child.stdin.end();
  return ended;
}

const OPENING = {
  ...{ id: 1, method: "initialize" },
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "pipe", version: "1" } },
};
const OUTLINE = { id: 2, method: "tools/call", params: { name: "read_outline", arguments: {} } };

describe("manuscript mcp", () => {
  for (const era of Object.keys(ERAS) as Era[])
    it(`is worked with by the official client in the era of ${era}`, async (t) => {
      const { cwd } = await withBook(t);
      const { client, ask, errors } = await started(t, cwd, { era, args: ["--allow-write"] });
      assert.equal((await client.listTools()).tools.length, 15);
      assert.match((await ask("read_chapter", { chapter: "1" })).text, /revision 1, [\s\S]*¶1 # The Ferry/);
      const said = await ask("add_note", { text: "By an agent.", chapter: "1" });
      assert.match(said.text, /^Noted as/);
      assert.match((await ask("history", { limit: 1 })).text, / slow-agent: added a note/);
      assert.deepEqual(errors, []);
    });

  it("answers what was asked before its input ended, and ends with 0", async (t) => {
    const { cwd } = await withBook(t);
    const { exit, said, stderr } = await lines(cwd, [OPENING, OUTLINE], { end: "stdin" });
    assert.deepEqual(
      said.map(({ id }) => id),
      [1, 2],
    );
    assert.deepEqual({ exit, stderr }, { exit: 0, stderr: "" });
    assert.deepEqual(
      readdirSync(cwd).filter((name) => /-wal|-shm/.test(name)),
      [],
    );
  });

  it("ends with 0 at SIGTERM, and says nothing but the protocol on stdout", async (t) => {
    const { cwd } = await withBook(t);
    const { exit, said, stderr } = await lines(cwd, [OPENING], { end: "SIGTERM" });
    assert.deepEqual({ exit, stderr, said: said.length }, { exit: 0, stderr: "", said: 1 });
  });

  it("goes on where its file is moved away, damaged or put back", async (t) => {
    const { cwd } = await withBook(t);
    const { ask } = await started(t, cwd, { era: "sessions" });
    const [path, aside] = [join(cwd, "book.manuscript"), join(cwd, "aside")];
    assert.equal((await ask("read_outline")).isError, false);
    renameSync(path, aside);
    const gone = await ask("read_outline");
    assert.ok(gone.isError);
    assert.match(gone.text, /book\.manuscript/);
    writeFileSync(path, "This is no manuscript, but somebody's shopping list.\n".repeat(200));
    const damaged = await ask("add_note", { text: "x" });
    assert.ok(damaged.isError);
    assert.match(damaged.text, /book\.manuscript/);
    renameSync(aside, path);
    assert.match((await ask("read_outline")).text, /The Ferry/);
  });

  it("says on stderr why it cannot begin, and nothing on stdout", async (t) => {
    const { cwd } = await withBook(t);
    const child = spawn(process.execPath, argvOf("mcp", "--file", "none.manuscript"), { cwd });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    const exit = await new Promise((resolve) => child.once("close", resolve));
    assert.deepEqual([exit === 0, stdout], [false, ""]);
    assert.match(stderr, /^manuscript: No such manuscript at .*none\.manuscript/);
  });
});
