import assert from "node:assert/strict";
import { GROUPS } from "../../src/cli/rows/groups.ts";
import { EXIT } from "../../src/contract/problems.ts";
import { shell } from "../cli/shell.ts";
import { suite } from "./sandbox.ts";

/** Every help text, one behind the other, each below the command line that prints it. */
export async function helpTexts(): Promise<string> {
  const scope = suite();
  const sh = shell(scope);
  const names = GROUPS.flatMap(({ ROWS, FAMILIES }) => [...FAMILIES, ...ROWS].map(({ name }) => name));
  const texts: string[] = [];
  for (const name of ["", ...names]) {
    const words = [...name.split(" ").filter(Boolean), "--help"];
    const { exit, stdout, stderr } = await sh(...words);
    assert.equal(exit, EXIT.done, stderr);
    texts.push(`$ manuscript ${words.join(" ")}\n${stdout}`);
  }
  await scope.end();
  return texts.join("\n");
}
