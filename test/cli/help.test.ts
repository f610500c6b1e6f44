import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { GROUPS } from "../../src/cli/rows/groups.ts";
import { EXIT, EXIT_MEANING } from "../../src/contract/problems.ts";
import { shell } from "./shell.ts";

const GOLDEN = join(import.meta.dirname, "../../fixtures/golden/help.txt");

async function rows() {
  return (await Promise.all(GROUPS.map(async ({ names, load }) => ({ names, ...(await load()) })))).flatMap(
    ({ names, ROWS, FAMILIES = [] }) => ({ names, ROWS, FAMILIES }),
  );
}

describe("help", () => {
  it("is as the golden file shows it; MANUSCRIPT_GOLDEN=write writes that anew", async (t) => {
    const sh = shell(t);
    const commands = (await rows()).flatMap(({ ROWS, FAMILIES }) =>
      [...FAMILIES, ...ROWS].map(({ name }) => name),
    );
    const texts: string[] = [];
    for (const name of ["", ...commands]) {
      const words = name.split(" ").filter(Boolean);
      const { exit, stdout, stderr } = await sh(...words, "--help");
      assert.equal(exit, EXIT.done, stderr);
      texts.push(`$ ${["manuscript", ...words, "--help"].join(" ")}\n${stdout}`);
    }
    const text = texts.join("\n");
    if (process.env.MANUSCRIPT_GOLDEN === "write") writeFileSync(GOLDEN, text);
    assert.equal(text, readFileSync(GOLDEN, "utf8"));
  });

  it("every command ends its help with examples, each a command line that is there", async (t) => {
    const sh = shell(t);
    for (const { ROWS, FAMILIES } of await rows()) {
      for (const { name, examples } of [...FAMILIES, ...ROWS]) {
        assert.ok(examples.length > 0, name);
        const { stdout } = await sh(...name.split(" "), "--help");
        assert.ok(stdout.trimEnd().endsWith(`manuscript ${examples.at(-1)}`), name);
        for (const example of examples) assert.ok(example.startsWith(name.split(" ")[0] ?? ""), example);
      }
    }
  });

  it("a group names the first word of each of its commands, so that a short one loads no other", async () => {
    for (const { names, ROWS } of await rows()) {
      assert.deepEqual([...new Set(ROWS.map(({ name }) => name.split(" ")[0]))], [...names]);
    }
  });

  it("the program's own help groups the commands and lists every exit code", async (t) => {
    const { stdout } = await shell(t)("help");
    for (const { heading } of GROUPS) assert.ok(stdout.includes(`\n${heading}\n`), heading);
    for (const [name, code] of Object.entries(EXIT)) {
      assert.ok(stdout.includes(`  ${code}  ${EXIT_MEANING[name as keyof typeof EXIT]}\n`), name);
    }
  });
});
