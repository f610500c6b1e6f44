import assert from "node:assert/strict";
import { isAbsolute, join } from "node:path";
import { describe, it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { CLIENTS } from "../../src/mcp/client-settings.ts";
import { withBook } from "../cli/shell.ts";

/** Where each client looks for its servers. */
const HOLDERS = { claude: "mcpServers", cursor: "mcpServers", vscode: "servers", zed: "context_servers" };

interface Launch {
  command: string;
  args: string[];
}

describe("manuscript mcp", () => {
  it("prints a client's settings, with whole paths and what else was given", async (t) => {
    const sh = await withBook(t);
    for (const client of CLIENTS) {
      const ran = await sh("mcp", "--print-config", client, "--allow-write", "--name", "Ann's editor");
      assert.equal(ran.exit, EXIT.done);
      const { manuscript } = ran.json<Record<string, { manuscript: Launch }>>()[HOLDERS[client]]!; // the table has every client
      const [program = "", ...args] = manuscript.args;
      assert.ok(isAbsolute(manuscript.command) && isAbsolute(program), client);
      assert.deepEqual(args, [
        ...["mcp", "--file", join(sh.cwd, "book.manuscript")],
        ...["--allow-write", "--name", "Ann's editor"],
      ]);
      assert.match(ran.stderr, /^Put this into /);
    }
  });

  it("is refused with what to do before it begins", async (t) => {
    const sh = await withBook(t);
    const both = await sh("mcp", "--allow-write", "--read-only");
    assert.deepEqual([both.exit, both.stdout], [EXIT.usage, ""]);
    assert.match(both.stderr, /--allow-write or --read-only, not both/);
    assert.match((await sh("mcp", "--name", " ")).stderr, /--name must not be blank/);
    assert.match((await sh("mcp", "--print-config", "emacs")).stderr, /claude, cursor, vscode, zed/);
  });

  it("tells somebody at a terminal what it is for", async (t) => {
    const sh = await withBook(t);
    const { stdout, stderr } = await sh.with({ isAsked: true, stdin: "" })("mcp");
    assert.equal(stdout, "");
    assert.match(stderr, /mcp --print-config claude/);
  });

  it("answers what it is asked over its streams, and ends with them", async (t) => {
    const sh = await withBook(t);
    const opening = {
      ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } },
    };
    const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "read_outline" } };
    const stdin = `${JSON.stringify(opening)}\nnot JSON\n${JSON.stringify(call)}\n`;
    const { exit, stdout } = await sh.with({ stdin })("mcp");
    const said = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.equal(exit, EXIT.done);
    assert.deepEqual(
      said.map(({ id }) => id),
      [1, 2],
    );
    assert.match(said[1].result.content[0].text, /The Ferry/);
  });
});
