import assert from "node:assert/strict";
import { GROUPS } from "../../src/cli/rows/groups.ts";
import type { CommandRow, FamilyRow } from "../../src/cli/rows/rows.ts";
import { EXIT } from "../../src/contract/problems.ts";
import { shell } from "../cli/shell.ts";
import { suite } from "./sandbox.ts";

/** A group of the help with its commands. */
export interface CommandGroup {
  names: readonly string[];
  rows: readonly CommandRow[];
  /** What stands above commands of two words: `facts`. */
  families: readonly FamilyRow[];
}

/** The groups of the help, in its order. */
export async function commandGroups(): Promise<CommandGroup[]> {
  return Promise.all(
    GROUPS.map(async ({ names, load }) => {
      const { ROWS, FAMILIES = [] } = await load();
      return { names, rows: ROWS, families: FAMILIES };
    }),
  );
}

/** Every help text, one behind the other, each below the command line that prints it. */
export async function helpTexts(): Promise<string> {
  const scope = suite();
  const sh = shell(scope);
  const groups = await commandGroups();
  const names = groups.flatMap(({ families, rows }) => [...families, ...rows].map(({ name }) => name));
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
