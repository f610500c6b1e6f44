import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { GROUPS } from "../../src/cli/rows/groups.ts";
import { EXIT, EXIT_MEANING } from "../../src/contract/problems.ts";
import { files, importsOf } from "../support/source.ts";
import { shell } from "./shell.ts";

describe("help", () => {
  it("every command ends its help with examples, each a command line that is there", async (t) => {
    const sh = shell(t);
    for (const { ROWS, FAMILIES } of GROUPS) {
      for (const { name, examples } of [...FAMILIES, ...ROWS]) {
        assert.ok(examples.length > 0, name);
        const { stdout } = await sh(...name.split(" "), "--help");
        assert.ok(stdout.trimEnd().endsWith(`manuscript ${examples.at(-1)}`), name);
        for (const example of examples) assert.ok(example.startsWith(name.split(" ")[0] ?? ""), example);
      }
    }
  });

  it("every file of a command is loaded by a row, or by another command", () => {
    const loaded = new Set(files.flatMap((file) => importsOf(file).map(({ to }) => to)));
    assert.deepEqual(
      files.filter((file) => file.startsWith("cli/commands/") && !loaded.has(file)),
      [],
      "give it a row in src/cli/rows",
    );
  });

  it("the program's own help groups the commands and lists every exit code", async (t) => {
    const { stdout } = await shell(t)("help");
    for (const { heading } of GROUPS) assert.ok(stdout.includes(`\n${heading}\n`), heading);
    for (const [name, code] of Object.entries(EXIT)) {
      assert.ok(stdout.includes(`  ${code}  ${EXIT_MEANING[name as keyof typeof EXIT]}\n`), name);
    }
  });
});
