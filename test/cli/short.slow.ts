import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { folder } from "../support/sandbox.ts";
import { withBook } from "./shell.ts";

const root = join(import.meta.dirname, "../..");
const TSX = import.meta.resolve("tsx");

/** The program as it is built, but that what is not a file by itself says so. */
function built(t: TestContext): string {
  const place = folder(t);
  cpSync(join(root, "bin"), join(place, "bin"), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(place, "node_modules"));
  writeFileSync(join(place, "package.json"), readFileSync(join(root, "package.json")));
  mkdirSync(join(place, "dist/cli"), { recursive: true });
  writeFileSync(join(place, "dist/cli/main.js"), 'process.stdout.write("all of it\\n");');
  const make = ["--import", TSX, join(root, "build/short.ts"), join(place, "dist/short")];
  assert.equal(spawnSync(process.execPath, make).status, 0);
  return join(place, "bin/manuscript.js");
}

function runIn(cwd: string, ...argv: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd, encoding: "utf8" });
  return { exit: status, stdout, stderr };
}

/** What `mcp` answers an agent that asks tools of both kinds, each of which it loads when it is asked. */
function toldAgent(cwd: string, bin: string): { result: { isError?: boolean } }[] {
  const client = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a", version: "1" } };
  const asked = [
    ["initialize", client],
    ["tools/call", { name: "read_chapter", arguments: { chapter: "1", notes: true } }],
    ["tools/call", { name: "search", arguments: { query: "ferry" } }],
    ["tools/call", { name: "add_note", arguments: { chapter: "1", text: "By an agent." } }],
  ].map(([method, params], id) => JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  const { stdout } = spawnSync(process.execPath, [bin, "mcp"], {
    cwd,
    input: `${asked.join("\n")}\n`,
    encoding: "utf8",
  });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("the commands that are a file by themselves", () => {
  it("answer as all of the program does, mistakes too, and leave it what is not theirs", async (t) => {
    const sh = await withBook(t);
    const bin = built(t);
    for (const line of [
      ["outline"],
      ["outline", "1", "--json"],
      ["outline", "nowhere"],
      ["outline", "--file", "nowhere.manuscript", "--json"],
      ["books"],
      ["complete", "--", ""],
      ["complete", "--", "show", ""],
      ["complete", "--bash", "--", "manuscript outline "],
      ["complete", "--", "search", "--li"],
      ["complete", "--", "restore", ""],
      ["export", "-o", "-"],
      ["export", "--block-ids", "--json", "-o", "folder"],
      ["export", "--plain", "--json", "-o", "folder"],
      ["export", "--force", "--as-imported", "--json", "-o", "folder"],
      ["export", "--format", "json", "-o", "bundle.json"],
      ["export", "--to", "folder"],
      ["export", "--help"],
      ["import", "folder", "--book", "1"],
      ["import", "folder", "--book", "1", "--dry-run", "--diff", "--json"],
      ["import", "folder", "--book", "1", "--propose"],
      ["import", "folder", "--layout", "mdbook"],
      ["import", "bundle.json", "--book", "1"],
      ["import", "nowhere/"],
      ["import", "--help"],
      ["sync", "folder"],
      ["sync", "folder", "--dry-run", "--json"],
      ["sync", "nowhere"],
      ["sync", "folder", "--propose"],
      ["mcp", "--read-only", "--allow-write"],
    ]) {
      await sh(...line); // what an export wrote is there from now on
      const { exit, stdout, stderr } = await sh(...line);
      assert.deepEqual(runIn(sh.cwd, bin, ...line), { exit, stdout, stderr }, line.join(" "));
    }
    for (const line of [
      ["outline", "--help"],
      ["outline", "1", "2"],
      ["books", "1"],
      ["show", "1"],
      [],
      ["constructor"],
    ])
      assert.equal(runIn(sh.cwd, bin, ...line).stdout, "all of it\n", line.join(" "));
    assert.deepEqual(
      toldAgent(sh.cwd, bin).map(({ result }) => result.isError ?? false),
      [false, false, false, false],
    );
    const joined = join(bin, "../../dist/short/better-sqlite3-node20.cjs");
    writeFileSync(
      joined,
      'exports.version = "12.0.0"; exports.Database = class { constructor() { throw 1; } };',
    );
    assert.equal(runIn(sh.cwd, bin, "outline").exit, 0, "SQLite of another version is not taken");
    const short = join(bin, "../../dist/short/outline.cjs");
    writeFileSync(
      short,
      '(function (exports) { exports.startShort = async () => process.stdout.write("another\\n"); })',
    );
    assert.equal(runIn(sh.cwd, bin, "outline").stdout, "another\n", "the code that is kept is of another");
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(bin, "../../dist/cli/main.js"), later, later);
    assert.equal(runIn(sh.cwd, bin, "outline").stdout, "all of it\n", "it was compiled since");
  });
});
