import { EXIT } from "../contract/problems.ts";
import { buildProgram } from "./program.ts";
import { report } from "./report.ts";
import type { Terminal } from "./terminal.ts";

/** Runs a command line, without the program's own name, and gives its exit code. Never throws, never ends the process. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exit: number = EXIT.done;
  const fail = (code: number) => {
    exit = code;
  };
  try {
    await buildProgram(terminal, fail).parseAsync([...argv], { from: "user" });
    return exit;
  } catch (thrown) {
    return await report(terminal, thrown, argv.includes("--json"));
  }
}
