import assert from "node:assert/strict";
import { isAbsolute, join } from "node:path";
import { describe, it } from "node:test";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server";
import { EXIT } from "../../src/contract/problems.ts";
import { CLIENTS } from "../../src/mcp/client-settings.ts";
import { type Shell, withBook } from "../cli/shell.ts";

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
    const { exit, said } = await asked(sh, [line(OPENING), line(callOf(2, "read_outline"))]);
    assert.equal(exit, EXIT.done);
    assert.deepEqual(
      said.map(({ id }) => id),
      [1, 2],
    );
    assert.match(textOf(said[1]), /The Ferry/);
  });

  it("answers everything, however long that takes after its input has ended", async (t) => {
    const sh = await withBook(t);
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const hours = setInterval(() => t.mock.timers.tick(3_600_000), 0);
    t.after(() => clearInterval(hours));
    const { exit, said } = await asked(sh, [
      ...[line(OPENING), line(callOf(2, "read_outline")), line(callOf(3, "history"))],
      ...[line(callOf(4, "add_note", { text: "Later." })), line(callOf(5, "list_notes"))],
    ]);
    assert.equal(exit, EXIT.done);
    assert.deepEqual(
      said.map(({ id }) => id),
      [1, 2, 3, 4, 5],
    );
    assert.match(textOf(said[4]), /Later\./);
  });

  it("goes on after lines that are no message, and answers a last line without an end", async (t) => {
    const sh = await withBook(t);
    const ping = { jsonrpc: "2.0", id: 3, method: "ping" };
    const { exit, said } = await asked(sh, [
      ...[line(OPENING), "\n", "not JSON\n", line([ping]), line({ ...ping, id: null })],
      ...[line({ id: 9, result: {} }), line(callOf(7, "read_outline")), line(callOf(7, "read_cast"))],
      JSON.stringify({ ...ping, id: "last" }),
    ]);
    assert.equal(exit, EXIT.done);
    assert.deepEqual(said.map(({ id }) => id).sort(), [1, 7, 7, "last"]);
    assert.deepEqual(said.find(({ id }) => id === "last")?.result, {});
  });

  it("ends though a client listens for changes, and answers that last", async (t) => {
    const sh = await withBook(t);
    const { exit, said } = await asked(sh, [
      line(stateless(1, "subscriptions/listen", { notifications: { toolsListChanged: true } })),
      line(stateless(2, "tools/call", { name: "read_outline", arguments: {} })),
    ]);
    assert.equal(exit, EXIT.done);
    assert.deepEqual(
      said.map(({ id }) => id),
      [undefined, 2, 1],
    );
  });

  it("writes nothing for a call that was taken back before it began", async (t) => {
    const sh = await withBook(t);
    const { said } = await asked(sh, [
      ...[line(OPENING), line(callOf(2, "search", { query: "ferry" }))],
      line(callOf(3, "add_note", { text: "Never." })),
      line({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } }),
      line(callOf(4, "list_notes")),
    ]);
    assert.deepEqual(
      said.map(({ id }) => id),
      [1, 2, 4],
    );
    assert.doesNotMatch(textOf(said[2]), /Never/);
  });
});

const OPENING = {
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } },
};

const callOf = (id: number, name: string, args: object | null = {}) => ({
  ...{ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } },
});
const stateless = (id: number, method: string, params: object) => {
  const _meta = {
    [PROTOCOL_VERSION_META_KEY]: "2026-07-28",
    [CLIENT_INFO_META_KEY]: { name: "x", version: "1" },
    [CLIENT_CAPABILITIES_META_KEY]: {},
  };
  return { jsonrpc: "2.0", id, method, params: { ...params, _meta } };
};
const line = (message: unknown) => `${JSON.stringify(message)}\n`;

interface Said {
  id: unknown;
  result?: { content?: { text: string }[] };
  error?: { code: number; message: string };
}

const textOf = (said: Said | undefined) => said?.result?.content?.[0]?.text ?? "";

/** What the program says to lines that are all there when it starts. */
async function asked(sh: Shell, lines: readonly string[]): Promise<{ exit: number; said: Said[] }> {
  const { exit, stdout } = await sh.with({ stdin: lines.join("") })("mcp");
  const said = stdout
    .trim()
    .split("\n")
    .map((one) => JSON.parse(one) as Said);
  return { exit, said };
}
