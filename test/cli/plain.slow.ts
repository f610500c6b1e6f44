import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dashedWordsLast } from "../../src/cli/dashed-words.ts";
import { buildProgram, type Start } from "../../src/cli/program.ts";
import { GROUPS } from "../../src/cli/rows/groups.ts";
import { optionNames, takesValue } from "../../src/cli/rows/rows.ts";
import { type Plain, readPlain } from "../../src/cli/run.ts";

/** What the parser makes of a command line; undefined if it refuses it. */
async function parsed(argv: readonly string[]): Promise<Plain | undefined> {
  let read: Plain | undefined;
  const start: Start = async (row, call, given) => {
    read = { row, call, ...given };
  };
  const sink = { write: () => true };
  const program = await buildProgram({ stdout: sink, stderr: sink } as never, start);
  try {
    await program.parseAsync([...(await dashedWordsLast(argv))], { from: "user" });
  } catch {
    return undefined;
  }
  return read;
}

const told = (read: Plain | undefined) =>
  read && {
    ...read,
    row: read.row.name,
    values: read.values.filter((value) => value !== undefined),
    options: Object.fromEntries(Object.entries(read.options).filter(([, value]) => value !== undefined)),
  };

const rows = (await Promise.all(GROUPS.map(({ load }) => load()))).flatMap(({ ROWS }) => ROWS);

describe("a command line that is read without the parser", () => {
  it("is read as the parser reads it, or left to it", async () => {
    let count = 0;
    for (const row of rows) {
      const name = row.name.split(" ");
      const words = row.arguments.map((_, at) => String(at + 1));
      const some = row.options.flatMap((option) => [
        optionNames(option)[0]!,
        ...(takesValue(option) ? ["x"] : []),
      ]);
      const lines = [
        ...row.examples.filter((line) => !/["'|<>$]/.test(line)).map((line) => line.split(" ")),
        ...row.options.flatMap((option) => {
          const flag = optionNames(option).at(-1) ?? "";
          const given = takesValue(option) ? [flag, "-"] : [flag];
          return [
            ["--file", "a", ...name, ...given, ...words, "--json"],
            [...name, ...words, flag],
          ];
        }),
        [...name, ...some, ...words],
        [...name, ...words, "--", "--json"],
        [...name, "--file"],
        ["--json", "--json", ...name, ...words],
      ];
      for (const line of lines) {
        const plain = await readPlain(line);
        if (plain === undefined) continue;
        count++;
        assert.deepEqual(told(plain), told(await parsed(line)), line.join(" "));
      }
    }
    assert.ok(count > 150, `${count}`);
  });

  it("may name options that take their value as it is", async () => {
    for (const line of [
      "export 1 -o out",
      "export --plain --output - --json",
      "chapter add 1 Dawn --after 2",
    ])
      assert.ok(await readPlain(line.split(" ")), line);
    for (const line of [
      "export -f json",
      "export -oout",
      "export -o --plain",
      "export -o a -o b",
      "export --help",
    ])
      assert.equal(await readPlain(line.split(" ")), undefined, line);
  });
});
