import { processTerminal } from "./io/terminal.ts";
import { run } from "./run.ts";

// Never process.exit(): it would cut off what a pipe has not taken yet.
process.exitCode = await run(process.argv.slice(2), processTerminal());
