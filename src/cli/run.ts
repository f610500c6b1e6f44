import { readPlain } from "./plain.ts";
import type { Start } from "./program.ts";
import type { Terminal } from "./terminal.ts";

/** Runs a command line, without the program's own name, and gives its exit code. Never throws, never ends the process. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exit = 0;
  const fail = (code: number) => {
    exit = code;
  };
  const start: Start = async (row, call, given) => {
    const command = await row.load();
    await command({ ...call, terminal, fail }, ...(given as never[])); // the row's own arguments and options
  };
  try {
    const plain = await readPlain(argv);
    if (plain !== undefined) await start(plain.row, plain.call, plain.given);
    else {
      const { buildProgram } = await import("./program.ts");
      await (await buildProgram(terminal, start)).parseAsync([...argv], { from: "user" });
    }
    return exit;
  } catch (thrown) {
    const { report } = await import("./report.ts");
    return await report(terminal, thrown, argv.includes("--json"));
  }
}
