import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { describe, it } from "node:test";
import * as z from "zod";
import { HELPFUL_COMMANDS, report } from "../../src/cli/output/report.ts";
import { GROUPS } from "../../src/cli/rows/groups.ts";
import { ENDPOINTS } from "../../src/contract/index.ts";
import { EXIT } from "../../src/contract/problems.ts";
import { validate } from "../../src/contract/validate.ts";
import { TOOLS } from "../../src/mcp/answers/answer-call.ts";
import { INPUTS } from "../../src/mcp/rows/inputs.ts";
import type { BadRequest } from "../../src/refusals.ts";
import { shell, withBook } from "./shell.ts";

const SRC = join(import.meta.dirname, "../../src");
const HTTP_ALONE = /^(?:contract|http|web|mcp|cli)\//;

describe("a message", () => {
  it("names no endpoint to a command line or an agent, but a command or a tool that there is", () => {
    const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter(
      (file) => /\.ts$/.test(file) && !HTTP_ALONE.test(file),
    );
    const named = files.flatMap((file) => {
      const text = readFileSync(join(SRC, file), "utf8").replace(/^\s*(?:\/?\*|\/\/).*$/gm, "");
      return [...text.matchAll(/\b(?:GET|POST|PUT|PATCH|DELETE) \/[\w/{}?=.]*\w[}\w]*/g)].map(
        ([name]) => name,
      );
    });
    assert.deepEqual(named, []);
    const known = {
      commands: GROUPS.flatMap(({ ROWS }) => ROWS).map(({ name }) => name),
      tools: Object.keys(INPUTS),
    };
    for (const name of Object.values(HELPFUL_COMMANDS))
      assert.ok(
        known.commands.some((command) => `${name} `.startsWith(`${command} `)),
        name,
      );
    for (const name of Object.values(TOOLS))
      assert.ok(name.startsWith("an edit ") || known.tools.includes(name.split(" ")[0] ?? ""), name);
  });

  it("names commands where the refusal is of a proposal", async (t) => {
    const sh = await withBook(t);
    assert.match(
      (await sh("proposals", "show", "prop_0000000000000000")).stderr,
      /No such proposal; "manuscript proposals list" lists them all/,
    );
    await sh("map", "1", "--propose", "--", "sed", "s/light/dawn/; s/late/early/");
    const [proposal] = (await sh("proposals", "list", "--json")).json<{ proposals: { id: string }[] }>()
      .proposals;
    await sh("replace", "1", "light", "noon", "--apply");
    const { stderr, exit } = await sh("proposals", "accept", String(proposal?.id));
    assert.equal(exit, EXIT.conflict);
    assert.match(
      stderr,
      /"manuscript proposals accept prop_\w+ --edits 1" accepts the others, "manuscript proposals show prop_\w+" shows each/,
    );
  });

  it("puts titles in quotation marks where they stand in a sentence", async (t) => {
    const sh = await withBook(t);
    await sh("chapter", "rename", "1", "I");
    assert.match((await sh.with({ env: { EDITOR: "true" } })("edit", "1")).stderr, /^“I” was not changed;/);
    const stdin = (await sh("show", "1", "-f", "markdown")).stdout;
    assert.match((await sh.with({ stdin })("write", "1")).stdout, /^“I” says just that already\.\n$/);
    const said = async (...argv: string[]) => (await sh(...argv)).stdout;
    assert.match(await said("status", "1", "draft"), /^“I” is draft already\.\n$/);
    assert.match(await said("chapter", "rename", "1", "I"), /^ch_\w+ {2}“I” is called so already\.\n$/);
    assert.match(await said("restore", "1", "2"), /^“I” is as it was at revision 2 already\.\n$/);
    assert.match(await said("chapter", "delete", "1", "--yes"), /^Deleted “I”: /);
  });

  it("guesses at the book or chapter that was meant", async (t) => {
    const sh = await withBook(t);
    const guess = async (...argv: string[]) => /did you mean “(.*)”\?/.exec((await sh(...argv)).stderr)?.[1];
    assert.equal(await guess("outline", "The Fery Book"), "The Ferry Book");
    assert.equal(await guess("show", "The Lmap"), "The Lamp");
    assert.equal(await guess("show", "The Ferrry"), "The Ferry");
    assert.equal(await guess("map", "The Lmap", "--", "cat"), "The Lamp");
    assert.equal(await guess("map", "The Fery Book", "--", "cat"), "The Ferry Book");
    await sh("chapter", "rename", "1", "The Lights of the Harbour");
    assert.equal(await guess("show", "Harbor Lights"), undefined);
    assert.equal(await guess("show", "The Harbur"), "The Lights of the Harbour");
    assert.equal(await guess("show", "Whale"), undefined);
  });

  it("says that no credits are needed where the allowance has no end", async (t) => {
    const sh = await withBook(t);
    assert.match((await sh("account", "show")).stdout, /Allowance {5}unlimited.*\nCredits {7}none needed\n/);
    await sh("account", "set", "--allowance", "10");
    assert.match((await sh("account", "show")).stdout, /Credits {7}0\n/);
  });

  it("tells a day whose year is not told as it is said", async (t) => {
    const sh = shell(t);
    await sh("init", "book.manuscript");
    await sh.with({ stdin: "# One\n\nOn the 3rd of May the ferry sank.\n" })(
      "import",
      "-",
      "--title",
      "Ferry",
    );
    const { stdout } = await sh("report", "timeline");
    assert.match(stdout, /3 May/);
    assert.ok(!stdout.includes("--05"), stdout);
  });

  it("breaks what a search found between words, at the terminal's width", async (t) => {
    const sh = await withBook(t);
    const text = `The bell rang ${"over the roofs of the town ".repeat(12)}until noon.`;
    await sh("chapter", "add", "Noon", text);
    const { stdout } = await sh.with({ columns: 60, env: { NO_COLOR: "1" } })("search", "bell");
    const lines = stdout.split("\n");
    assert.ok(lines.length > 4 && lines.every((line) => line.length <= 60), stdout);
  });

  it("says in words what the system refuses", async (t) => {
    const sh = await withBook(t);
    for (const [code, words] of [
      ["EMFILE", /^manuscript: Too many files are open at once; .*ulimit -n/],
      ["EACCES", /^manuscript: \/there\/file may not be used: it or its folder is read-only/],
      ["ENOENT", /^manuscript: \/there\/file is not there any more/],
    ] as const) {
      const stderr = new Writable({ write: (chunk, _, done) => done(void said.push(String(chunk))) });
      const said: string[] = [];
      const error = Object.assign(new Error(`${code}: open`), { code, syscall: "open", path: "/there/file" });
      const streams = { stdout: stderr, stderr, stdin: Readable.from([]), env: {}, cwd: sh.cwd };
      assert.equal(await report(streams, error, false), EXIT.failed);
      assert.match(said.join(""), words);
    }
  });

  it("says in words what is missing in a request", () => {
    const body = z.object({ title: z.string(), words: z.int(), tags: z.array(z.string()) });
    const said = (value: unknown) => {
      try {
        validate(body, value, "The body");
      } catch (error) {
        return (error as BadRequest).message;
      }
      return undefined;
    };
    assert.equal(
      said({ words: 1, tags: [] }),
      "The body is not valid: /title is missing: it must be a string.",
    );
    assert.equal(
      said({ title: 1, words: 1, tags: [] }),
      "The body is not valid: /title must be a string, got a number.",
    );
    assert.equal(
      said({ title: "", words: 1 }),
      "The body is not valid: /tags is missing: it must be a list.",
    );
    assert.equal(said("text"), "The body is not valid: must be an object, got a string.");
  });

  it("says in words which values a request may have", () => {
    const details = (body: unknown) => {
      try {
        validate(ENDPOINTS.propose.body.json, body, "The body");
      } catch (error) {
        return (error as BadRequest).extra.details;
      }
      return undefined;
    };
    const edit = { op: "remplace", blockId: "b_1" };
    assert.deepEqual(details({ revision: 1, edits: [edit] }), [
      { path: "/edits/0/op", message: 'must be "replace", "insert_after" or "delete"' },
    ]);
    assert.deepEqual(details({ revision: 1.5, edits: [{ blockId: "b_1" }] }), [
      { path: "/revision", message: "must be a whole number, got 1.5" },
      { path: "/edits/0/op", message: 'is missing: it must be "replace", "insert_after" or "delete"' },
    ]);
    assert.deepEqual(details({ revision: -1, edits: [], reason: "x".repeat(9999) }), [
      { path: "/revision", message: "must be at least 0" },
      { path: "/reason", message: "must have at most 2,000 characters" },
      { path: "/edits", message: "must have at least 1 entry" },
    ]);
  });
});
